#include "arena.hpp"

#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <vector>

// Present under the leak sanitizer alone, which must know that objects in here point to others.
extern "C" [[gnu::weak]] void __lsan_register_root_region(const void* start, std::size_t size);

namespace zeroth::sysman {
namespace {

constexpr std::size_t Step = 64;
constexpr std::size_t rounded(std::size_t size) { return (size + Step - 1) / Step * Step; }

struct Space {
  std::mutex mutex;
  std::size_t used = 0;
  std::map<std::size_t, std::vector<void*>> spare;
};

Space& space() {
  static Space& only = *new Space;
  return only;
}

std::uintptr_t reserve() noexcept {
  void* start =
      ::mmap(nullptr, Arena::Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return 0;
  if (__lsan_register_root_region) __lsan_register_root_region(start, Arena::Size);
  return reinterpret_cast<std::uintptr_t>(start);
}

} // namespace

// At load time: holds() has nothing to wait for.
std::uintptr_t Arena::start_ = reserve();

void* Arena::allocate(std::size_t size) {
  const std::size_t wanted = rounded(size);
  Space& all = space();
  const std::lock_guard lock(all.mutex);
  if (auto& spare = all.spare[wanted]; !spare.empty()) {
    void* object = spare.back();
    spare.pop_back();
    return object;
  }
  if (start_ == 0 || all.used + wanted > Size) throw std::bad_alloc();
  void* object = reinterpret_cast<void*>(start_ + all.used);
  all.used += wanted;
  return object;
}

void Arena::release(void* object, std::size_t size) noexcept {
  Space& all = space();
  const std::lock_guard lock(all.mutex);
  try {
    all.spare[rounded(size)].push_back(object);
  } catch (...) { // it stays unused
  }
}

} // namespace zeroth::sysman
