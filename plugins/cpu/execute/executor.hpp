// The threads of the device. They spin for a while after work, then one of them dozes (looks now and then, ever more
// rarely), the others park; two seconds after the last work all are parked and cost nothing.
//
// Why this ladder: waking a parked thread costs the waker a system call and tens of microseconds of delay, a hand-off
// to a spinning one a fraction of a microsecond. A host thread that waits does the work itself, so for a program that
// waits after each command no thread needs to be woken at all; the dozing worker is there for programs that do not
// wait. Who waits and may not do the work itself, or asks whether it is done, wakes the dozing one (hurry).
//
// A kernel may run for ever, or poll a word that another list's kernel writes. So when nobody has taken up waiting work
// for a while, since all threads are inside kernels, a guardian starts one more; it goes when there is no work for it.
//
// Threads: everything from any thread. Ownership: an executor is never destroyed once it has started threads (they may
// outlive main); after fork() a child makes a new one.
#pragma once
#include "../platform/core_sets.hpp"
#include "job_board.hpp"
#include "run_queue.hpp"
#include "runnable.hpp"
#include "worker.hpp"

#include <mutex>

namespace zeroth::cpu {

class Executor {
public:
  struct Options {
    unsigned threads = 0;                  // 0: one per core
    CoreSet cores = {};                    // that threads may use; empty: those of the process
    bool pin = false;                      // each thread to a core of its own, in turn
    std::uint64_t spin_ns = 20'000;        // after the last work
    std::uint64_t doze_ns = 2'000'000'000; // after the last work
    std::uint64_t shortest_nap_ns = 50'000, longest_nap_ns = 1'000'000;
    std::uint64_t patience_ns = 10'000'000; // of the guardian with work that nobody takes
  };

  explicit Executor(const Options& options);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  unsigned threads() const { return threads_; }
  // Where the system gives no threads, host threads that wait are the only ones who execute.
  bool abandoned() const { return running_.load(std::memory_order_acquire) && alive_.load() == 0; }
  JobBoard& board() { return board_; }

  // Puts a runnable in state Ready where workers find it. Never runs it.
  void submit(Runnable& runnable);

  // More threads are welcome on a job just published: `count` of them, woken if they sleep. False: none is free.
  bool call_for_help(unsigned count);

  // Somebody waits for work that is queued: a worker that only looks now and then shall look now.
  void hurry() {
    if (any_ready() && spinning_.load(std::memory_order_seq_cst) == 0 && dozing_.load(std::memory_order_seq_cst))
      wake(1);
  }

  // Some job must get all its threads at once: the guardian makes sure of it.
  void expect_all_threads() { alarm(); }

  // The scratch of the calling host thread.
  Worker& worker_of_this_thread();

private:
  static constexpr std::size_t QueueCapacity = 4096;
  static constexpr unsigned MostThreads = 255; // what one job can count
  static constexpr unsigned MostExtra = 1024;  // beyond it a program of polling kernels waits for itself

  void start_threads();
  void thread_main(unsigned number);
  void take_place(unsigned number) const;
  bool work_once(Worker& worker);
  Runnable* take_ready();
  bool any_ready() const { return queue_.maybe_filled() || high_.maybe_filled() || low_.maybe_filled(); }
  bool work_visible() const { return any_ready() || board_.maybe_filled(); }
  void rest();
  bool look_for(std::uint64_t nanoseconds) const;
  bool doze();
  void park();
  void wake(unsigned count);
  bool start_thread();
  bool retire();
  void alarm();
  void guard();
  void have_patience() const;
  bool starved(std::uint64_t& last_taken) const;

  const Options options_;
  const unsigned threads_;
  JobBoard board_;
  RunQueue<Runnable, QueueCapacity> queue_;
  RunQueue<Runnable, 256> high_, low_; // of priorities that few ask for
  std::once_flag started_;
  std::atomic<bool> running_{false};
  std::atomic<unsigned> alive_{0};                  // threads; more than `threads_` when kernels hold so many
  alignas(64) std::atomic<std::uint32_t> awake_{0}; // spinning or dozing: will look again without being woken
  std::atomic<std::uint32_t> spinning_{0};
  std::atomic<bool> dozing_{false};
  alignas(64) std::atomic<std::uint32_t> parked_{0};
  std::atomic<std::uint32_t> wakes_{0};             // the futex that sleepers watch
  alignas(64) std::atomic<std::uint64_t> taken_{0}; // work that threads have taken up
  std::atomic<std::uint32_t> alarmed_{0};           // the futex of the guardian: 1 while it watches
};

} // namespace zeroth::cpu
