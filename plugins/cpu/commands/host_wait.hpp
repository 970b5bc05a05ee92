// How a host thread waits: help to execute what it waits for, spin for a while, then sleep.
#pragma once
#include "../execute/floating_point.hpp"
#include "../execute/services.hpp"
#include "flow.hpp"

#include <algorithm>

namespace zeroth::cpu {

inline constexpr std::uint64_t HostSpin = 50'000; // nanoseconds

// One piece of work by a host thread that has to be back at `deadline`. False: there is nothing that it may do.
inline bool help_until(Flow& helped, Executor& executor, std::uint64_t deadline) {
  Worker& worker = executor.worker_of_this_thread();
  const DefaultFloatingPoint environment;
  const Worker::LeaveBy limit(worker, executor.abandoned() ? Forever : deadline);
  return helped.help(worker);
}

// `done` tells without waiting; `sleep` blocks until done or the given time. `helped` may be null.
template <class Done, class Sleep>
bool host_wait(Flow* helped, Executor& executor, std::uint64_t deadline, Done done, Sleep sleep) {
  if (done()) return true;
  if (helped)
    while (help_until(*helped, executor, deadline))
      if (done()) return true;
  const bool helps = helped && deadline == Forever; // else the flow is at what only workers may run
  if (!helps) executor.hurry();
  const std::uint64_t spin_end = std::min(deadline, now() + HostSpin);
  while (executor.threads() > 1) {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      pause_briefly();
    }
    if (helps && helped->help_wanted()) help_until(*helped, executor, deadline);
    if (now() >= spin_end) break;
  }
  return sleep(deadline);
}

} // namespace zeroth::cpu
