#include "heap.hpp"
#include "pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace zeroth::cpu {
namespace {

struct Pages {
  explicit Pages(std::size_t count) : size(count * base_page_size()) {
    base = static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  ~Pages() { munmap(base, size); }
  char* base;
  const std::size_t size;
};

// Neighbours in one granule, which the map of addresses could not tell from each other.
TEST(ProgramMemory, IsFoundPageByPageAndStaysTheProgramsOwn) {
  Heap heap;
  Pages pages(4);
  const std::size_t page = base_page_size();
  char *const first = pages.base, *const second = pages.base + 2 * page;
  ASSERT_TRUE(heap.adopt_program_memory(first, page, MemoryKind::Host, {}));
  ASSERT_TRUE(heap.adopt_program_memory(second, page, MemoryKind::Host, {}));
  EXPECT_FALSE(heap.adopt_program_memory(first, 4 * page, MemoryKind::Host, {})) << "taken";
  EXPECT_FALSE(heap.adopt_program_memory(second, page, MemoryKind::Host, {})) << "taken";
  const Allocation found = heap.find(second + page - 1);
  EXPECT_EQ(found.base, second);
  EXPECT_EQ(found.size, page);
  EXPECT_EQ(found.origin, Origin::Program);
  EXPECT_NE(found.id, heap.find(first).id);
  EXPECT_FALSE(heap.find(first + page));
  EXPECT_FALSE(heap.release(second + 1));
  EXPECT_TRUE(heap.release(second));
  EXPECT_FALSE(heap.release(second));
  EXPECT_FALSE(heap.find(second));
  EXPECT_TRUE(heap.find(first));
  EXPECT_TRUE(heap.release(first));
  first[0] = second[0] = 1;
}

TEST(ProgramMemory, IsNotTheHeapsOwn) {
  Heap heap;
  void* block = heap.allocate(1 << 20, 0, MemoryKind::Device, {});
  EXPECT_FALSE(heap.adopt_program_memory(block, base_page_size(), MemoryKind::Host, {}));
  EXPECT_TRUE(heap.release(block));
}

TEST(ProgramMemory, IsMappedThroughout) {
  Pages pages(4);
  const std::size_t page = base_page_size();
  EXPECT_TRUE(is_mapped(pages.base, pages.size, true));
  EXPECT_TRUE(is_mapped(pages.base + page, page, true));
  mprotect(pages.base + 2 * page, page, PROT_READ);
  EXPECT_TRUE(is_mapped(pages.base, pages.size, false));
  EXPECT_FALSE(is_mapped(pages.base, pages.size, true));
  EXPECT_TRUE(is_mapped(pages.base, 2 * page, true));
  munmap(pages.base + page, page);
  EXPECT_FALSE(is_mapped(pages.base, pages.size, false));
  EXPECT_FALSE(is_mapped(nullptr, page, false));
  void* last = reinterpret_cast<void*>(~std::uintptr_t{page - 1});
  for (std::size_t size : {page, 2 * page, ~(page - 1)}) EXPECT_FALSE(is_mapped(last, size, false)) << size;
}

} // namespace
} // namespace zeroth::cpu
