#include "ways_out.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace zeroth::codegen {

namespace {

bool has_unreachable_end(const llvm::Function& function) {
  return llvm::any_of(
      function, [](const llvm::BasicBlock& block) { return llvm::isa<llvm::UnreachableInst>(block.getTerminator()); });
}

llvm::BasicBlock& make_single_return(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*> ends;
  for (llvm::BasicBlock& block : function)
    if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(block.getTerminator()))
      ends.push_back(block.getTerminator());
  llvm::BasicBlock* end = llvm::BasicBlock::Create(function.getContext(), "return", &function);
  llvm::ReturnInst::Create(function.getContext(), end);
  for (llvm::Instruction* way : ends) llvm::ReplaceInstWithInst(way, llvm::BranchInst::Create(end));
  return *end;
}

// The condition is a constant, so that the branch goes when the code is optimised at last.
void add_way_out(const llvm::Loop& loop, llvm::BasicBlock& end) {
  llvm::SmallVector<llvm::BasicBlock*> latches;
  loop.getLoopLatches(latches);
  llvm::BasicBlock* back = llvm::SplitBlockPredecessors(loop.getHeader(), latches, ".way.out");
  auto* always = llvm::ConstantInt::getTrue(end.getContext());
  llvm::ReplaceInstWithInst(back->getTerminator(), llvm::BranchInst::Create(loop.getHeader(), &end, always));
}

} // namespace

// A loop within an endless one leads to the outer's beginning, or the outer one would be none: only outermost loops are
// endless.
llvm::PreservedAnalyses AddWaysOut::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<const llvm::Loop*> endless;
  for (const llvm::Loop* loop : loops)
    if (loop->hasNoExitBlocks()) endless.push_back(loop);
  if (endless.empty() && !has_unreachable_end(function)) return llvm::PreservedAnalyses::all();
  llvm::BasicBlock& end = make_single_return(function);
  for (const llvm::Loop* loop : endless) add_way_out(*loop, end);
  return llvm::PreservedAnalyses::none();
}

} // namespace zeroth::codegen
