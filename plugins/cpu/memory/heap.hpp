// The memory that programs allocate: small blocks from slabs of one size class each, larger ones in mappings of their
// own (huge pages where they fit) that are kept for reuse after free, up to a bound.
//
// Threads: everything may be called from any thread. find() takes no lock; allocate() and release() take one
// uncontended lock of the size class. Ownership: a block lives from allocate() to release() of its base address.
#pragma once
#include "../share/exported_file.hpp"
#include "address_map.hpp"
#include "allocation.hpp"
#include "program_memory.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace zeroth::cpu {

struct SlabBlock {
  std::atomic<MemoryKind> kind{MemoryKind::Unknown}; // Unknown: free
  std::uint32_t next_free = 0;
  std::uint32_t size = 0;
  std::uint64_t id = 0;
  MemoryOwner owner;
};

// A run of granules: a slab when `blocks` is set, else one allocation.
struct Chunk {
  std::byte* base = nullptr;
  std::size_t bytes = 0;
  unsigned block_shift = 0;
  std::unique_ptr<SlabBlock[]> blocks;
  Allocation whole;
  std::atomic<bool> exported{false};          // `shared` is there or being made
  std::atomic<ExportedFile*> shared{nullptr}; // owned: the file that holds the pages of exported blocks
  std::vector<bool> moved;                    // of a slab: its pages that the file holds, under the export lock

  Chunk() = default;
  ~Chunk() { delete shared.load(std::memory_order_relaxed); }
};

class Heap {
public:
  Heap() = default;
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // `alignment` is a power of two or 0; `size` is not 0. Distinct live blocks have distinct addresses.
  // Contents are undefined. Throws std::bad_alloc.
  void* allocate(std::size_t size, std::size_t alignment, MemoryKind kind, MemoryOwner owner);

  // In pages of its own, at their start: who gets a descriptor of it sees no other block.
  void* allocate_alone(std::size_t size, std::size_t alignment, MemoryKind kind, MemoryOwner owner) {
    return allocate_large(size, alignment, kind, owner);
  }

  // False if `base` is not the start of a live block (unknown pointer, interior pointer, second release).
  bool release(void* base) noexcept;

  // The block that holds `pointer` (anywhere inside it); an empty one for foreign memory.
  Allocation find(const void* pointer) const;

  // Makes memory that someone else mapped known to find(): a block inside whole granules of its own.
  struct Mapping {
    void* base = nullptr; // at a granule
    std::size_t bytes = 0;
  };
  void adopt(Mapping mapping, void* block, std::size_t size, MemoryKind kind, MemoryOwner owner, Origin origin);
  // The same for memory of the program's own, wherever it begins. False where it meets other known memory.
  bool adopt_program_memory(void* base, std::size_t size, MemoryKind kind, MemoryOwner owner);
  // Ends that for a block that was Opened or Reserved, and gives its mapping back to the caller.
  Mapping forget(void* block, Origin origin) noexcept;

  // A handle of the block that starts at `base`. Its pages move to a file the first time, with whatever else lies in
  // them if it is a small one. `block` must be live and the heap's own. Throws std::bad_alloc.
  IpcHandle export_block(void* base, IpcKind kind);
  // Can a write fault here be the doing of an export?
  bool migrates(const void* pointer) const {
    const Chunk* chunk = map_.find(pointer);
    return chunk && chunk->exported.load(std::memory_order_acquire);
  }

private:
  static constexpr unsigned SmallestShift = 6, LargestShift = 15;
  static constexpr std::size_t CacheLimit = std::size_t{256} << 20;

  struct SizeClass {
    std::mutex mutex;
    std::vector<std::unique_ptr<Chunk>> slabs;
    std::vector<std::pair<Chunk*, std::uint32_t>> free_blocks;
  };

  void* allocate_small(unsigned shift, std::size_t size, MemoryKind kind, MemoryOwner owner);
  void* allocate_large(std::size_t size, std::size_t alignment, MemoryKind kind, MemoryOwner owner);
  void grow(SizeClass& of, unsigned shift);
  bool release_small(Chunk& slab, void* base) noexcept;
  bool release_whole(Chunk* chunk) noexcept;
  void make_shared(Chunk& chunk);
  void move_pages(Chunk& slab, std::size_t offset, std::size_t size);
  void keep_or_unmap(Chunk* chunk) noexcept;
  Chunk* reuse_large(std::size_t bytes, std::size_t alignment, int node);

  AddressMap map_;
  ProgramMemory program_memory_;
  std::array<SizeClass, LargestShift + 1> classes_;
  std::atomic<std::uint64_t> next_id_{1};
  std::mutex export_mutex_;
  std::mutex large_mutex_;
  std::multimap<std::size_t, Chunk*> kept_; // free mappings by size
  std::size_t kept_bytes_ = 0;
};

} // namespace zeroth::cpu
