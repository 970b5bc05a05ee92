// How far the executions of a recorded list have come: a timeline that each of its signalling commands advances by one,
// and where on it the execution stands that others mean when they wait for the list's k-th signal.
//
// Threads: the list's writes, anybody reads. Never freed: events and recorded waits may point at one whose list is
// gone.
#pragma once
#include "../execute/timeline.hpp"

namespace zeroth::cpu {

class ListProgress final : public Timeline {
public:
  // One that no list uses.
  static ListProgress& take();
  void give_back();

  // The list's signals are other ones from now on.
  void begin_recording(std::uint64_t next);
  void add_signal() { signals_.fetch_add(1, std::memory_order_relaxed); }
  // An execution is submitted whose first signal is number `first`.
  void begin_execution(std::uint64_t first) { begun_.store(first, std::memory_order_release); }

  std::uint32_t recording() const { return recording_.load(std::memory_order_acquire); }
  // Which signal of the execution that was submitted last, or is to come, has this number; 0 for those of earlier ones.
  std::uint64_t signal_at(std::uint64_t number) const;
  // The number of the k-th signal of the execution that was submitted last; of the first to come if none was.
  std::uint64_t number_of(std::uint64_t signal) const { return begun_.load(std::memory_order_acquire) + signal - 1; }

private:
  ListProgress() : Timeline(true) {}

  std::atomic<std::uint64_t> begun_{1}, signals_{0};
  std::atomic<std::uint32_t> recording_{0};
};

} // namespace zeroth::cpu
