// From any address to the chunk of memory it lies in: two table loads, no lock.
// Threads: find() from any thread at any time; set() by the one who owns the range. A chunk must outlive its entry; a
// reader that holds a live pointer of the chunk therefore never sees a dead one.
#pragma once
#include "pages.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace zeroth::cpu {

struct Chunk;

class AddressMap {
public:
  AddressMap(); // throws std::bad_alloc
  ~AddressMap();
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;

  const Chunk* find(const void* pointer) const {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address >> AddressBits) return nullptr;
    const Leaf* leaf = (*leaves_)[address >> LeafShift].load(std::memory_order_acquire);
    return leaf ? (*leaf)[(address / Granule) % LeafEntries].load(std::memory_order_acquire) : nullptr;
  }

  // Points every granule of [base, base + size) at `chunk`; null removes them. Throws std::bad_alloc.
  void set(const void* base, std::size_t size, const Chunk* chunk);

private:
  static constexpr int AddressBits = 48;
  static constexpr int LeafShift = 32;
  static constexpr std::size_t LeafEntries = (std::size_t{1} << LeafShift) / Granule;
  using Leaf = std::array<std::atomic<const Chunk*>, LeafEntries>;
  using Root = std::array<std::atomic<Leaf*>, std::size_t{1} << (AddressBits - LeafShift)>;

  Leaf& leaf_for(std::uintptr_t address);

  Root* const leaves_;
  std::mutex growth_;
};

} // namespace zeroth::cpu
