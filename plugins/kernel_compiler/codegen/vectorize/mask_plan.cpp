#include "mask_plan.hpp"

#include <llvm/IR/CFG.h>

namespace zeroth::codegen {

MaskPlan::MaskPlan(const FunctionLayout& layout, const Divergence& divergence)
    : layout_(layout), divergence_(divergence) {
  resolve();
}

void MaskPlan::gather(const llvm::BasicBlock* block) {
  gathered_.insert(block);
  resolve();
}

void MaskPlan::resolve() {
  for (const llvm::BasicBlock* block : layout_.order()) {
    const llvm::BasicBlock* source = gathered_.contains(block) ? block : find_source(block);
    sources_[block] = source == block ? block : sources_.lookup(source);
  }
}

// Does every work-item that is at `from` come to `to` in the same iteration of their common loop? A way out of the loop
// in between may lead back into it, later.
bool MaskPlan::always_leads_to(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const {
  const llvm::DominatorTree& tree = layout_.dominators();
  if (!tree.dominates(from, to) || !layout_.post_dominators().dominates(to, from)) return false;
  const llvm::Loop* loop = layout_.loop(to);
  if (loop != layout_.loop(from)) return false;
  if (!loop) return true;
  llvm::SmallVector<llvm::BasicBlock*> exiting;
  loop->getExitingBlocks(exiting);
  return tree.dominates(to, loop->getLoopLatch()) && llvm::none_of(exiting, [&](const llvm::BasicBlock* block) {
           return tree.dominates(from, block) && !tree.dominates(to, block);
         });
}

const llvm::BasicBlock* MaskPlan::find_source(const llvm::BasicBlock* block) const {
  const auto* node = layout_.dominators().getNode(block);
  if (!node->getIDom()) return block;
  if (divergence_.come_together(block)) return layout_.order().front();
  const llvm::Loop* loop = layout_.loop(block);
  if (loop && loop->getHeader() == block) return divergence_.is_divergent_loop(loop) ? block : loop->getLoopPreheader();
  // Work-items that leave a divergent loop pass its latch, inactive.
  if (loop && loop->getLoopLatch() == block && divergence_.is_divergent_loop(loop)) return block;
  const llvm::BasicBlock* before = block->getSinglePredecessor();
  if (before && !divergence_.is_divergent_branch(before) && !divergence_.leaves_divergent_loop(before, block))
    return before;
  for (node = node->getIDom(); node; node = node->getIDom()) {
    const llvm::BasicBlock* dominator = node->getBlock();
    const llvm::Loop* inner = layout_.loop(dominator);
    if (inner && !inner->contains(block)) {
      while (inner->getParentLoop() && !inner->getParentLoop()->contains(block)) inner = inner->getParentLoop();
      dominator = inner->getLoopPreheader();
    }
    if (always_leads_to(dominator, block)) return dominator;
    if (loop && !loop->contains(dominator)) break;
  }
  return block;
}

} // namespace zeroth::codegen
