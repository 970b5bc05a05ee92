#include "event_memory.hpp"

#include "../memory/pages.hpp"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unordered_map>
#include <vector>

namespace zeroth::cpu::event_memory {

namespace {

// From here on memory is mapped; given back it keeps its addresses but not its pages, which read as zeros.
constexpr std::size_t Large = std::size_t{256} << 10;

struct Store {
  std::mutex mutex;
  std::unordered_map<std::size_t, std::vector<void*>> resting; // by size
};
Store& store() {
  static Store& only = *new Store; // events may go after main has returned
  return only;
}

void* take_resting(std::size_t size) {
  std::lock_guard lock(store().mutex);
  const auto found = store().resting.find(size);
  if (found == store().resting.end() || found->second.empty()) return nullptr;
  void* memory = found->second.back();
  found->second.pop_back();
  return memory;
}

void* take_fresh(std::size_t size) {
  if (size >= Large) return map_pages(round_up(size, Granule), Granule);
  void* memory = std::calloc(1, size);
  if (!memory) throw std::bad_alloc();
  return memory;
}

} // namespace

void* take(std::size_t size) {
  void* memory = take_resting(size);
  return memory ? memory : take_fresh(size);
}

void* take_zeroed(std::size_t size) {
  void* memory = take_resting(size);
  if (!memory) return take_fresh(size);
  if (size < Large) std::memset(memory, 0, size);
  return memory;
}

void give_back(void* memory, std::size_t size) noexcept {
  if (size >= Large) madvise(memory, round_up(size, Granule), MADV_DONTNEED);
  try {
    std::lock_guard lock(store().mutex);
    store().resting[size].push_back(memory);
  } catch (const std::bad_alloc&) { // then it rests for ever
  }
}

} // namespace zeroth::cpu::event_memory
