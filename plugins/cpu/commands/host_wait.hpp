// How a host thread waits: help to execute what it waits for, spin for a while, then sleep.
#pragma once
#include "../execute/services.hpp"
#include "flow.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace zeroth::cpu {

// Kernels run in the default floating-point environment; a helping host thread gets its own back, sticky flags
// included.
class DefaultFloatingPoint {
public:
#if defined(__x86_64__)
  DefaultFloatingPoint() : saved_(_mm_getcsr()) {
    if (saved_ != Default) _mm_setcsr(Default);
  }
  ~DefaultFloatingPoint() {
    if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
  }

private:
  static constexpr unsigned Default = 0x1f80;
  unsigned saved_;
#endif
};

inline constexpr std::uint64_t HostSpin = 50'000; // nanoseconds

// `done` tells without waiting; `sleep` blocks until done or the given time. `helped` may be null.
template <class Done, class Sleep>
bool host_wait(Flow* helped, Executor& executor, std::uint64_t deadline, Done done, Sleep sleep) {
  if (done()) return true;
  const bool helps = helped && (deadline == Forever || executor.abandoned());
  if (helps) {
    Worker& worker = executor.worker_of_this_thread();
    DefaultFloatingPoint environment;
    while (!done() && helped->help(worker)) {
    }
  }
  const std::uint64_t spin_end = std::min(deadline, now() + HostSpin);
  while (executor.threads() > 1) {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      pause_briefly();
    }
    if (helps && helped->help_wanted()) {
      DefaultFloatingPoint environment;
      helped->help(executor.worker_of_this_thread());
    }
    if (now() >= spin_end) break;
  }
  return sleep(deadline);
}

} // namespace zeroth::cpu
