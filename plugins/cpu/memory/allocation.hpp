// What is known about one live block of memory that a program asked for.
#pragma once
#include <cstddef>
#include <cstdint>

namespace zeroth::cpu {

enum class MemoryKind : std::uint8_t { Unknown, Host, Device, Shared, Reserved };

// Who asked: opaque to the heap, given back by look-ups.
struct MemoryOwner {
  const void* context = nullptr;
  void* device = nullptr; // null for host memory
};

struct Allocation {
  void* base = nullptr;
  std::size_t size = 0; // as asked for
  std::uint64_t id = 0; // never used twice in a process
  MemoryOwner owner;
  MemoryKind kind = MemoryKind::Unknown;

  explicit operator bool() const { return kind != MemoryKind::Unknown; }
};

} // namespace zeroth::cpu
