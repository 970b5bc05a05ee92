// Where the plugin's handles live: one stretch of addresses, so that a handle tells by its value alone whether it is
// ours or another driver's. Nothing of a foreign object is read for that.
//
// Any thread. Objects are never moved; memory of the few kinds that programs delete is used again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace zeroth::sysman {

class Arena {
public:
  static constexpr std::size_t Size = std::size_t{64} << 20; // of addresses; pages come as they are used

  static void* allocate(std::size_t size);
  static void release(void* object, std::size_t size) noexcept;

  static bool holds(const void* handle) noexcept { return reinterpret_cast<std::uintptr_t>(handle) - start_ < Size; }

private:
  static std::uintptr_t start_;
};

// Base of every object whose handle programs get.
struct InArena {
  static void* operator new(std::size_t size) { return Arena::allocate(size); }
  static void operator delete(void* object, std::size_t size) noexcept { Arena::release(object, size); }
};

} // namespace zeroth::sysman
