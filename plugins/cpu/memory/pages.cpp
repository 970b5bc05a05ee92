#include "pages.hpp"

#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace zeroth::cpu {

std::size_t base_page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void* map_pages(std::size_t size, std::size_t alignment) {
  const std::size_t padded = size + alignment;
  if (padded < size) throw std::bad_alloc();
  void* raw = mmap(nullptr, padded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) throw std::bad_alloc();
  const auto start = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t base = round_up(start, alignment);
  if (base > start) munmap(raw, base - start);
  const std::uintptr_t tail = base + size;
  if (start + padded > tail) munmap(reinterpret_cast<void*>(tail), start + padded - tail);
  if (size >= HugePage) madvise(reinterpret_cast<void*>(base), size, MADV_HUGEPAGE);
  return reinterpret_cast<void*>(base);
}

void prefer_node(void* base, std::size_t size, int node) noexcept {
  constexpr int Preferred = 1; // MPOL_PREFERRED of linux/mempolicy.h
  constexpr unsigned Bits = 8 * sizeof(unsigned long);
  unsigned long nodes[16] = {};
  if (node < 0 || static_cast<unsigned>(node) >= 16 * Bits) return;
  nodes[static_cast<unsigned>(node) / Bits] = 1ul << static_cast<unsigned>(node) % Bits;
  syscall(SYS_mbind, base, size, Preferred, nodes, 16 * Bits, 0); // a wish: some systems refuse it
}

void unmap_pages(void* base, std::size_t size) noexcept {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(base, size); // pages of fibers' stacks keep marks of their frames
#endif
  munmap(base, size);
}

} // namespace zeroth::cpu
