// From any address to the chunk of memory it lies in: at most three table loads, no lock. A chunk that fills the whole
// span of an entry, 4 GiB or 16 MiB, is one entry: a reservation of any size costs a few tables.
// Threads: find() from any thread at any time; set() by the one who owns the range. A chunk must outlive its entry; a
// reader that holds a live pointer of the chunk therefore never sees a dead one.
#pragma once
#include "pages.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

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
    std::uintptr_t entry = (*root_)[address >> RootShift].load(std::memory_order_acquire);
    if (is_table(entry)) entry = load(entry, address >> MiddleShift);
    if (is_table(entry)) entry = load(entry, address >> LeafShift);
    return chunk_of(entry);
  }

  // Points every granule of [base, base + size) at `chunk`; null removes them. Throws std::bad_alloc, then nothing is
  // there.
  void set(const void* base, std::size_t size, const Chunk* chunk);

  std::size_t tables() const { return used_; } // made so far

private:
  static constexpr int AddressBits = 48, RootShift = 32, MiddleShift = 24, LeafShift = 16;
  static_assert(Granule == std::size_t{1} << LeafShift);
  static constexpr std::size_t TableEntries = 256;
  // Null, a table of the next level, or a chunk with its lowest bit set.
  using Entry = std::atomic<std::uintptr_t>;
  using Table = std::array<Entry, TableEntries>;
  using Root = std::array<Entry, std::size_t{1} << (AddressBits - RootShift)>;

  static bool is_table(std::uintptr_t entry) { return entry && !(entry & 1); }
  static const Chunk* chunk_of(std::uintptr_t entry) {
    return reinterpret_cast<const Chunk*>(entry & ~std::uintptr_t{1});
  }
  static Table& table_of(std::uintptr_t entry) { return *reinterpret_cast<Table*>(entry); }
  static std::uintptr_t load(std::uintptr_t table, std::uintptr_t index) {
    return table_of(table)[index % TableEntries].load(std::memory_order_acquire);
  }

  void set(Entry* entries, std::size_t count, int shift, std::uintptr_t first, std::uintptr_t end,
           std::uintptr_t value);
  Table& table_in(Entry& entry);
  Table* new_table();

  Root* const root_;
  std::mutex growth_;
  std::vector<Table*> pieces_; // of memory for tables
  std::size_t used_ = 0;
};

} // namespace zeroth::cpu
