// Memory that is the program's own and that it made known to the device: found like an allocation, never unmapped.
//
// Threads: any. A look-up takes no lock while there is none; else a shared one, for pointers that are in no allocation
// of the heap.
#pragma once
#include "allocation.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <shared_mutex>

namespace zeroth::cpu {

class ProgramMemory {
public:
  bool add(const Allocation& range); // false where it meets another. Throws std::bad_alloc
  bool remove(const void* base) noexcept;
  Allocation find(const void* pointer) const {
    return count_.load(std::memory_order_acquire) == 0 ? Allocation{} : look_up(pointer);
  }

private:
  Allocation look_up(const void* pointer) const;

  mutable std::shared_mutex mutex_;
  std::map<std::uintptr_t, Allocation> ranges_; // by start
  std::atomic<std::size_t> count_{0};
};

// Is all of [base, base + size) mapped, and, if asked for, writable?
bool is_mapped(const void* base, std::size_t size, bool writable);

} // namespace zeroth::cpu
