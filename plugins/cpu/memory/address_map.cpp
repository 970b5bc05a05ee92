#include "address_map.hpp"

#include <new>

namespace zeroth::cpu {

AddressMap::~AddressMap() {
  for (auto& slot : leaves_)
    if (Leaf* leaf = slot.load(std::memory_order_relaxed)) unmap_pages(leaf, sizeof(Leaf));
}

AddressMap::Leaf& AddressMap::leaf_for(std::uintptr_t address) {
  auto& slot = leaves_[address >> LeafShift];
  if (Leaf* leaf = slot.load(std::memory_order_acquire)) return *leaf;
  std::lock_guard lock(growth_);
  if (Leaf* leaf = slot.load(std::memory_order_acquire)) return *leaf;
  // Mapped rather than constructed: zero pages are null entries and cost nothing until they are used.
  auto* leaf = static_cast<Leaf*>(map_pages(round_up(sizeof(Leaf), Granule), Granule));
  slot.store(leaf, std::memory_order_release);
  return *leaf;
}

void AddressMap::set(const void* base, std::size_t size, const Chunk* chunk) {
  const auto first = reinterpret_cast<std::uintptr_t>(base);
  for (std::uintptr_t address = first; address < first + size; address += Granule)
    leaf_for(address)[(address / Granule) % LeafEntries].store(chunk, std::memory_order_release);
}

} // namespace zeroth::cpu
