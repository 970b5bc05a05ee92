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
class SliceGroup;

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
  // Gives back what only a huge kernel needed; called between pieces of work.
  void trim() noexcept;

  // A host thread that must be back at some time runs only what surely ends before.
  std::uint64_t leave_by() const { return leave_by_; }
  void give_up() { gave_up_ = true; } // the next piece would take too long
  bool gave_up() const { return gave_up_; }
  class LeaveBy {
  public:
    LeaveBy(Worker& worker, std::uint64_t time) : worker_(worker), before_(worker.leave_by_) {
      worker.leave_by_ = time;
      worker.gave_up_ = false;
    }
    ~LeaveBy() { worker_.leave_by_ = before_; }
    LeaveBy(const LeaveBy&) = delete;
    LeaveBy& operator=(const LeaveBy&) = delete;

  private:
    Worker& worker_;
    std::uint64_t before_;
  };
  static Worker& of(zeroth_worker& view) { return *static_cast<Worker*>(view.device_data); }

private:
  Executor& executor_;
  zeroth_worker view_{};
  GrowingBuffer local_, scratch_;
  std::unique_ptr<SliceGroup> slices_;
  std::uint64_t leave_by_ = Forever;
  bool gave_up_ = false;
};

} // namespace zeroth::cpu
