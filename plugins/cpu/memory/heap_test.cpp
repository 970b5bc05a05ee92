#include "heap.hpp"

#include "../share/semaphore_file.hpp"
#include "virtual_ranges.hpp"

#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <initializer_list>
#include <random>
#include <set>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace zeroth::cpu {
namespace {

void* host_block(Heap& heap, std::size_t size, std::size_t alignment = 0) {
  return heap.allocate(size, alignment, MemoryKind::Host, {});
}

TEST(Heap, LiveBlocksAreDistinctAlignedAndWritable) {
  Heap heap;
  std::set<void*> seen;
  for (std::size_t size : {1, 63, 64, 65, 4096, 32768, 32769, 1 << 20, 5 << 20})
    for (std::size_t alignment : {0, 1, 64, 4096, 1 << 16, 1 << 21}) {
      void* block = host_block(heap, size, alignment);
      EXPECT_TRUE(seen.insert(block).second);
      if (alignment) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
      }
      std::memset(block, 0x5a, size);
    }
  for (void* block : seen) EXPECT_TRUE(heap.release(block));
}

TEST(Heap, FindsInteriorPointersAndRefusesOneBeyondTheEnd) {
  Heap heap;
  int context = 0, device = 0;
  for (std::size_t size : {100u, 100000u}) {
    auto* block = static_cast<char*>(heap.allocate(size, 0, MemoryKind::Shared, {&context, &device}));
    const Allocation inside = heap.find(block + size - 1);
    EXPECT_EQ(inside.base, block);
    EXPECT_EQ(inside.size, size);
    EXPECT_EQ(inside.kind, MemoryKind::Shared);
    EXPECT_EQ(inside.owner.context, &context);
    EXPECT_EQ(inside.owner.device, &device);
    EXPECT_FALSE(heap.find(block + size));
    heap.release(block);
    EXPECT_FALSE(heap.find(block));
  }
}

TEST(Heap, ForeignPointersAreUnknown) {
  Heap heap;
  int local = 0;
  EXPECT_FALSE(heap.find(&local));
  EXPECT_FALSE(heap.find(nullptr));
  EXPECT_FALSE(heap.find(reinterpret_cast<void*>(~std::uintptr_t{0})));
  EXPECT_FALSE(heap.release(&local));
}

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * base_page_size();
}

TEST(Heap, AddressSpaceOfAnySizeIsKnownAtTheCostOfAFewPages) {
  Heap heap;
  void* const base = reinterpret_cast<void*>(std::uintptr_t{1} << 45);
  constexpr std::size_t Bytes = std::size_t{1} << 46;
  const std::size_t before = resident_bytes();
  heap.adopt({base, Bytes}, base, Bytes, MemoryKind::Reserved, {}, Origin::Reserved);
  EXPECT_LT(resident_bytes(), before + (std::size_t{8} << 20)); // 128 KiB; what sanitizers keep is in it
  EXPECT_EQ(heap.find(static_cast<char*>(base) + Bytes - 1).base, base);
  EXPECT_EQ(heap.forget(base, Origin::Reserved).bytes, Bytes);
  EXPECT_FALSE(heap.find(base));
}

// A limit on file sizes counts for memory files: an error, not the program's end.
TEST(Heap, NoRoomForFilesIsAnError) {
  const pid_t program = fork();
  if (program == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    int errors = 0;
    auto count_error = [&](auto act) {
      try {
        act();
      } catch (const std::bad_alloc&) {
        ++errors;
      }
    };
    Heap heap;
    void* block = host_block(heap, 100);
    count_error([&] { heap.export_block(block, IpcKind::Memory); });
    count_error([] { PhysicalPages pages(Granule); });
    count_error([] { SemaphoreFile semaphore(SemaphoreFile::Kind::Binary, 0); });
    sigset_t pending;
    sigpending(&pending);
    _exit(sigismember(&pending, SIGXFSZ) ? 100 : errors);
  }
  int status = 0;
  ASSERT_EQ(waitpid(program, &status, 0), program);
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

// Of the mapping that holds the address, as the kernel tells it.
bool is_shared(const void* pointer) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, end = 0;
    char access[5] = {};
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &first, &end, access) != 3) continue;
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address >= first && address < end) return access[3] == 's';
  }
  return false;
}

TEST(Heap, AnExportMovesThePagesOfItsBlockAlone) {
  Heap heap;
  constexpr std::size_t Size = Granule / 4, Count = 5; // several pages each
  std::byte* blocks[Count];
  for (std::size_t i = 0; i < Count; ++i) {
    blocks[i] = static_cast<std::byte*>(host_block(heap, Size));
    std::memset(blocks[i], static_cast<int>(i + 1), Size);
  }
  auto expect_shared = [&](std::initializer_list<std::size_t> expected) {
    for (std::size_t i = 0; i < Count; ++i)
      for (std::size_t at : {std::size_t{0}, Size / 2, Size - 1}) {
        EXPECT_EQ(is_shared(blocks[i] + at), std::count(expected.begin(), expected.end(), i) != 0) << i;
        EXPECT_EQ(blocks[i][at], static_cast<std::byte>(i + 1)) << i;
      }
  };
  expect_shared({});
  heap.export_block(blocks[2], IpcKind::Memory);
  expect_shared({2});
  heap.export_block(blocks[2], IpcKind::Memory);
  heap.export_block(blocks[4], IpcKind::Memory);
  expect_shared({2, 4});
  void* large = host_block(heap, 10 * Granule);
  heap.export_block(large, IpcKind::Memory);
  EXPECT_TRUE(is_shared(static_cast<std::byte*>(large) + 9 * Granule));
}

TEST(Heap, SecondReleaseAndInteriorReleaseAreRefused) {
  Heap heap;
  for (std::size_t size : {100u, 100000u}) {
    auto* block = static_cast<char*>(host_block(heap, size));
    EXPECT_FALSE(heap.release(block + 1));
    EXPECT_TRUE(heap.release(block));
    EXPECT_FALSE(heap.release(block));
  }
}

TEST(Heap, IdsAreNeverReused) {
  Heap heap;
  void* first = host_block(heap, 64);
  const std::uint64_t id = heap.find(first).id;
  heap.release(first);
  EXPECT_NE(heap.find(host_block(heap, 64)).id, id);
}

TEST(Heap, AbsurdSizesThrowBadAlloc) {
  Heap heap;
  EXPECT_THROW(host_block(heap, ~std::size_t{0}), std::bad_alloc);
  EXPECT_THROW(host_block(heap, std::size_t{1} << 62), std::bad_alloc);
}

TEST(Heap, LookUpFromManyThreadsWhileOthersAllocate) {
  Heap heap;
  void* fixed = host_block(heap, 500);
  auto churn = [&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<void*> mine;
    for (int i = 0; i < 3000; ++i) {
      void* block = host_block(heap, 1 + random() % 70000);
      *static_cast<unsigned*>(block) = seed;
      mine.push_back(block);
      ASSERT_EQ(heap.find(fixed).base, fixed);
      if (random() % 2) {
        ASSERT_EQ(*static_cast<unsigned*>(mine.back()), seed);
        ASSERT_TRUE(heap.release(mine.back()));
        mine.pop_back();
      }
    }
    for (void* block : mine) ASSERT_TRUE(heap.release(block));
  };
  std::thread a(churn, 1), b(churn, 2), c(churn, 3);
  a.join(), b.join(), c.join();
}

TEST(Heap, AdoptedRangesAreFoundAndForgotten) {
  Heap heap;
  void* pages = map_pages(4 * Granule, Granule);
  heap.adopt({pages, 4 * Granule}, pages, 4 * Granule, MemoryKind::Reserved, {}, Origin::Reserved);
  EXPECT_EQ(heap.find(static_cast<char*>(pages) + 3 * Granule).base, pages);
  EXPECT_FALSE(heap.release(pages)) << "a reservation is not an allocation";
  EXPECT_EQ(heap.forget(pages, Origin::Opened).base, nullptr) << "not its origin";
  EXPECT_EQ(heap.forget(pages, Origin::Reserved).bytes, 4 * Granule);
  EXPECT_FALSE(heap.find(pages));
  unmap_pages(pages, 4 * Granule);
}

// Where the system lets programs choose; the node is a wish, so any may serve.
TEST(Heap, LargeBlocksLieAtTheNodeOfTheirOwner) {
  Heap heap;
  void* block = heap.allocate(1 << 20, 0, MemoryKind::Device, {nullptr, nullptr, 0});
  std::memset(block, 1, 1 << 20);
  int mode = -1;
  unsigned long nodes[16] = {};
  constexpr unsigned long OfAddress = 2, Preferred = 1; // of linux/mempolicy.h
  if (syscall(SYS_get_mempolicy, &mode, nodes, 16 * 8 * sizeof nodes[0], block, OfAddress) != 0)
    GTEST_SKIP() << "the system does not tell where memory lies";
  if (mode == 0) GTEST_SKIP() << "the system does not let programs choose where memory lies";
  EXPECT_EQ(static_cast<unsigned long>(mode), Preferred);
  EXPECT_EQ(nodes[0], 1u);
  EXPECT_TRUE(heap.release(block));
  void* elsewhere = host_block(heap, 1 << 20);
  EXPECT_NE(elsewhere, block) << "whose pages are at that node";
  EXPECT_EQ(heap.allocate(1 << 20, 0, MemoryKind::Device, {nullptr, nullptr, 0}), block);
  EXPECT_TRUE(heap.release(elsewhere) && heap.release(block));
}

} // namespace
} // namespace zeroth::cpu
