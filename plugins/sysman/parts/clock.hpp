// The time base of every counter: microseconds that only grow.
#pragma once

#include <cstdint>
#include <ctime>

namespace zeroth::sysman {

inline std::uint64_t microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(now.tv_nsec) / 1000;
}

} // namespace zeroth::sysman
