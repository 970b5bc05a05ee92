#include "watch.hpp"

#include "futex.hpp"
#include "order_annotations.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>
#include <unistd.h>

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

namespace zeroth::cpu {

namespace {

constexpr std::uint64_t ShortestNap = 5'000, LongestNap = 500'000; // nanoseconds
constexpr std::uint64_t LongestTrust = 100'000'000;                // in a writer's wake: it may die just before

// The kernel's futex_waitv of one word (since Linux 5.16).
struct FutexWait {
  std::uint64_t value = 0, address = 0;
  std::uint32_t flags = 0, reserved = 0;
};
constexpr std::uint32_t Bits32 = 2, Private = 128;
constexpr std::size_t MostWords = 128;

FutexWait wait_on(const void* word, std::uint32_t value, std::uint32_t more_flags) {
  return {value, reinterpret_cast<std::uint64_t>(word), Bits32 | more_flags, 0};
}

// What the word's low half must be for a sleep to be right.
std::uint32_t low_half(const WatchedWord& what) {
  return static_cast<std::uint32_t>(what.word->load(std::memory_order_acquire));
}

timespec time_of(std::uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / 1'000'000'000), static_cast<long>(nanoseconds % 1'000'000'000)};
}

} // namespace

bool WatchedWord::ready() const {
  switch (test) {
  case Test::AtLeast:
    return word->load(std::memory_order_acquire) >= value;
  case Test::Signalled:
    return SyncWord::signalled_or_mark(*word);
  case Test::Take:
    return word->load(std::memory_order_acquire) != 0;
  }
  return false;
}

bool WatchedWord::passed() const {
  const bool has_passed = test == Test::Take ? take() : ready();
  if (has_passed) annotate_signal_from_processes();
  return has_passed;
}

bool WatchedWord::take() const {
  std::uint64_t seen = word->load(std::memory_order_acquire);
  while (seen != 0)
    if (word->compare_exchange_weak(seen, 0, std::memory_order_acq_rel)) return true;
  return false;
}

bool WatchedWord::sleep_until(std::uint64_t deadline) const {
  for (std::uint64_t nap = ShortestNap;; nap = std::min(nap * 2, LongestNap)) {
    if (passed()) return true;
    const std::uint64_t time = now();
    if (time >= deadline) return false;
    if (announced) {
      const std::uint32_t seen = low_half(*this); // after the mark, before the last look
      if (!ready()) futex::sleep_shared(word, seen, std::min(deadline, time + LongestTrust));
    } else {
      const timespec until = time_of(std::min(deadline, time + nap));
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
    }
  }
}

namespace {
std::atomic<Watch*> current{nullptr};
std::atomic<pid_t> owner{0};
} // namespace

Watch& Watch::shared() {
  static std::mutex creation;
  if (owner.load(std::memory_order_acquire) != getpid()) {
    std::lock_guard lock(creation);
    if (owner.load(std::memory_order_relaxed) != getpid()) {
      current.store(new Watch, std::memory_order_relaxed);
      owner.store(getpid(), std::memory_order_release);
    }
  }
  return *current.load(std::memory_order_relaxed);
}

void Watch::add(const WatchedWord& what, Waiter& waiter) {
  std::lock_guard lock(mutex_);
  added_.push_back({what, &waiter});
  count_.fetch_add(1, std::memory_order_relaxed);
  if (!started_) {
    std::thread([this] { thread_main(); }).detach();
    started_ = true;
  }
  kick_.fetch_add(1, std::memory_order_seq_cst);
  futex::wake(&kick_, 1);
}

void Watch::take_in() {
  std::lock_guard lock(mutex_);
  watched_.insert(watched_.end(), added_.begin(), added_.end());
  added_.clear();
  if (going_) drop_going(watched_);
}

// Under the lock.
void Watch::drop_going(std::vector<Entry>& from) {
  const auto last = std::remove_if(from.begin(), from.end(), [this](const Entry& entry) {
    const auto* at = reinterpret_cast<const std::byte*>(entry.what.word);
    return at >= going_ && at < going_ + going_bytes_;
  });
  count_.fetch_sub(static_cast<std::size_t>(from.end() - last), std::memory_order_relaxed);
  from.erase(last, from.end());
  going_ = nullptr;
  gone_.notify_all();
}

void Watch::forget(const void* memory, std::size_t bytes) noexcept {
  if (owner.load(std::memory_order_acquire) != getpid()) return;
  Watch& watch = *current.load(std::memory_order_relaxed);
  if (watch.count_.load(std::memory_order_relaxed) != 0) watch.await_drop(memory, bytes);
}

void Watch::await_drop(const void* memory, std::size_t bytes) noexcept {
  std::lock_guard one(one_goes_);
  std::unique_lock lock(mutex_);
  going_ = static_cast<const std::byte*>(memory);
  going_bytes_ = bytes;
  if (!started_) return drop_going(added_); // the system gave no thread
  kick_.fetch_add(1, std::memory_order_seq_cst);
  futex::wake(&kick_, 1);
  gone_.wait(lock, [this] { return going_ == nullptr; });
}

void Watch::release_passed() {
  auto last = std::remove_if(watched_.begin(), watched_.end(), [this](const Entry& entry) {
    if (!entry.what.passed()) return false;
    passed_.push_back(entry.waiter);
    count_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  });
  watched_.erase(last, watched_.end());
  for (Waiter* waiter : passed_) waiter->released(); // may add again
  passed_.clear();
}

void Watch::thread_main() {
  for (std::uint64_t nap = ShortestNap;; nap = std::min(nap * 2, LongestNap)) {
    const std::uint32_t seen = kick_.load(std::memory_order_seq_cst);
    take_in();
    const std::size_t before = watched_.size();
    release_passed();
    if (watched_.empty()) {
      futex::sleep(&kick_, seen, Forever);
      nap = ShortestNap / 2;
    } else {
      if (watched_.size() != before || kick_.load(std::memory_order_relaxed) != seen) nap = ShortestNap;
      sleep(seen, nap);
    }
  }
}

void Watch::sleep(std::uint32_t seen, std::uint64_t nap) {
  std::array<FutexWait, MostWords> waits;
  std::size_t count = 0;
  waits[count++] = wait_on(&kick_, seen, Private);
  bool all_announced = true;
  for (const Entry& entry : watched_) {
    if (!entry.what.announced || count == MostWords) {
      all_announced = false;
      continue;
    }
    if (entry.what.ready()) return; // the next round releases it
    waits[count++] = wait_on(entry.what.word, 0, 0);
    waits[count - 1].value = low_half(entry.what); // after the mark, before the last look
    if (entry.what.ready()) return;
  }
  const timespec until = time_of(now() + (all_announced ? LongestTrust : nap));
  static std::atomic<bool> missing{false};
  if (!missing.load(std::memory_order_relaxed)) {
    const long result = syscall(SYS_futex_waitv, waits.data(), count, 0, &until, CLOCK_MONOTONIC);
    if (result >= 0 || (errno != ENOSYS && errno != EPERM && errno != EINVAL)) return;
    missing.store(true, std::memory_order_relaxed);
  }
  futex::sleep(&kick_, seen, now() + nap);
}

} // namespace zeroth::cpu
