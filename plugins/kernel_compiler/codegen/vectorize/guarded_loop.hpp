// Innermost loops in which each work-item goes through data by strides until the data ends, as compilers leave them:
//
//   if (guard) { preheader; do { blocks } while (check) } exit
#pragma once

#include "divergence.hpp"

#include <optional>

namespace llvm {
class BranchInst;
}

namespace zeroth::codegen {

struct GuardedLoop {
  llvm::BranchInst *guard, *check;
  llvm::BasicBlock *preheader, *header, *latch, *exit;
  llvm::SmallVector<llvm::BasicBlock*> blocks; // and the preheader
};

// Nothing where `loop` is no such loop, or is so large that a second copy of it is not worth its size.
std::optional<GuardedLoop> find_guarded_loop(llvm::Loop& loop, const Divergence& divergence);

} // namespace zeroth::codegen
