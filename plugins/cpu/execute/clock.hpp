// The device's time: nanoseconds of the monotonic clock, which is also what kernels and timestamps see.
#pragma once
#include <cstdint>
#include <ctime>

namespace zeroth::cpu {

inline constexpr std::uint64_t Forever = ~std::uint64_t{0};

inline std::uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

// The time at which a wait of `timeout` nanoseconds ends.
inline std::uint64_t deadline_after(std::uint64_t timeout) {
  if (timeout == Forever) return Forever;
  const std::uint64_t start = now();
  return timeout > Forever - 1 - start ? Forever : start + timeout;
}

inline void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace zeroth::cpu
