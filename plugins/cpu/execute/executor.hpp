// The threads of the device. They spin for a while after work, then one of them dozes (looks every few dozen
// microseconds), the others park; in the end all park and cost nothing.
//
// Why this ladder: waking a parked thread costs the waker a system call and tens of microseconds of delay, a hand-off
// to a spinning one a fraction of a microsecond. A host thread that waits does the work itself, so for a program that
// waits after each command no thread needs to be woken at all; the dozing worker is there for programs that do not
// wait.
//
// Threads: everything from any thread. Ownership: an executor is never destroyed once it has started threads (they may
// outlive main); after fork() a child makes a new one.
#pragma once
#include "job_board.hpp"
#include "run_queue.hpp"
#include "runnable.hpp"
#include "worker.hpp"

#include <mutex>

namespace zeroth::cpu {

class Executor {
public:
  struct Options {
    unsigned threads = 0;              // 0: one per usable core
    std::uint64_t spin_ns = 20'000;    // after the last work
    std::uint64_t doze_ns = 2'000'000; // after the last work
    std::uint64_t nap_ns = 50'000;     // between two looks of the dozing worker
    std::uint64_t call_ns = 40'000;    // from a submission until the sentinel looks
  };

  explicit Executor(const Options& options);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  unsigned threads() const { return threads_; }
  // Where the system gives no threads, host threads that wait are the only ones who execute.
  bool abandoned() const { return running_.load(std::memory_order_acquire) && started_threads_.load() == 0; }
  JobBoard& board() { return board_; }

  // Puts a runnable in state Ready where workers find it. Never runs it.
  void submit(Runnable& runnable);

  // More threads are welcome on a job just published: `count` of them, woken if they sleep.
  void call_for_help(unsigned count);

  // The scratch of the calling host thread.
  Worker& worker_of_this_thread();

private:
  static constexpr std::size_t QueueCapacity = 4096;
  static constexpr unsigned MostThreads = 255; // what one job can count

  void start_threads();
  void thread_main();
  bool work_once(Worker& worker);
  bool work_visible() const { return queue_.maybe_filled() || board_.maybe_filled(); }
  void rest();
  bool look_for(std::uint64_t nanoseconds) const;
  bool doze();
  void park();
  void keep_watch();
  void set_timer(std::uint64_t nanoseconds);
  void wake(unsigned count);

  const Options options_;
  const unsigned threads_;
  JobBoard board_;
  RunQueue<Runnable, QueueCapacity> queue_;
  std::once_flag started_;
  std::atomic<unsigned> started_threads_{0};
  std::atomic<bool> running_{false};
  alignas(64) std::atomic<std::uint32_t> awake_{0}; // spinning or dozing: will look again without being woken
  std::atomic<std::uint32_t> spinning_{0};
  std::atomic<bool> dozing_{false};
  alignas(64) std::atomic<std::uint32_t> parked_{0};
  std::atomic<std::uint32_t> wakes_{0}; // the futex that sleepers watch
  std::atomic<bool> watched_{false};    // a sentinel sleeps on the timer
  std::atomic<bool> timer_set_{false};  // and will wake before long
  int timer_ = -1;                      // no sentinel without
};

} // namespace zeroth::cpu
