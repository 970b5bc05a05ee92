#include "address_map.hpp"

#include <algorithm>
#include <new>

namespace zeroth::cpu {

// Tables are mapped rather than constructed: zero pages are null entries and cost nothing until they are used, so that
// a driver starts without touching half a megabyte.
AddressMap::AddressMap() : root_(static_cast<Root*>(map_pages(sizeof(Root), Granule))) {}

AddressMap::~AddressMap() {
  for (Table* piece : pieces_) unmap_pages(piece, Granule);
  unmap_pages(root_, sizeof(Root));
}

AddressMap::Table* AddressMap::new_table() {
  constexpr std::size_t InPiece = Granule / sizeof(Table);
  if (used_ == pieces_.size() * InPiece) {
    pieces_.reserve(pieces_.size() + 1);
    pieces_.push_back(static_cast<Table*>(map_pages(Granule, Granule)));
  }
  return pieces_.back() + used_++ % InPiece;
}

// Where one chunk had the entry's whole span, it has all of the table's.
AddressMap::Table& AddressMap::table_in(Entry& entry) {
  std::lock_guard lock(growth_);
  const std::uintptr_t before = entry.load(std::memory_order_acquire);
  if (is_table(before)) return table_of(before);
  Table* table = new_table();
  if (before)
    for (Entry& one : *table) one.store(before, std::memory_order_relaxed);
  entry.store(reinterpret_cast<std::uintptr_t>(table), std::memory_order_release);
  return *table;
}

void AddressMap::set(Entry* entries, std::size_t count, int shift, std::uintptr_t first, std::uintptr_t end,
                     std::uintptr_t value) {
  const std::uintptr_t span = std::uintptr_t{1} << shift;
  for (std::uintptr_t at = first, next; at < end; at = next) {
    next = std::min(end, (at | (span - 1)) + 1);
    Entry& entry = entries[(at >> shift) % count];
    const std::uintptr_t before = entry.load(std::memory_order_acquire);
    const bool whole = shift == LeafShift || next - at == span;
    if (whole && !is_table(before)) {
      entry.store(value, std::memory_order_release);
    } else if (before || value) {
      set(table_in(entry).data(), TableEntries, shift - 8, at, next, value);
    }
  }
}

void AddressMap::set(const void* base, std::size_t size, const Chunk* chunk) {
  const auto first = reinterpret_cast<std::uintptr_t>(base);
  const std::uintptr_t value = chunk ? reinterpret_cast<std::uintptr_t>(chunk) | 1 : 0;
  try {
    set(root_->data(), root_->size(), RootShift, first, first + size, value);
  } catch (const std::bad_alloc&) { // no entry that was set needs a new table to be removed
    set(root_->data(), root_->size(), RootShift, first, first + size, 0);
    throw;
  }
}

} // namespace zeroth::cpu
