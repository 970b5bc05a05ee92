// Memory of events and pools: what was one stays readable and is only ever used for another, so that a command which
// comes late for an event that was destroyed finds out (see SyncWord).
// Threads: any.
#pragma once
#include <cstddef>

namespace zeroth::cpu::event_memory {

// Of pools: zeros. Of single events: whatever the last one left. Throws std::bad_alloc.
void* take_zeroed(std::size_t size);
void* take(std::size_t size);
// `size` as it was taken.
void give_back(void* memory, std::size_t size) noexcept;

} // namespace zeroth::cpu::event_memory
