#include "executor.hpp"

#include "futex.hpp"

#include <sdk/log.hpp>

#include <algorithm>
#include <sched.h>
#include <sys/timerfd.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace zeroth::cpu {

namespace {

unsigned usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

} // namespace

Executor::Executor(const Options& options)
    : options_(options), threads_(std::clamp(options.threads ? options.threads : usable_cores(), 1u, MostThreads)),
      board_(threads_) {}

Worker& Executor::worker_of_this_thread() {
  struct Own {
    Executor* of = nullptr;
    std::unique_ptr<Worker> worker;
  };
  thread_local Own own;
  if (own.of != this) {
    own.worker = std::make_unique<Worker>(*this);
    own.of = this;
  }
  return *own.worker;
}

void Executor::start_threads() {
  timer_ = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  try {
    for (; started_threads_ < threads_; ++started_threads_) std::thread([this] { thread_main(); }).detach();
  } catch (const std::system_error& error) {
    log(Level::Error, "{} of {} worker threads could be started: {}", started_threads_.load(), threads_, error.what());
  }
  running_.store(true, std::memory_order_release);
}

void Executor::submit(Runnable& runnable) {
  if (runnable.queued_.exchange(true, std::memory_order_seq_cst)) return; // the entry already there will find it Ready
  queue_.push(&runnable);
  if (!running_.load(std::memory_order_acquire)) [[unlikely]]
    std::call_once(started_, [this] { start_threads(); });
  // All of these are sequentially consistent: either the worker that stops looking sees the entry, or we see it
  // stopped.
  if (awake_.load(std::memory_order_seq_cst) != 0 || parked_.load(std::memory_order_seq_cst) == 0) return;
  if (!watched_.load(std::memory_order_seq_cst)) return wake(1);
  if (!timer_set_.exchange(true, std::memory_order_seq_cst)) set_timer(options_.call_ns);
}

void Executor::call_for_help(unsigned count) {
  if (!running_.load(std::memory_order_acquire)) [[unlikely]]
    std::call_once(started_, [this] { start_threads(); });
  const unsigned spinning = spinning_.load(std::memory_order_seq_cst);
  const unsigned asleep = parked_.load(std::memory_order_seq_cst) + dozing_.load(std::memory_order_seq_cst);
  if (count > spinning && asleep) wake(std::min(count - spinning, asleep));
}

void Executor::wake(unsigned count) {
  if (watched_.load(std::memory_order_seq_cst)) {
    timer_set_.store(true, std::memory_order_seq_cst);
    set_timer(1);
    --count;
  }
  wakes_.fetch_add(1, std::memory_order_seq_cst);
  if (count) futex::wake(&wakes_, static_cast<int>(count));
}

void Executor::set_timer(std::uint64_t nanoseconds) {
  const itimerspec once{{0, 0}, {0, static_cast<long>(nanoseconds)}};
  timerfd_settime(timer_, 0, &once, nullptr);
}

void Executor::thread_main() {
  Worker worker(*this);
  for (;;)
    if (!work_once(worker)) rest();
}

bool Executor::work_once(Worker& worker) {
  if (Runnable* runnable = queue_.pop()) {
    // Cleared before the claim: whoever makes it Ready after this queues it again.
    runnable->queued_.store(false, std::memory_order_seq_cst);
    if (runnable->claim()) {
      if (queue_.maybe_filled()) call_for_help(1);
      runnable->run(worker);
    }
    return true;
  }
  JobBoard::Pass pass;
  if (!board_.join_any(pass)) return false;
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

bool Executor::doze() {
  const std::uint64_t end = now() + options_.doze_ns;
  while (now() < end) {
    const std::uint32_t wakes = wakes_.load(std::memory_order_seq_cst);
    if (work_visible()) return true;
    futex::sleep(&wakes_, wakes, now() + options_.nap_ns);
    if (work_visible()) return true;
  }
  return false;
}

void Executor::park() {
  if (timer_ >= 0 && !watched_.exchange(true, std::memory_order_seq_cst)) return keep_watch();
  const std::uint32_t wakes = wakes_.load(std::memory_order_seq_cst);
  parked_.fetch_add(1, std::memory_order_seq_cst);
  if (!work_visible()) futex::sleep(&wakes_, wakes, Forever);
  parked_.fetch_sub(1, std::memory_order_seq_cst);
}

// A timer set before the mark is taken back only costs one idle round; one set after it is read here.
void Executor::keep_watch() {
  parked_.fetch_add(1, std::memory_order_seq_cst);
  if (!work_visible()) {
    std::uint64_t expirations;
    [[maybe_unused]] const auto read_bytes = read(timer_, &expirations, sizeof expirations);
  }
  parked_.fetch_sub(1, std::memory_order_seq_cst);
  watched_.store(false, std::memory_order_seq_cst);
  timer_set_.store(false, std::memory_order_seq_cst); // then the caller looks for work
}

} // namespace zeroth::cpu
