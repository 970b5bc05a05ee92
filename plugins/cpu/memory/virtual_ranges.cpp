#include "virtual_ranges.hpp"

#include "../execute/watch.hpp"

#include "pages.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace zeroth::cpu {

namespace {

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
void* pointer(std::uintptr_t at) { return reinterpret_cast<void*>(at); }

int protection(PageAccess access) {
  switch (access) {
  case PageAccess::None:
    return PROT_NONE;
  case PageAccess::ReadWrite:
    return PROT_READ | PROT_WRITE;
  case PageAccess::ReadOnly:
    return PROT_READ;
  }
  return PROT_NONE;
}

// The largest entry at or before `at`, or the end.
template <class Map> auto entry_before(Map& map, std::uintptr_t at) {
  auto it = map.upper_bound(at);
  return it == map.begin() ? map.end() : std::prev(it);
}

std::uint64_t new_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

} // namespace

PhysicalPages::PhysicalPages(std::size_t size) : id_(new_number()), size_(size) { own_.emplace(size, 1); }

PhysicalPages::PhysicalPages(Descriptor file, std::uint64_t first, std::size_t size)
    : id_(new_number()), size_(size), first_(first), imported_(std::move(file)) {}

IpcHandle PhysicalPages::export_range(std::size_t offset, std::size_t size, std::uint64_t kind) {
  IpcHandle handle = own_->get(IpcKind::Memory, 0, {id_, 0, size_, kind}, false);
  handle.offset = offset;
  handle.size = size;
  return handle;
}

void* VirtualRanges::reserve(const void* wanted, std::size_t size) {
  constexpr int Flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* base = MAP_FAILED;
  if (wanted && address(wanted) % Granule == 0)
    base = mmap(const_cast<void*>(wanted), size, PROT_NONE, Flags | MAP_FIXED_NOREPLACE, -1, 0);
  if (base == MAP_FAILED) {
    base = map_pages(size, size >= HugePage ? HugePage : Granule);
    mprotect(base, size, PROT_NONE);
  }
  std::lock_guard lock(mutex_);
  reservations_[address(base)] = size;
  return base;
}

bool VirtualRanges::release(const void* base, std::size_t size) {
  std::lock_guard lock(mutex_);
  const auto it = reservations_.find(address(base));
  if (it == reservations_.end() || it->second != size) return false;
  reservations_.erase(it);
  mappings_.erase(mappings_.lower_bound(address(base)), mappings_.lower_bound(address(base) + size));
  Watch::forget(base, size);
  unmap_pages(const_cast<void*>(base), size);
  return true;
}

bool VirtualRanges::reserved(std::uintptr_t base, std::size_t size) const {
  const auto it = entry_before(reservations_, base);
  return it != reservations_.end() && base - it->first <= it->second && size <= it->second - (base - it->first);
}

bool VirtualRanges::overlaps(std::uintptr_t base, std::size_t size) const {
  const auto before = entry_before(mappings_, base);
  if (before != mappings_.end() && base - before->first < before->second.size) return true;
  const auto after = mappings_.lower_bound(base);
  return after != mappings_.end() && after->first - base < size;
}

bool VirtualRanges::map(const void* base, std::size_t size, std::shared_ptr<PhysicalPages> pages, std::size_t offset,
                        PageAccess access) {
  std::lock_guard lock(mutex_);
  if (offset > pages->size() || size > pages->size() - offset) return false;
  if (!reserved(address(base), size) || overlaps(address(base), size)) return false;
  const void* mapped = mmap(const_cast<void*>(base), size, protection(access), MAP_SHARED | MAP_FIXED, pages->file(),
                            static_cast<off_t>(pages->first() + offset));
  if (mapped == MAP_FAILED) return false;
  mappings_[address(base)] = {size, access, std::move(pages), offset};
  return true;
}

bool VirtualRanges::unmap(const void* base, std::size_t size) {
  std::lock_guard lock(mutex_);
  const std::uintptr_t first = address(base), end = first + size;
  for (std::uintptr_t at = first; at < end;) {
    const auto it = entry_before(reservations_, at);
    if (it == reservations_.end() || at - it->first >= it->second) return false;
    at = it->first + it->second;
  }
  split(first);
  split(end);
  mappings_.erase(mappings_.lower_bound(first), mappings_.lower_bound(end));
  Watch::forget(base, size);
  mmap(const_cast<void*>(base), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return true;
}

VirtualRanges::Mappings::iterator VirtualRanges::containing(std::uintptr_t at) {
  const auto it = entry_before(mappings_, at);
  return it != mappings_.end() && at - it->first < it->second.size ? it : mappings_.end();
}

void VirtualRanges::split(std::uintptr_t at) {
  const auto it = containing(at);
  if (it == mappings_.end() || it->first == at) return;
  const std::size_t front = at - it->first;
  mappings_[at] = {it->second.size - front, it->second.access, it->second.pages, it->second.offset + front};
  it->second.size = front;
}

bool VirtualRanges::set_access(const void* base, std::size_t size, PageAccess access) {
  std::lock_guard lock(mutex_);
  for (std::uintptr_t at = address(base); at < address(base) + size;) {
    const auto it = containing(at);
    if (it == mappings_.end()) return false;
    at = it->first + it->second.size;
  }
  if (access == PageAccess::None) Watch::forget(base, size);
  if (mprotect(pointer(address(base)), size, protection(access)) != 0) return false;
  split(address(base));
  split(address(base) + size);
  for (auto it = mappings_.lower_bound(address(base)); it != mappings_.end() && it->first < address(base) + size; ++it)
    it->second.access = access;
  return true;
}

bool VirtualRanges::get_access(const void* base, std::size_t size, PageAccess& access, std::size_t& reach) {
  std::lock_guard lock(mutex_);
  auto it = containing(address(base));
  if (it == mappings_.end()) {
    if (!reserved(address(base), size)) return false;
    const auto next = mappings_.lower_bound(address(base));
    access = PageAccess::None;
    reach = next == mappings_.end() ? size : std::min<std::size_t>(size, next->first - address(base));
    return true;
  }
  access = it->second.access;
  std::uintptr_t end = it->first + it->second.size;
  for (++it; it != mappings_.end() && it->first == end && it->second.access == access; ++it) end += it->second.size;
  reach = std::min(size, end - address(base));
  return true;
}

VirtualRanges::Backing VirtualRanges::backing(const void* base, std::size_t size) {
  std::lock_guard lock(mutex_);
  auto it = containing(address(base));
  if (it == mappings_.end()) return {};
  const std::size_t before = address(base) - it->first;
  Backing found{it->second.pages, it->second.offset + before, it->second.size - before};
  std::uintptr_t end = it->first + it->second.size;
  // Changes of access may have split the mapping.
  for (++it; it != mappings_.end() && it->first == end && it->second.pages == found.pages &&
             it->second.offset == found.offset + found.size;
       ++it) {
    found.size += it->second.size;
    end += it->second.size;
  }
  if (size > found.size) return {};
  if (size) found.size = size;
  return found;
}

} // namespace zeroth::cpu
