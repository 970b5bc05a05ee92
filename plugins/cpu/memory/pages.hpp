// Whole pages from the operating system: the only place of the device that maps and unmaps memory for programs.
// Threads: every function may be called from any thread. Ownership: the caller owns a mapping until unmap().
#pragma once
#include <cstddef>

namespace zeroth::cpu {

// Every mapping starts on and fills whole granules, so that one granule never belongs to two allocations.
inline constexpr std::size_t Granule = std::size_t{64} << 10;
inline constexpr std::size_t HugePage = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

std::size_t base_page_size();

// Zeroed memory of `size` bytes (a multiple of Granule) at a multiple of `alignment` (a power of two, at least
// Granule); blocks of a huge page and more ask for huge pages. Throws std::bad_alloc.
void* map_pages(std::size_t size, std::size_t alignment);
// Pages that are not yet there shall come from this node of the machine's memory, as long as it has any.
void prefer_node(void* base, std::size_t size, int node) noexcept;

void unmap_pages(void* base, std::size_t size) noexcept;

} // namespace zeroth::cpu
