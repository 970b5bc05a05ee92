// Partial linearisation: in which order a slice runs the blocks of a kernel. Branches that are the same for the whole
// slice stay branches. Where work-items part, the slice runs one side after the other, each under its mask; what has
// still to be run is carried along ("deferred") until it is the next in order. A block may be skipped when none of its
// work-items is active.
#pragma once

#include "mask_plan.hpp"

#include <functional>
#include <set>

namespace zeroth::codegen {

struct BlockSchedule {
  enum End : uint8_t {
    Return,
    Jump,   // to next[0]
    Branch, // on the original condition: next[0] when true, else next[1]
    Latch   // of a divergent loop: next[0] (the header) while any work-item is live, else next[1]
  } end = Return;
  const llvm::BasicBlock* next[2] = {nullptr, nullptr};
  const llvm::BasicBlock* skip = nullptr; // where to go when no work-item is active; null: always run
};

class Schedule {
public:
  // `wants_guard` says for a block whether it must not (or should not) run without an active work-item.
  Schedule(const FunctionLayout& layout, const Divergence& divergence,
           const std::function<bool(const llvm::BasicBlock*)>& wants_guard);

  const BlockSchedule& of(const llvm::BasicBlock* block) const { return blocks_[layout_.index(block)]; }

  // Where an edge leads in the schedule: an edge that leaves a divergent loop leads to that loop's latch.
  const llvm::BasicBlock* landing(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const;

private:
  using Set = std::set<unsigned>;
  void plan(const llvm::BasicBlock* block, bool wants_guard);
  void plan_latch(const llvm::Loop* loop, const Set& deferred);
  const llvm::BasicBlock* next_of(Set targets);

  const FunctionLayout& layout_;
  const Divergence& divergence_;
  std::vector<BlockSchedule> blocks_;
  std::vector<Set> deferred_;
};

// Blocks that the schedule may reach without having been at the source of their mask, or without having taken the way
// from there to them, gather their own.
void gather_unreached_masks(const FunctionLayout& layout, MaskPlan& masks, const Schedule& schedule);

} // namespace zeroth::codegen
