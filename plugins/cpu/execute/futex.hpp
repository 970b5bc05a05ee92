// Sleeping on a word of memory. Threads: any. The word may be freed while wake() runs: the kernel then finds no
// sleeper, or wakes an unrelated one, and every sleeper here looks again before it believes that it was woken.
#pragma once
#include "clock.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace zeroth::cpu::futex {

// Returns when woken, when *word != expected, at the deadline (nanoseconds of now(), Forever for none), or for no
// reason.
inline void sleep(const void* word, std::uint32_t expected, std::uint64_t deadline) {
  timespec until{static_cast<time_t>(deadline / 1'000'000'000), static_cast<long>(deadline % 1'000'000'000)};
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, deadline == Forever ? nullptr : &until, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

inline void wake(const void* word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

// Systems wake sleepers some 100 µs late (timer slack, and the way back to a core). Who must be back in time is woken
// early, finds that the deadline has not passed, and sleeps no more.
inline std::uint64_t early(std::uint64_t deadline) {
  constexpr std::uint64_t Late = 150'000;
  return deadline == Forever ? Forever : deadline - std::min(deadline, Late);
}

// Sleep and wake on words that other processes may have mapped.
inline void sleep_shared(const void* word, std::uint32_t expected, std::uint64_t deadline) {
  timespec until{static_cast<time_t>(deadline / 1'000'000'000), static_cast<long>(deadline % 1'000'000'000)};
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET, expected, deadline == Forever ? nullptr : &until, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

inline void wake_shared(const void* word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE, count, nullptr, nullptr, 0);
}

} // namespace zeroth::cpu::futex
