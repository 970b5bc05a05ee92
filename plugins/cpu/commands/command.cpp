#include "command.hpp"

#include <algorithm>

namespace zeroth::cpu {

void begin_times(const Command& command) {
  if (command.signal && command.signal->timed) command.signal->start.store(now(), std::memory_order_relaxed);
}

void end_and_signal(const Command& command) {
  EventCell* cell = command.signal;
  if (!cell) return;
  // Never equal: programs divide by the difference.
  if (cell->timed)
    cell->end.store(std::max(now(), cell->start.load(std::memory_order_relaxed) + 1), std::memory_order_relaxed);
  if (command.signals_word) cell->word.signal(); // last: the event may be gone after it
}

} // namespace zeroth::cpu
