// Maps a part of somebody's file into whole granules of our own, so that look-ups of pointers work as for any memory.
#pragma once
#include "heap.hpp"

namespace zeroth::cpu {

struct FileMapping {
  Heap::Mapping mapping;
  void* block = nullptr; // where the part begins
};

// Shared with all others who map it. `offset` may be any byte. Throws std::bad_alloc.
FileMapping map_file(int file, std::uint64_t offset, std::size_t size);

// Bytes of the file, or of whatever can tell its size by its end (dma-buf); 0 when that cannot be told.
std::size_t size_of_file(int file);

} // namespace zeroth::cpu
