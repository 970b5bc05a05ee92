#include "heap.hpp"

#include "../execute/watch.hpp"
#include "migrate.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace zeroth::cpu {

namespace {

// Sizes of mappings are rounded to eighths of a power of two, so that freed ones fit the next request more often.
std::size_t mapping_size(std::size_t size) {
  if (size > (std::size_t{1} << 47)) throw std::bad_alloc();
  const std::size_t step = std::max(Granule, std::bit_floor(size) / 8);
  return round_up(size, step);
}

Allocation describe_block(const Chunk& slab, std::uintptr_t address) {
  const std::size_t index = (address - reinterpret_cast<std::uintptr_t>(slab.base)) >> slab.block_shift;
  const SlabBlock& block = slab.blocks[index];
  const MemoryKind kind = block.kind.load(std::memory_order_acquire);
  if (kind == MemoryKind::Unknown) return {};
  return {slab.base + (index << slab.block_shift), block.size, block.id, block.owner, kind, Origin::Own};
}

} // namespace

Heap::~Heap() {
  for (auto& [bytes, chunk] : kept_) {
    unmap_pages(chunk->base, bytes);
    delete chunk;
  }
  for (SizeClass& of : classes_)
    for (auto& slab : of.slabs) unmap_pages(slab->base, slab->bytes);
}

void* Heap::allocate(std::size_t size, std::size_t alignment, MemoryKind kind, MemoryOwner owner) {
  const std::size_t needed = std::max({size, alignment, std::size_t{1} << SmallestShift});
  const auto shift = static_cast<unsigned>(std::bit_width(needed - 1));
  if (shift <= LargestShift) return allocate_small(shift, size, kind, owner);
  return allocate_large(size, alignment, kind, owner);
}

void* Heap::allocate_small(unsigned shift, std::size_t size, MemoryKind kind, MemoryOwner owner) {
  SizeClass& of = classes_[shift];
  std::lock_guard lock(of.mutex);
  if (of.free_blocks.empty()) grow(of, shift);
  auto [slab, index] = of.free_blocks.back();
  of.free_blocks.pop_back();
  SlabBlock& block = slab->blocks[index];
  block.size = static_cast<std::uint32_t>(size);
  block.id = next_id_.fetch_add(1, std::memory_order_relaxed);
  block.owner = owner;
  block.kind.store(kind, std::memory_order_release);
  return slab->base + (std::size_t{index} << shift);
}

void Heap::grow(SizeClass& of, unsigned shift) {
  auto slab = std::make_unique<Chunk>();
  slab->bytes = shift <= 10 ? 4 * Granule : 16 * Granule;
  slab->block_shift = shift;
  const auto count = static_cast<std::uint32_t>(slab->bytes >> shift);
  slab->blocks = std::make_unique<SlabBlock[]>(count);
  of.free_blocks.reserve((of.slabs.size() + 1) * count);
  of.slabs.reserve(of.slabs.size() + 1);
  slab->base = static_cast<std::byte*>(map_pages(slab->bytes, Granule));
  map_.set(slab->base, slab->bytes, slab.get());
  for (std::uint32_t index = count; index-- > 0;) of.free_blocks.emplace_back(slab.get(), index);
  of.slabs.push_back(std::move(slab));
}

void* Heap::allocate_large(std::size_t size, std::size_t alignment, MemoryKind kind, MemoryOwner owner) {
  const std::size_t bytes = mapping_size(size);
  const std::size_t aligned = std::max(alignment, bytes >= HugePage ? HugePage : Granule);
  Chunk* chunk = reuse_large(bytes, aligned, owner.node);
  if (!chunk) {
    auto fresh = std::make_unique<Chunk>();
    fresh->base = static_cast<std::byte*>(map_pages(bytes, aligned));
    fresh->bytes = bytes;
    if (owner.node >= 0) prefer_node(fresh->base, bytes, owner.node);
    chunk = fresh.release();
  }
  const std::uint64_t id = next_id_.fetch_add(1, std::memory_order_relaxed);
  chunk->whole = {chunk->base, size, id, owner, kind, Origin::Own};
  map_.set(chunk->base, bytes, chunk);
  return chunk->base;
}

Chunk* Heap::reuse_large(std::size_t bytes, std::size_t alignment, int node) {
  std::lock_guard lock(large_mutex_);
  auto [first, last] = kept_.equal_range(bytes);
  for (auto it = first; it != last; ++it) {
    Chunk* chunk = it->second;
    if (reinterpret_cast<std::uintptr_t>(chunk->base) % alignment) continue;
    if (chunk->whole.owner.node != node) continue; // its pages lie elsewhere
    kept_.erase(it);
    kept_bytes_ -= bytes;
    return chunk;
  }
  return nullptr;
}

Allocation Heap::find(const void* pointer) const {
  const Chunk* chunk = map_.find(pointer);
  if (!chunk) return program_memory_.find(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation found = chunk->blocks ? describe_block(*chunk, address) : chunk->whole;
  return address - reinterpret_cast<std::uintptr_t>(found.base) < found.size ? found : Allocation{};
}

bool Heap::release(void* base) noexcept {
  auto* chunk = const_cast<Chunk*>(map_.find(base));
  if (!chunk) return program_memory_.remove(base);
  if (chunk->blocks) return release_small(*chunk, base);
  return chunk->whole.base == base && release_whole(chunk);
}

// What was shared is not used again: its next owner would share it with strangers.
bool Heap::release_whole(Chunk* chunk) noexcept {
  const Origin origin = chunk->whole.origin;
  if (origin == Origin::Opened || origin == Origin::Reserved) return false;
  map_.set(chunk->base, chunk->bytes, nullptr);
  Watch::forget(chunk->base, chunk->bytes);
  if (origin == Origin::Own && !chunk->shared.load(std::memory_order_relaxed)) {
    keep_or_unmap(chunk);
  } else {
    unmap_pages(chunk->base, chunk->bytes);
    delete chunk;
  }
  return true;
}

bool Heap::release_small(Chunk& slab, void* base) noexcept {
  const std::size_t offset = static_cast<std::byte*>(base) - slab.base;
  const std::size_t index = offset >> slab.block_shift;
  if (index << slab.block_shift != offset) return false;
  SizeClass& of = classes_[slab.block_shift];
  std::lock_guard lock(of.mutex);
  SlabBlock& block = slab.blocks[index];
  if (block.kind.load(std::memory_order_relaxed) == MemoryKind::Unknown) return false;
  if (ExportedFile* shared = slab.shared.load(std::memory_order_acquire)) [[unlikely]]
    shared->withdraw(static_cast<std::uint32_t>(index));
  block.kind.store(MemoryKind::Unknown, std::memory_order_release);
  of.free_blocks.emplace_back(&slab, static_cast<std::uint32_t>(index)); // grow() reserved the room
  return true;
}

void Heap::keep_or_unmap(Chunk* chunk) noexcept {
  {
    std::lock_guard lock(large_mutex_);
    if (kept_bytes_ + chunk->bytes <= CacheLimit) {
      try {
        kept_.emplace(chunk->bytes, chunk);
        kept_bytes_ += chunk->bytes;
        return;
      } catch (const std::bad_alloc&) { // unmapping is always possible
      }
    }
  }
  unmap_pages(chunk->base, chunk->bytes);
  delete chunk;
}

void Heap::adopt(Mapping mapping, void* block, std::size_t size, MemoryKind kind, MemoryOwner owner, Origin origin) {
  auto chunk = std::make_unique<Chunk>();
  chunk->base = static_cast<std::byte*>(mapping.base);
  chunk->bytes = round_up(mapping.bytes, Granule);
  chunk->whole = {block, size, next_id_.fetch_add(1, std::memory_order_relaxed), owner, kind, origin};
  map_.set(chunk->base, chunk->bytes, chunk.get());
  chunk.release();
}

bool Heap::adopt_program_memory(void* base, std::size_t size, MemoryKind kind, MemoryOwner owner) {
  if (map_.find(base) || map_.find(static_cast<std::byte*>(base) + size - 1)) return false;
  return program_memory_.add(
      {base, size, next_id_.fetch_add(1, std::memory_order_relaxed), owner, kind, Origin::Program});
}

Heap::Mapping Heap::forget(void* block, Origin origin) noexcept {
  const Chunk* chunk = map_.find(block);
  if (!chunk || chunk->blocks || chunk->whole.base != block || chunk->whole.origin != origin) return {};
  const Mapping mapping{chunk->base, chunk->bytes};
  map_.set(chunk->base, chunk->bytes, nullptr);
  delete chunk;
  return mapping;
}

void Heap::make_shared(Chunk& chunk) {
  const std::size_t blocks = chunk.blocks ? chunk.bytes >> chunk.block_shift : 1;
  auto file = std::make_unique<ExportedFile>(chunk.bytes, static_cast<std::uint32_t>(blocks));
  chunk.exported.store(true, std::memory_order_seq_cst); // before the first fault
  if (!chunk.blocks) migrate_to_file(*this, chunk.base, chunk.bytes, file->file(), 0);
  chunk.shared.store(file.release(), std::memory_order_release);
}

// Of a slab only the pages that hold the block: all the others may be in use by whoever knows nothing of exports.
void Heap::move_pages(Chunk& slab, std::size_t offset, std::size_t size) {
  const std::size_t page = base_page_size();
  slab.moved.resize(slab.bytes / page);
  const int file = slab.shared.load(std::memory_order_relaxed)->file();
  for (std::size_t at = offset / page; at * page < offset + size; ++at) {
    if (slab.moved[at]) continue;
    migrate_to_file(*this, slab.base + at * page, page, file, at * page);
    slab.moved[at] = true;
  }
}

IpcHandle Heap::export_block(void* base, IpcKind kind) {
  auto& chunk = *const_cast<Chunk*>(map_.find(base));
  const Allocation block = find(base);
  std::lock_guard lock(export_mutex_);
  if (!chunk.shared.load(std::memory_order_relaxed)) make_shared(chunk);
  const std::size_t offset = static_cast<std::byte*>(base) - chunk.base;
  if (chunk.blocks) move_pages(chunk, offset, block.size);
  const auto entry = static_cast<std::uint32_t>(chunk.blocks ? offset >> chunk.block_shift : 0);
  const SharedBlock shared{block.id, offset, block.size, static_cast<std::uint64_t>(block.kind)};
  return chunk.shared.load(std::memory_order_relaxed)->get(kind, entry, shared, chunk.blocks != nullptr);
}

} // namespace zeroth::cpu
