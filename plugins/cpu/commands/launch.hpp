// The launch of a kernel over its groups.
#pragma once
#include "parallel.hpp"

#include <kernel_compiler/client/kernel_compiler.hpp>

namespace zeroth::cpu {

// How long a group of a kernel takes, learnt from its runs; decides whether a launch is worth sharing. One per kernel
// code; racing updates may lose a sample, which does no harm.
class CostEstimate {
public:
  std::uint64_t picoseconds() const { return picoseconds_.load(std::memory_order_relaxed); } // 0: not known
  void learn(std::uint64_t nanoseconds, std::uint64_t groups);
  // True for the first launches and then now and then.
  bool wants_sample() { return (tick_.fetch_add(1, std::memory_order_relaxed) & 31) == 0 || picoseconds() == 0; }

private:
  std::atomic<std::uint64_t> picoseconds_{0};
  std::atomic<std::uint32_t> tick_{0};
};

// What all launches of a kernel share. The code in the slot may be exchanged for faster code while launches run.
struct KernelCode {
  const compiler::KernelSlot* slot = nullptr;
  CostEstimate cost;
};

struct LaunchShape {
  const compiler::KernelInfo* code = nullptr; // that scratch and slices are laid out for
  std::uint64_t groups = 0;
  std::size_t local_bytes = 0, scratch_bytes = 0;
  std::uint32_t slices = 0;    // per group, for barrier fibers; 0: none
  std::size_t slice_stack = 0; // bytes that each needs
  std::size_t roomy_stack = 0; // bytes of stack for the whole kernel; 0: any thread's own will do
  bool cooperative = false;    // all groups run at once

  // Lays scratch and slices out for groups of so many work-items.
  void fit_to(const compiler::KernelInfo& info, std::uint64_t group_items);
};

// zeroth_launch::work_dim of a launch.
inline std::uint32_t work_dimensions(const std::uint32_t (&size)[3], const std::uint32_t (&count)[3]) {
  if (size[2] > 1 || count[2] > 1) return 3;
  return size[1] > 1 || count[1] > 1 ? 2 : 1;
}

class LaunchCommand final : public ParallelCommand {
public:
  LaunchCommand(KernelCode& code, const zeroth_launch& launch, const LaunchShape& shape);

  Step start(Worker& worker, Continuation& owner) override;
  void run_units(Worker& worker, std::uint64_t first, std::uint64_t end) override;

  // Every group on a thread of its own; there must be no more groups than threads.
  Step start_at_once(Worker& worker, Continuation& owner);

private:
  void run_groups(Worker& worker, std::uint64_t first, std::uint64_t end);
  void enter(Worker& worker, const LaunchShape& shape, std::uint64_t first, std::uint64_t end);
  void run_exchanged(Worker& worker, const compiler::KernelInfo& code, std::uint64_t first, std::uint64_t end);
  Step share_groups(Worker& worker, Continuation& owner, std::uint64_t cost);

  KernelCode& code_;
  zeroth_launch launch_;
  LaunchShape shape_;
  std::uint64_t unit_ = 1; // groups per unit of the shared job
};

// Reads its group counts when it runs.
class IndirectLaunchCommand final : public ParallelCommand {
public:
  IndirectLaunchCommand(KernelCode& code, const zeroth_launch& launch, const LaunchShape& shape,
                        const std::uint32_t* counts, const std::uint32_t* enabled, std::uint32_t index)
      : code_(code), launch_(launch), shape_(shape), counts_(counts), enabled_(enabled), index_(index) {}

  Step start(Worker& worker, Continuation& owner) override;
  void run_units(Worker&, std::uint64_t, std::uint64_t) override {}

private:
  KernelCode& code_;
  zeroth_launch launch_;
  LaunchShape shape_;
  const std::uint32_t* counts_;
  const std::uint32_t* enabled_; // null, or where the number of launches stands of which this is the index-th
  std::uint32_t index_;
  alignas(LaunchCommand) std::byte launch_room_[sizeof(LaunchCommand)];
};

} // namespace zeroth::cpu
