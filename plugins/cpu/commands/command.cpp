#include "command.hpp"

#include <algorithm>

namespace zeroth::cpu {

void begin_times(const Command& command) {
  if (command.signal && command.signal->timed.load(std::memory_order_relaxed))
    command.signal->start.store(now(), std::memory_order_relaxed);
}

// Whatever is visible to others comes last: the event, and the list, may be gone after it.
void end_and_signal(const Command& command) {
  EventCell* cell = command.signal;
  const Effect* effect = command.effect;
  const bool signals = command.signals_word;
  // Never equal: programs divide by the difference.
  if (cell && cell->timed.load(std::memory_order_relaxed))
    cell->end.store(std::max(now(), cell->start.load(std::memory_order_relaxed) + 1), std::memory_order_relaxed);
  if (effect) [[unlikely]]
    effect->apply();
  else if (signals)
    cell->signal();
}

} // namespace zeroth::cpu
