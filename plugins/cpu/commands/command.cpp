#include "command.hpp"

#include "../execute/worker.hpp"
#include "goal.hpp"

#include <algorithm>

namespace zeroth::cpu {

namespace {

bool ends_in_time(const Worker& worker, const Command& command) {
  if (worker.leave_by() == Forever) [[likely]]
    return true;
  const std::uint64_t time = now();
  return time < worker.leave_by() && command.takes_at_most(worker.leave_by() - time);
}

bool takes_times(const Command& command) {
  return command.signal && command.signal->timed.load(std::memory_order_relaxed) &&
         command.signal->lives(command.signal_life.load(std::memory_order_relaxed));
}

} // namespace

bool may_run(Worker& worker, const Command& command, std::uint64_t number) {
  if (!worker.bounded()) [[likely]]
    return true;
  const Goal* goal = worker.goal();
  if ((!goal || (number <= goal->last && !goal->reached())) && ends_in_time(worker, command)) return true;
  worker.give_up();
  return false;
}

bool may_run_beside(const Worker& worker, const Command& command) {
  if (!worker.bounded()) [[likely]]
    return true;
  const Goal* goal = worker.goal();
  const bool needed = !goal || !goal->event || goal->event == command.signal || command.takes_at_most(0);
  return needed && !(goal && goal->reached()) && ends_in_time(worker, command);
}

void begin_times(const Command& command) {
  if (takes_times(command)) command.signal->start.store(now(), std::memory_order_relaxed);
}

void begin_times_at(const Command& command, std::uint64_t time) {
  if (takes_times(command)) command.signal->start.store(time, std::memory_order_relaxed);
}

// Whatever is visible to others comes last: the event, and the list, may be gone after it.
void end_and_signal(const Command& command) {
  EventCell* cell = command.signal;
  if (cell && !cell->lives(command.signal_life.load(std::memory_order_relaxed))) [[unlikely]]
    cell = nullptr; // the event was destroyed, or a counter-based one takes the times of another command
  const Effect* effect = command.effect;
  const bool signals = cell && command.signals_word;
  // Never equal: programs divide by the difference.
  if (cell && cell->timed.load(std::memory_order_relaxed))
    cell->end.store(std::max(now(), cell->start.load(std::memory_order_relaxed) + 1), std::memory_order_relaxed);
  if (effect) [[unlikely]]
    effect->apply();
  if (signals) cell->signal();
}

} // namespace zeroth::cpu
