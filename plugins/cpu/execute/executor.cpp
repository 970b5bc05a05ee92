#include "executor.hpp"

#include "floating_point.hpp"
#include "futex.hpp"

#include <sdk/log.hpp>

#include <algorithm>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace zeroth::cpu {

Executor::Executor(const Options& options)
    : options_(options), threads_(std::clamp<unsigned>(options.threads         ? options.threads
                                                       : options.cores.empty() ? usable_cores().size()
                                                                               : options.cores.size(),
                                                       1u, MostThreads)),
      board_(threads_) {}

// A host thread may wait for several devices in turn, and once more from a destructor that runs after this thread's own
// objects have gone: it then gets scratch that nobody frees.
Worker& Executor::worker_of_this_thread() {
  struct Own {
    Executor* of;
    std::unique_ptr<Worker> worker;
  };
  using All = std::vector<Own>;
  static constinit thread_local All* all = nullptr;
  struct Owner {
    ~Owner() { delete std::exchange(all, nullptr); }
  };
  static thread_local Owner owner;
  (void)owner;
  if (!all) all = new All;
  for (Own& own : *all)
    if (own.of == this) return *own.worker;
  return *all->emplace_back(Own{this, std::make_unique<Worker>(*this)}).worker;
}

void Executor::take_place(unsigned number) const {
  if (options_.cores.empty() && !options_.pin) return;
  const CoreSet cores = options_.cores.empty() ? usable_cores() : options_.cores;
  const bool placed = run_on(options_.pin ? CoreSet{cores[number % cores.size()]} : cores);
  if (!placed) log(Level::Warning, "worker {} could not be bound to its cores", number);
}

bool Executor::start_thread() {
  try {
    const unsigned number = alive_.fetch_add(1, std::memory_order_relaxed);
    std::thread([this, number] { thread_main(number); }).detach();
    return true;
  } catch (const std::system_error& error) {
    alive_.fetch_sub(1, std::memory_order_relaxed);
    log(Level::Error, "{} of {} worker threads could be started: {}", alive_.load(), threads_, error.what());
    return false;
  }
}

void Executor::start_threads() {
  for (unsigned i = 0; i < threads_ && start_thread(); ++i) {
  }
  try {
    std::thread([this] { guard(); }).detach();
  } catch (const std::system_error&) { // as long as no kernel waits for another one nothing is lost
  }
  running_.store(true, std::memory_order_release);
}

void Executor::submit(Runnable& runnable) {
  if (runnable.queued_.exchange(true, std::memory_order_seq_cst)) return; // the entry already there will find it Ready
  const Runnable::Priority priority = runnable.priority();
  if (priority == Runnable::Priority::Normal) [[likely]]
    queue_.push(&runnable);
  else
    (priority == Runnable::Priority::High ? high_ : low_).push(&runnable);
  if (!running_.load(std::memory_order_acquire)) [[unlikely]]
    std::call_once(started_, [this] { start_threads(); });
  // All of these are sequentially consistent: either the worker that stops looking sees the entry, or we see it
  // stopped.
  if (awake_.load(std::memory_order_seq_cst) != 0) {
    if (priority == Runnable::Priority::High) [[unlikely]]
      hurry();
    return;
  }
  if (parked_.load(std::memory_order_seq_cst) != 0) return wake(1);
  alarm(); // all are at work
}

bool Executor::call_for_help(unsigned count) {
  if (!running_.load(std::memory_order_acquire)) [[unlikely]]
    std::call_once(started_, [this] { start_threads(); });
  const unsigned spinning = spinning_.load(std::memory_order_seq_cst);
  const unsigned asleep = parked_.load(std::memory_order_seq_cst) + dozing_.load(std::memory_order_seq_cst);
  if (count > spinning && asleep) wake(std::min(count - spinning, asleep));
  return spinning || asleep;
}

void Executor::wake(unsigned count) {
  wakes_.fetch_add(1, std::memory_order_seq_cst);
  futex::wake(&wakes_, static_cast<int>(count));
}

void Executor::thread_main(unsigned number) {
  take_place(number);
  const DefaultFloatingPoint environment; // a thread begins with that of the one who started it
  Worker worker(*this);
  for (;;) {
    if (work_once(worker)) continue;
    worker.trim();
    if (retire()) return;
    rest();
  }
}

// The highest first, but now and then the lowest: nobody waits for ever.
Runnable* Executor::take_ready() {
  constexpr std::uint64_t Turns = 16;
  if (taken_.load(std::memory_order_relaxed) % Turns == 0) {
    if (Runnable* low = low_.pop()) return low;
    if (Runnable* normal = queue_.pop()) return normal;
  }
  if (Runnable* high = high_.pop()) return high;
  if (Runnable* normal = queue_.pop()) return normal;
  return low_.pop();
}

bool Executor::work_once(Worker& worker) {
  if (Runnable* runnable = take_ready()) {
    taken_.fetch_add(1, std::memory_order_relaxed);
    // Cleared before the claim: whoever makes it Ready after this queues it again.
    runnable->queued_.store(false, std::memory_order_seq_cst);
    if (runnable->claim()) {
      if (any_ready() && !call_for_help(1)) alarm();
      runnable->run(worker);
    }
    return true;
  }
  JobBoard::Pass pass;
  if (!board_.join_any(pass)) return false;
  taken_.fetch_add(1, std::memory_order_relaxed);
  if (Job* job = board_.work(worker, pass)) job->ended(worker);
  return true;
}

bool Executor::look_for(std::uint64_t nanoseconds) const {
  const std::uint64_t end = now() + nanoseconds;
  do {
    for (int i = 0; i < 32; ++i) {
      if (work_visible()) return true;
      pause_briefly();
    }
  } while (now() < end);
  return false;
}

void Executor::rest() {
  // One core is left to the host thread: on it, spinning would only take time from the one who makes work.
  awake_.fetch_add(1, std::memory_order_seq_cst);
  bool found = false;
  if (spinning_.fetch_add(1, std::memory_order_seq_cst) + 1 < threads_) found = look_for(options_.spin_ns);
  spinning_.fetch_sub(1, std::memory_order_seq_cst);
  if (!found && !dozing_.exchange(true, std::memory_order_seq_cst)) {
    found = doze();
    dozing_.store(false, std::memory_order_seq_cst);
  }
  awake_.fetch_sub(1, std::memory_order_seq_cst);
  if (!found) park();
}

// Naps are a sixteenth of the time since the last work: the longer nothing came, the later it may be noticed.
bool Executor::doze() {
  const std::uint64_t begin = now();
  for (std::uint64_t time = begin; time < begin + options_.doze_ns; time = now()) {
    const std::uint32_t wakes = wakes_.load(std::memory_order_seq_cst);
    if (work_visible()) return true;
    const std::uint64_t wish = board_.crowded() ? options_.longest_nap_ns : (time - begin) / 16;
    const std::uint64_t nap = std::clamp(wish, options_.shortest_nap_ns, options_.longest_nap_ns);
    futex::sleep(&wakes_, wakes, time + nap);
    if (work_visible()) return true;
  }
  return false;
}

void Executor::park() {
  const std::uint32_t wakes = wakes_.load(std::memory_order_seq_cst);
  parked_.fetch_add(1, std::memory_order_seq_cst);
  if (!work_visible()) futex::sleep(&wakes_, wakes, Forever);
  parked_.fetch_sub(1, std::memory_order_seq_cst);
}

// True: this thread is one too many and has signed off.
bool Executor::retire() {
  unsigned alive = alive_.load(std::memory_order_relaxed);
  while (alive > threads_)
    if (alive_.compare_exchange_weak(alive, alive - 1, std::memory_order_seq_cst)) return true;
  return false;
}

void Executor::alarm() {
  if (alarmed_.load(std::memory_order_seq_cst) == 0 && alarmed_.exchange(1, std::memory_order_seq_cst) == 0)
    futex::wake(&alarmed_, 1);
}

// Work waits, no thread has taken anything up since the last look, and none is about to.
bool Executor::starved(std::uint64_t& last_taken) const {
  const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
  const bool still = taken == last_taken;
  last_taken = taken;
  return still && (any_ready() || board_.urgent()) && awake_.load(std::memory_order_seq_cst) == 0 &&
         parked_.load(std::memory_order_seq_cst) == 0;
}

// Each further thread takes twice the patience: long kernels are no reason to have a thread for each.
void Executor::have_patience() const {
  const unsigned alive = alive_.load(std::memory_order_relaxed);
  const std::uint64_t time = options_.patience_ns << std::min(alive > threads_ ? alive - threads_ : 0, 6u);
  const timespec patience{static_cast<time_t>(time / 1'000'000'000), static_cast<long>(time % 1'000'000'000)};
  nanosleep(&patience, nullptr);
}

void Executor::guard() {
  std::uint64_t last_taken = 0;
  for (;;) {
    futex::sleep(&alarmed_, 0, Forever);
    if (alarmed_.load(std::memory_order_seq_cst) == 0) continue;
    starved(last_taken);
    for (bool waits = true; waits;) {
      have_patience();
      if (starved(last_taken) && alive_.load(std::memory_order_relaxed) < threads_ + MostExtra) start_thread();
      // Off duty before the last look: whoever submits after it alarms again.
      alarmed_.store(0, std::memory_order_seq_cst);
      waits = any_ready() || board_.urgent();
      if (waits) alarmed_.store(1, std::memory_order_seq_cst);
    }
  }
}

} // namespace zeroth::cpu
