// How a host thread waits: help to execute what it waits for, spin for a while, then sleep.
#pragma once
#include "../execute/floating_point.hpp"
#include "../execute/services.hpp"
#include "flow.hpp"
#include "goal.hpp"

#include <algorithm>

namespace zeroth::cpu {

inline constexpr std::uint64_t HostSpin = 50'000; // nanoseconds

// One piece of work by a host thread that waits for `goal` and has to be back at `deadline`.
inline Flow::Helped help_once(Flow& helped, const Goal* goal, Executor& executor, std::uint64_t deadline) {
  Worker& worker = executor.worker_of_this_thread();
  const DefaultFloatingPoint environment;
  const bool alone = executor.abandoned();
  const Worker::Bounds bounds(worker, alone ? Forever : deadline, alone ? nullptr : goal);
  return helped.help(worker);
}

// `done` tells without waiting; `sleep` blocks until done or the given time. `helped` may be null. `goal` is the same
// that `done` tells, for the helper: null if that is the end of all that the flow has.
template <class Done, class Sleep>
bool host_wait(Flow* helped, const Goal* goal, Executor& executor, std::uint64_t deadline, Done done, Sleep sleep) {
  if (done()) return true;
  Flow::Helped did = helped ? Flow::Helped::Something : Flow::Helped::NothingMore;
  while (did == Flow::Helped::Something) {
    did = help_once(*helped, goal, executor, deadline);
    if (done()) return true;
  }
  bool helps = deadline == Forever && did != Flow::Helped::NothingMore; // else workers do what is next
  if (!helps) executor.hurry();
  const std::uint64_t spin_end = std::min(deadline, now() + HostSpin);
  while (executor.threads() > 1) {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      pause_briefly();
    }
    if (helps && helped->help_wanted())
      helps = help_once(*helped, goal, executor, deadline) != Flow::Helped::NothingMore;
    if (now() >= spin_end) break;
  }
  return sleep(deadline);
}

} // namespace zeroth::cpu
