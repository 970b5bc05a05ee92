#include "function_layout.hpp"

#include <functional>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace zeroth::codegen {

namespace {

void check_terminators(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    llvm::Instruction* end = block.getTerminator();
    if (!llvm::isa<llvm::BranchInst, llvm::ReturnInst>(end))
      throw NotVectorizable("control flow by " + std::string(end->getOpcodeName()));
  }
}

} // namespace

FunctionLayout::FunctionLayout(llvm::Function& body) : function_(body) {
  check_terminators(body);
  dominators_.recalculate(body);
  loops_.analyze(dominators_);
  isolate_latches();
  split_critical_edges();
  dominators_.recalculate(body);
  post_dominators_.recalculate(body);
  loops_.releaseMemory();
  loops_.analyze(dominators_);
  order_level(nullptr, &body.getEntryBlock());
  for (unsigned i = 0; i < order_.size(); ++i) index_[order_[i]] = i;
  for (llvm::BasicBlock* block : order_)
    for (llvm::BasicBlock* next : llvm::successors(block))
      if (is_back_edge(block, next) && !(loop(next) && loop(next)->getHeader() == next && loop(next)->contains(block)))
        throw NotVectorizable("irreducible control flow");
}

void FunctionLayout::isolate_latches() {
  for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
    llvm::BasicBlock* latch = loop->getLoopLatch();
    if (!latch || !loop->getLoopPreheader() || !loop->hasDedicatedExits()) throw NotVectorizable("irregular loop");
    if (loop->hasNoExitBlocks()) throw NotVectorizable("endless loop");
    if (latch->size() > 1 || latch == loop->getHeader())
      llvm::SplitEdge(latch, loop->getHeader(), &dominators_, &loops_);
  }
}

void FunctionLayout::split_critical_edges() {
  llvm::SmallVector<std::pair<llvm::Instruction*, unsigned>> edges;
  for (llvm::BasicBlock& block : function_)
    for (unsigned i = 0; block.getTerminator()->getNumSuccessors() > 1 && i < 2; ++i)
      if (llvm::isCriticalEdge(block.getTerminator(), i)) edges.emplace_back(block.getTerminator(), i);
  for (auto [branch, successor] : edges)
    llvm::SplitCriticalEdge(branch, successor,
                            llvm::CriticalEdgeSplittingOptions(&dominators_, &loops_).setPreserveLCSSA());
}

// Reverse post-order of the blocks of one loop level, inner loops taken as single nodes and put in whole.
void FunctionLayout::order_level(llvm::Loop* level, llvm::BasicBlock* first) {
  std::vector<llvm::BasicBlock*> post_order;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
  auto inner_loop = [&](llvm::BasicBlock* block) {
    llvm::Loop* inner = loops_.getLoopFor(block);
    while (inner && inner->getParentLoop() != level) inner = inner->getParentLoop();
    return inner == level ? nullptr : inner;
  };
  std::function<void(llvm::BasicBlock*)> visit = [&](llvm::BasicBlock* block) {
    if (!seen.insert(block).second) return;
    llvm::SmallVector<llvm::BasicBlock*> next;
    if (llvm::Loop* inner = block == first && level ? nullptr : inner_loop(block))
      inner->getExitBlocks(next);
    else
      next.append(llvm::succ_begin(block), llvm::succ_end(block));
    for (llvm::BasicBlock* target : llvm::reverse(next))
      if (target != first && (!level || level->contains(target))) visit(target);
    post_order.push_back(block);
  };
  visit(first);
  for (llvm::BasicBlock* block : llvm::reverse(post_order)) {
    llvm::Loop* inner = block == first && level ? nullptr : inner_loop(block);
    if (inner)
      order_level(inner, block);
    else
      order_.push_back(block);
  }
}

} // namespace zeroth::codegen
