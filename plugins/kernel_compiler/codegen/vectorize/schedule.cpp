#include "schedule.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

Schedule::Schedule(const FunctionLayout& layout, const Divergence& divergence,
                   const std::function<bool(const llvm::BasicBlock*)>& wants_guard)
    : layout_(layout), divergence_(divergence), blocks_(layout.order().size()), deferred_(layout.order().size()) {
  for (const llvm::BasicBlock* block : layout.order()) plan(block, wants_guard(block));
}

const llvm::BasicBlock* Schedule::landing(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const {
  for (const llvm::Loop* loop = layout_.loop(from); loop && !loop->contains(to); loop = loop->getParentLoop())
    if (divergence_.is_divergent_loop(loop)) return loop->getLoopLatch();
  return to;
}

// The first of `targets` is next; the rest is deferred to it.
const llvm::BasicBlock* Schedule::next_of(Set targets) {
  unsigned first = *targets.begin();
  targets.erase(targets.begin());
  deferred_[first].insert(targets.begin(), targets.end());
  return layout_.order()[first];
}

void Schedule::plan(const llvm::BasicBlock* block, bool wants_guard) {
  unsigned index = layout_.index(block);
  Set deferred = deferred_[index];
  BlockSchedule& plan = blocks_[index];
  if (wants_guard && !deferred.empty()) plan.skip = next_of(deferred);
  const llvm::Loop* loop = layout_.loop(block);
  if (loop && loop->getLoopLatch() == block) {
    if (divergence_.is_divergent_loop(loop)) return plan_latch(loop, deferred);
    plan.end = BlockSchedule::Jump;
    plan.next[0] = loop->getHeader();
    return;
  }
  auto with_deferred = [&](std::initializer_list<const llvm::BasicBlock*> targets) {
    Set all = deferred;
    for (const llvm::BasicBlock* target : targets) all.insert(layout_.index(landing(block, target)));
    return next_of(all);
  };
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
  if (!branch) {
    if (!deferred.empty()) throw NotVectorizable("work-items return at different places");
    return;
  }
  plan.end = BlockSchedule::Jump;
  if (branch->isUnconditional()) {
    plan.next[0] = with_deferred({branch->getSuccessor(0)});
  } else if (divergence_.is_divergent_branch(block)) {
    plan.next[0] = with_deferred({branch->getSuccessor(0), branch->getSuccessor(1)});
  } else {
    plan.end = BlockSchedule::Branch;
    plan.next[0] = with_deferred({branch->getSuccessor(0)});
    plan.next[1] = with_deferred({branch->getSuccessor(1)});
  }
}

void Schedule::plan_latch(const llvm::Loop* loop, const Set& deferred) {
  Set after = deferred;
  llvm::SmallVector<llvm::BasicBlock*> exits;
  loop->getUniqueExitBlocks(exits);
  for (llvm::BasicBlock* exit : exits) after.insert(layout_.index(landing(loop->getLoopPreheader(), exit)));
  BlockSchedule& plan = blocks_[layout_.index(loop->getLoopLatch())];
  plan.end = BlockSchedule::Latch;
  plan.next[0] = loop->getHeader();
  plan.next[1] = next_of(after);
}

namespace {

// Can the schedule come from `from` to `to` around `around`?
bool reaches_around(const Schedule& schedule, const llvm::BasicBlock* from, const llvm::BasicBlock* to,
                    const llvm::BasicBlock* around) {
  std::vector<const llvm::BasicBlock*> open{from};
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> seen;
  while (!open.empty()) {
    const llvm::BasicBlock* block = open.back();
    open.pop_back();
    if (block == to) return true;
    if (block == around || !seen.insert(block).second) continue;
    const BlockSchedule& plan = schedule.of(block);
    for (const llvm::BasicBlock* next : {plan.next[0], plan.next[1], plan.skip})
      if (next) open.push_back(next);
  }
  return false;
}

// Behind a branch that is the same for all, does the schedule come here, for the sake of others, when it went the other
// way?
bool is_reached_untaken(const Schedule& schedule, const llvm::BasicBlock* block) {
  const llvm::BasicBlock* before = block->getSinglePredecessor();
  if (!before || schedule.of(before).end != BlockSchedule::Branch) return false;
  const unsigned other = before->getTerminator()->getSuccessor(0) == block ? 1 : 0;
  return reaches_around(schedule, schedule.of(before).next[other], block, before);
}

} // namespace

void gather_unreached_masks(const FunctionLayout& layout, MaskPlan& masks, const Schedule& schedule) {
  for (const llvm::BasicBlock* block : layout.order())
    if (masks.source(block) != block && (is_reached_untaken(schedule, block) ||
                                         reaches_around(schedule, layout.order().front(), block, masks.source(block))))
      masks.gather(block);
}

} // namespace zeroth::codegen
