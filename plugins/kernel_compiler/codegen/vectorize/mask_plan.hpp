// Where the mask of each block comes from: most blocks run with the mask of an earlier one.
#pragma once

#include "divergence.hpp"

namespace zeroth::codegen {

class MaskPlan {
public:
  MaskPlan(const FunctionLayout& layout, const Divergence& divergence);

  // The block whose mask `block` shares; itself when its mask is gathered from its incoming edges (or is a divergent
  // loop's set of live work-items). The entry block stands for the mask that the slice starts with.
  const llvm::BasicBlock* source(const llvm::BasicBlock* block) const { return sources_.lookup(block); }
  // From now on the mask of `block` is gathered from its edges: the schedule may come to it without its source.
  void gather(const llvm::BasicBlock* block);

  // Every work-item that started is active here.
  bool is_full(const llvm::BasicBlock* block) const { return source(block) == &layout_.function().getEntryBlock(); }

private:
  void resolve();
  const llvm::BasicBlock* find_source(const llvm::BasicBlock* block) const;
  bool always_leads_to(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const;

  const FunctionLayout& layout_;
  const Divergence& divergence_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> gathered_;
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> sources_;
};

} // namespace zeroth::codegen
