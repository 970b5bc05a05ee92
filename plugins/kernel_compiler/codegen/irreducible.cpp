#include "irreducible.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/Transforms/Utils/BreakCriticalEdges.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>

namespace zeroth::codegen {

bool has_irreducible_cycles(const llvm::Function& body) {
  llvm::DominatorTree tree(const_cast<llvm::Function&>(body)); // which it only reads
  llvm::LoopInfo loops(tree);
  using Order = llvm::ReversePostOrderTraversal<const llvm::Function*>;
  Order order(&body);
  return llvm::containsIrreducibleCFG<const llvm::BasicBlock*, const Order, const llvm::LoopInfo>(order, loops);
}

// LLVM's pass takes all that an entry's phis have from a block that leads to another entry too, also for the edge that
// stays: no block leads to two of them where each such edge has a block of its own.
llvm::PreservedAnalyses MakeLoopsOfCycles::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!has_irreducible_cycles(function)) return llvm::PreservedAnalyses::all();
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::BreakCriticalEdgesPass());
  passes.addPass(llvm::FixIrreduciblePass());
  return passes.run(function, analyses);
}

} // namespace zeroth::codegen
