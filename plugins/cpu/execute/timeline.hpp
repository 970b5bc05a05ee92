// A counter that only grows, and those who wait for it to reach a value: the progress of a flow of commands, and what
// counter-based events point at. Timelines are recycled, never freed, and never count backwards: a stale pointer with
// an old value simply reads as reached.
//
// Threads: advance() by one thread at a time; everything else from any.
#pragma once
#include "sync_word.hpp"

namespace zeroth::cpu {

class Timeline {
public:
  Timeline() = default;
  std::uint64_t value() const { return value_.load(std::memory_order_acquire); }
  bool reached(std::uint64_t target) const { return value() >= target; }
  const void* address() const { return &value_; } // where programs may read it
  bool is_list_progress() const { return list_progress_; }

  void advance(std::uint64_t to) {
    value_.store(to, std::memory_order_seq_cst);
    notice(to);
  }

  // The same for several threads that each finish one unit.
  void add_one() { notice(value_.fetch_add(1, std::memory_order_seq_cst) + 1); }

  // As SyncWord::await.
  bool await(Waiter& waiter, std::uint64_t target);
  bool sleep_until(std::uint64_t target, std::uint64_t deadline);

protected:
  explicit Timeline(bool list_progress) : list_progress_(list_progress) {}

private:
  void notice(std::uint64_t reached) {
    if (waiters_.load(std::memory_order_seq_cst)) [[unlikely]]
      release_waiters();
    if (reached >= sleep_target_.load(std::memory_order_seq_cst)) [[unlikely]]
      wake_sleepers();
  }
  void push(Waiter& waiter);
  void release_waiters();
  void wake_sleepers();

  std::atomic<std::uint64_t> value_{0};
  std::atomic<Waiter*> waiters_{nullptr};
  std::atomic<std::uint64_t> sleep_target_{Forever}; // the lowest value that a sleeping host thread wants
  std::atomic<std::uint32_t> wakes_{0};
  const bool list_progress_ = false; // of a recorded list (ListProgress)
};

} // namespace zeroth::cpu
