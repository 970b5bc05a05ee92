#include "irreducible.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace zeroth::codegen {

Cycles cycles_of(const llvm::Function& body) {
  llvm::DominatorTree tree(const_cast<llvm::Function&>(body)); // which it only reads
  llvm::LoopInfo loops(tree);
  using Order = llvm::ReversePostOrderTraversal<const llvm::Function*>;
  Order order(&body);
  return {unsigned(loops.getLoopsInPreorder().size()),
          llvm::containsIrreducibleCFG<const llvm::BasicBlock*, const Order, const llvm::LoopInfo>(order, loops)};
}

} // namespace zeroth::codegen
