// What one executing thread owns: scratch memory for kernels and the stacks of its barrier fibers.
// A pool thread has one for life; a host thread that helps gets its own on first use (Worker::of_this_thread).
#pragma once
#include "../memory/pages.hpp"

#include <kernel_compiler/kernel_abi.h>

#include "clock.hpp"

#include <cstddef>
#include <memory>

namespace zeroth::cpu {

class Executor;
class RoomyStack;
class SliceGroup;
struct Goal;

// Beyond it scratch memory and stacks go when there is no work.
inline constexpr std::size_t KeptScratch = std::size_t{64} << 20;

// Memory that grows to the largest request and stays. Contents do not survive growth.
class GrowingBuffer {
public:
  ~GrowingBuffer() { release(); }
  GrowingBuffer() = default;
  GrowingBuffer(const GrowingBuffer&) = delete;
  GrowingBuffer& operator=(const GrowingBuffer&) = delete;

  std::uint8_t* at_least(std::size_t bytes) {
    if (bytes > size_) [[unlikely]]
      grow(bytes);
    return base_;
  }

  void trim() noexcept {
    if (size_ > KeptScratch) release();
  }

private:
  void grow(std::size_t bytes);
  void release() noexcept;

  std::uint8_t* base_ = nullptr;
  std::size_t size_ = 0;
};

class Worker {
public:
  explicit Worker(Executor& executor);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Executor& executor() { return executor_; }

  // The view that compiled code gets, with at least these many bytes behind it. Throws std::bad_alloc.
  zeroth_worker& view(std::size_t local_bytes, std::size_t scratch_bytes) {
    view_.local_memory = local_.at_least(local_bytes);
    view_.scratch = scratch_.at_least(scratch_bytes);
    view_.local_bytes = local_bytes;
    view_.scratch_bytes = scratch_bytes;
    return view_;
  }

  SliceGroup& slices() { return *slices_; }
  RoomyStack& roomy_stack() { return *roomy_stack_; }
  // Gives back what only a huge kernel needed; called between pieces of work.
  void trim() noexcept;

  // A host thread that helps while it waits begins nothing beyond what it waits for, and if it must be back at some time
  // only what surely ends before.
  bool bounded() const { return goal_ || leave_by_ != Forever; }
  std::uint64_t leave_by() const { return leave_by_; }
  const Goal* goal() const { return goal_; } // null: the end of all there is
  void give_up() { gave_up_ = true; } // the next command is not for this thread
  bool gave_up() const { return gave_up_; }
  class Bounds {
  public:
    Bounds(Worker& worker, std::uint64_t leave_by, const Goal* goal) : worker_(worker) {
      worker.leave_by_ = leave_by;
      worker.goal_ = goal;
      worker.gave_up_ = false;
    }
    ~Bounds() {
      worker_.leave_by_ = Forever;
      worker_.goal_ = nullptr;
    }
    Bounds(const Bounds&) = delete;
    Bounds& operator=(const Bounds&) = delete;

  private:
    Worker& worker_;
  };
  static Worker& of(zeroth_worker& view) { return *static_cast<Worker*>(view.device_data); }

private:
  Executor& executor_;
  zeroth_worker view_{};
  GrowingBuffer local_, scratch_;
  std::unique_ptr<SliceGroup> slices_;
  std::unique_ptr<RoomyStack> roomy_stack_;
  std::uint64_t leave_by_ = Forever;
  const Goal* goal_ = nullptr;
  bool gave_up_ = false;
};

} // namespace zeroth::cpu
