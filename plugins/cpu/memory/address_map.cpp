#include "address_map.hpp"

#include <new>

namespace zeroth::cpu {

namespace {

// Mapped rather than constructed: zero pages are null entries and cost nothing until they are used, so that a driver
// starts without touching half a megabyte.
template <class Table> Table* map_table() {
  return static_cast<Table*>(map_pages(round_up(sizeof(Table), Granule), Granule));
}

template <class Table> void unmap_table(Table* table) noexcept { unmap_pages(table, round_up(sizeof(Table), Granule)); }

} // namespace

AddressMap::AddressMap() : leaves_(map_table<Root>()) {}

AddressMap::~AddressMap() {
  for (auto& slot : *leaves_)
    if (Leaf* leaf = slot.load(std::memory_order_relaxed)) unmap_table(leaf);
  unmap_table(leaves_);
}

AddressMap::Leaf& AddressMap::leaf_for(std::uintptr_t address) {
  auto& slot = (*leaves_)[address >> LeafShift];
  if (Leaf* leaf = slot.load(std::memory_order_acquire)) return *leaf;
  std::lock_guard lock(growth_);
  if (Leaf* leaf = slot.load(std::memory_order_acquire)) return *leaf;
  auto* leaf = map_table<Leaf>();
  slot.store(leaf, std::memory_order_release);
  return *leaf;
}

void AddressMap::set(const void* base, std::size_t size, const Chunk* chunk) {
  const auto first = reinterpret_cast<std::uintptr_t>(base);
  for (std::uintptr_t address = first; address < first + size; address += Granule)
    leaf_for(address)[(address / Granule) % LeafEntries].store(chunk, std::memory_order_release);
}

} // namespace zeroth::cpu
