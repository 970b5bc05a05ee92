// Reserved address ranges and what is mapped into them: zeVirtualMem* over mmap, with physical memory in memory files.
//
// Threads: any; one lock, since none of this is on a launch path. Ownership: a reservation lives until release(), a
// mapping until unmap(), and keeps the pages of its physical memory alive by itself.
#pragma once
#include "../share/exported_file.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace zeroth::cpu {

enum class PageAccess : std::uint8_t { None, ReadWrite, ReadOnly };

// Shared, because a mapping keeps its pages although their owner has gone.
class PhysicalPages {
public:
  explicit PhysicalPages(std::size_t size); // throws std::bad_alloc
  // Those of somebody else's file, from `first` (at a page) on.
  PhysicalPages(Descriptor file, std::uint64_t first, std::size_t size);
  PhysicalPages(const PhysicalPages&) = delete;
  PhysicalPages& operator=(const PhysicalPages&) = delete;

  std::size_t size() const { return size_; }
  int file() const { return own_ ? own_->file() : imported_.number(); }
  std::uint64_t first() const { return first_; } // where they begin in the file
  std::uint64_t id() const { return id_; }
  bool imported() const { return !own_; }
  // A handle of [offset, offset + size). Not of imported ones.
  IpcHandle export_range(std::size_t offset, std::size_t size, std::uint64_t kind);

private:
  const std::uint64_t id_;
  const std::size_t size_;
  const std::uint64_t first_ = 0;
  std::optional<ExportedFile> own_;
  Descriptor imported_;
};

class VirtualRanges {
public:
  // Address space only. `wanted` is a hint. Throws std::bad_alloc.
  void* reserve(const void* wanted, std::size_t size);
  // False unless `base` and `size` are those of a reservation.
  bool release(const void* base, std::size_t size);

  // False unless the range lies in one reservation, is free, and the pages hold it.
  bool map(const void* base, std::size_t size, std::shared_ptr<PhysicalPages> pages, std::size_t offset,
           PageAccess access);
  // Whatever is mapped there, a part of a mapping too. False unless all of the range is reserved.
  bool unmap(const void* base, std::size_t size);
  // False unless the range lies in one mapping; then the whole mapping's access changes where it is covered.
  bool set_access(const void* base, std::size_t size, PageAccess access);
  // The access at `base` and how far it reaches, at most `size`. False outside of mappings.
  bool get_access(const void* base, std::size_t size, PageAccess& access, std::size_t& reach);
  // What lies under [base, base + size), if it is one piece of one physical memory; `size` 0: up to its mapping's end.
  struct Backing {
    std::shared_ptr<PhysicalPages> pages;
    std::size_t offset = 0, size = 0;
  };
  Backing backing(const void* base, std::size_t size);

private:
  struct Mapping {
    std::size_t size;
    PageAccess access;
    std::shared_ptr<PhysicalPages> pages;
    std::size_t offset;
  };
  using Mappings = std::map<std::uintptr_t, Mapping>;

  bool reserved(std::uintptr_t base, std::size_t size) const;
  bool overlaps(std::uintptr_t base, std::size_t size) const;
  Mappings::iterator containing(std::uintptr_t address);
  void split(std::uintptr_t address);

  std::mutex mutex_;
  std::map<std::uintptr_t, std::size_t> reservations_;
  Mappings mappings_;
};

} // namespace zeroth::cpu
