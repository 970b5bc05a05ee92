// A piece of progress that at most one thread drives at a time: a flow of commands, or one detached command.
//
//   Idle ──make_ready──▶ Ready ──claim──▶ Running ──▶ Idle
//                          ▲                 │
//                          └── make_ready ── Suspended     (a parallel job ended elsewhere)
//                                            Waiting       (a signal arrived; only the world outside is sure to bring
//                                            it)
//
// Only Ready can be claimed, by a worker that found it in the run queue or by a host thread that waits for it. An entry
// in the run queue is only a hint: a runnable has at most one there, and it may be stale.
#pragma once
#include <atomic>
#include <cstdint>

namespace zeroth::cpu {

class Worker;

class Runnable {
public:
  enum class State : std::uint32_t { Idle, Ready, Running, Suspended, Waiting };

  // Which of several that are Ready a worker takes first.
  enum class Priority : std::uint8_t { High, Normal, Low };
  Priority priority() const { return priority_.load(std::memory_order_relaxed); }
  void set_priority(Priority priority) { priority_.store(priority, std::memory_order_relaxed); }

  bool claim() {
    State expected = State::Ready;
    return state_.compare_exchange_strong(expected, State::Running, std::memory_order_acq_rel);
  }

  // Drives the claimed runnable as far as it gets. Afterwards it may belong to someone else: do not touch it.
  virtual void run(Worker& worker) = 0;

protected:
  ~Runnable() = default;

  std::atomic<State> state_{State::Idle};

private:
  friend class Executor;
  std::atomic<bool> queued_{false};
  std::atomic<Priority> priority_{Priority::Normal};
};

} // namespace zeroth::cpu
