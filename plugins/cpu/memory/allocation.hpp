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
  int node = -1;          // of the machine's memory, where the pages should lie; -1: wherever they are written first
};

// Where a block comes from, and with it how it goes.
enum class Origin : std::uint8_t {
  Own,      // of the heap: release()
  Imported, // a file of the program's: release() too
  Opened,   // of another process: forget()
  Reserved, // address space: forget()
  Program,  // the program's own memory: release(), which leaves it alone
};

struct Allocation {
  void* base = nullptr;
  std::size_t size = 0; // as asked for
  std::uint64_t id = 0; // never used twice in a process
  MemoryOwner owner;
  MemoryKind kind = MemoryKind::Unknown;
  Origin origin = Origin::Own;

  explicit operator bool() const { return kind != MemoryKind::Unknown; }
};

} // namespace zeroth::cpu
