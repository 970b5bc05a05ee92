// Memory across processes: every way to the pages, and what becomes of handles whose memory has gone.
#include "fixture.hpp"
#include "peer.hpp"

#include <cpu/share/ipc_handle.hpp>

#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace device_tests {
namespace {

const ze_device_mem_alloc_desc_t on_device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
const ze_host_mem_alloc_desc_t on_host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};

unsigned char* allocate(std::size_t size, bool host = false) {
  const Device& d = Device::get();
  void* memory = nullptr;
  if (host) {
    EXPECT_OK(zeMemAllocHost(d.context, &on_host, size, 0, &memory));
  } else {
    EXPECT_OK(zeMemAllocDevice(d.context, &on_device, size, 0, d.device, &memory));
  }
  auto* bytes = static_cast<unsigned char*>(memory);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 7);
  return bytes;
}

ze_ipc_mem_handle_t handle_of(const void* memory) {
  ze_ipc_mem_handle_t handle;
  EXPECT_OK(zeMemGetIpcHandle(Device::get().context, memory, &handle));
  return handle;
}

void expect_written_by_peer(const unsigned char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(bytes[i], static_cast<unsigned char>(i * 11)) << i;
}

// The device's threads, and the socket that serves handles of this process.
void open_what_is_opened_once() {
  const Device& d = Device::get();
  EXPECT_OK(zeCommandListAppendBarrier(shared_list(), nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  zeMemFree(d.context, allocate(1));
  unsigned char* memory = allocate(70000);
  EXPECT_OK(zeMemPutIpcHandle(d.context, handle_of(memory)));
  EXPECT_OK(zeMemFree(d.context, memory));
}

TEST(Ipc, MemoryOfEverySizeIsSeenByBothProcessesAndLeavesNoDescriptor) {
  const Device& d = Device::get();
  open_what_is_opened_once();
  const std::size_t before = open_descriptors();
  for (bool host : {false, true})
    for (std::size_t size : {100u, 5000u, 100000u, 5000000u}) {
      unsigned char* bytes = allocate(size, host);
      const auto handle = handle_of(bytes);
      EXPECT_EQ(Peer({"memory", as_text(handle), std::to_string(size)}).end(), 0) << size;
      expect_written_by_peer(bytes, size);
      EXPECT_OK(zeMemPutIpcHandle(d.context, handle));
      EXPECT_OK(zeMemPutIpcHandle(d.context, handle)) << "put back before: there is nothing to do";
      EXPECT_OK(zeMemFree(d.context, bytes));
      EXPECT_EQ(zeMemPutIpcHandle(d.context, handle), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "the memory is gone";
    }
  // A slab of small blocks keeps its file, one per size class.
  EXPECT_LE(open_descriptors(), before + 2);
}

TEST(Ipc, TheFirstBytesAreADescriptorThatMayBePassedAlong) {
  const Device& d = Device::get();
  constexpr std::size_t Size = 70000;
  unsigned char* bytes = allocate(Size);
  auto handle = handle_of(bytes);
  int file = -1;
  std::memcpy(&file, handle.data, sizeof file);
  const int passed = fcntl(file, F_DUPFD, 100); // inherited, under another number
  ASSERT_GE(passed, 100);
  std::memcpy(handle.data, &passed, sizeof passed);
  const int nobody = -1;
  std::memcpy(handle.data + sizeof file, &nobody, sizeof nobody); // the exporter cannot be asked
  EXPECT_EQ(Peer({"memory", as_text(handle), std::to_string(Size)}).end(), 0);
  close(passed);
  expect_written_by_peer(bytes, Size);
  EXPECT_OK(zeMemFree(d.context, bytes));
}

TEST(Ipc, ABrokerHelpsWhereDescriptorsMayNotBeTaken) {
  for (std::size_t size : {1000u, 70000u}) {
    unsigned char* bytes = allocate(size);
    EXPECT_EQ(Peer({"memory", as_text(handle_of(bytes)), std::to_string(size), "forbid"}).end(), 0);
    expect_written_by_peer(bytes, size);
    EXPECT_OK(zeMemFree(Device::get().context, bytes));
  }
}

TEST(Ipc, AHandleOfFreedMemoryIsStaleInEveryProcess) {
  const Device& d = Device::get();
  for (std::size_t size : {1000u, 70000u}) {
    unsigned char* bytes = allocate(size);
    const auto handle = handle_of(bytes);
    EXPECT_OK(zeMemFree(d.context, bytes));
    unsigned char* again = allocate(size); // perhaps in the same place
    void* opened = nullptr;
    EXPECT_EQ(zeMemOpenIpcHandle(d.context, d.device, handle, 0, &opened), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(Peer({"stale", as_text(handle)}).end(), 0);
    EXPECT_OK(zeMemFree(d.context, again));
  }
}

TEST(Ipc, AHandleThatWasPutBackOpensNoMoreButANewOneDoes) {
  const Device& d = Device::get();
  unsigned char* bytes = allocate(70000);
  const auto first = handle_of(bytes), second = handle_of(bytes);
  EXPECT_OK(zeMemPutIpcHandle(d.context, first));
  void* opened = nullptr;
  ASSERT_OK(zeMemOpenIpcHandle(d.context, d.device, second, 0, &opened)) << "one user is left";
  static_cast<unsigned char*>(opened)[5] = 99;
  EXPECT_EQ(bytes[5], 99);
  EXPECT_OK(zeMemCloseIpcHandle(d.context, opened));
  EXPECT_OK(zeMemPutIpcHandle(d.context, second));
  EXPECT_EQ(zeMemOpenIpcHandle(d.context, d.device, second, 0, &opened), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ASSERT_OK(zeMemOpenIpcHandle(d.context, d.device, handle_of(bytes), 0, &opened));
  EXPECT_OK(zeMemCloseIpcHandle(d.context, opened));
  EXPECT_OK(zeMemFree(d.context, bytes));
}

TEST(Ipc, OnlyStartsOfOwnAllocationsHaveHandles) {
  const Device& d = Device::get();
  unsigned char* bytes = allocate(70000);
  ze_ipc_mem_handle_t handle;
  int local = 0;
  EXPECT_EQ(zeMemGetIpcHandle(d.context, bytes + 1, &handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeMemGetIpcHandle(d.context, &local, &handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeMemCloseIpcHandle(d.context, bytes), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  std::memset(handle.data, 0x5a, sizeof handle.data);
  void* opened = nullptr;
  EXPECT_EQ(zeMemOpenIpcHandle(d.context, d.device, handle, 0, &opened), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeMemPutIpcHandle(d.context, handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(zeMemFree(d.context, bytes));
}

TEST(Ipc, DescriptorsAndHandlesTurnIntoEachOther) {
  const Device& d = Device::get();
  for (std::size_t size : {300u, 70000u}) {
    unsigned char* neighbour = allocate(size);
    unsigned char* bytes = allocate(size);
    handle_of(neighbour);
    std::uint64_t descriptor = 0;
    ASSERT_OK(zeMemGetFileDescriptorFromIpcHandleExp(d.context, handle_of(bytes), &descriptor));
    ze_ipc_mem_handle_t handle;
    ASSERT_OK(zeMemGetIpcHandleFromFileDescriptorExp(d.context, descriptor, &handle));
    bytes[7] = 200;
    void* opened = nullptr;
    ASSERT_OK(zeMemOpenIpcHandle(d.context, d.device, handle, 0, &opened));
    EXPECT_EQ(static_cast<unsigned char*>(opened)[7], 200) << "this block, not its neighbour";
    EXPECT_OK(zeMemCloseIpcHandle(d.context, opened));
    EXPECT_OK(zeMemFree(d.context, bytes));
    EXPECT_OK(zeMemFree(d.context, neighbour));
  }
  ze_ipc_mem_handle_t handle;
  for (std::uint64_t none : {std::uint64_t{0}, std::uint64_t{1} << 32, ~std::uint64_t{0}})
    EXPECT_EQ(zeMemGetIpcHandleFromFileDescriptorExp(d.context, none, &handle), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

// Whatever the bytes of a handle have become on their way: it opens no more than its memory, or nothing.
TEST(Ipc, DamagedHandlesOpenNothingBeyondTheirMemory) {
  const Device& d = Device::get();
  constexpr std::size_t Size = 70000;
  unsigned char* bytes = allocate(Size);
  const auto whole = handle_of(bytes);
  Random random(7);
  for (int i = 0; i < 5000; ++i) {
    auto damaged = whole;
    for (std::uint32_t n = 1 + random.next() % 3; n > 0; --n)
      damaged.data[random.next() % sizeof damaged.data] = static_cast<char>(random.next() % 4 ? random.next() : 0);
    if (i % 4) zeroth::cpu::IpcHandle::from(damaged).to(damaged); // by somebody who knows how they are sealed
    void* opened = nullptr;
    const ze_result_t result = zeMemOpenIpcHandle(d.context, d.device, damaged, 0, &opened);
    if (result != ZE_RESULT_SUCCESS) {
      ASSERT_TRUE(result == ZE_RESULT_ERROR_INVALID_ARGUMENT || result == ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS)
          << std::hex << result;
      continue;
    }
    void* base = nullptr;
    std::size_t size = 0;
    ASSERT_OK(zeMemGetAddressRange(d.context, opened, &base, &size));
    ASSERT_TRUE(size > 0 && size <= Size) << size;
    static_cast<unsigned char*>(opened)[size - 1] = 1;
    ASSERT_OK(zeMemCloseIpcHandle(d.context, opened));
  }
  EXPECT_OK(zeMemFree(d.context, bytes));
}

TEST(Ipc, AHandleWithAnyByteChangedBehindItsDescriptorIsNone) {
  const Device& d = Device::get();
  unsigned char* bytes = allocate(70000);
  const auto whole = handle_of(bytes);
  void* opened = nullptr;
  for (std::size_t at = sizeof(int) * 2; at < sizeof whole.data; ++at) {
    auto changed = whole;
    changed.data[at] ^= 4;
    EXPECT_EQ(zeMemOpenIpcHandle(d.context, d.device, changed, 0, &opened), ZE_RESULT_ERROR_INVALID_ARGUMENT) << at;
    EXPECT_EQ(zeMemPutIpcHandle(d.context, changed), ZE_RESULT_ERROR_INVALID_ARGUMENT) << at;
  }
  ASSERT_OK(zeMemOpenIpcHandle(d.context, d.device, whole, 0, &opened));
  EXPECT_OK(zeMemCloseIpcHandle(d.context, opened));
  EXPECT_OK(zeMemFree(d.context, bytes));
}

// Random bytes of the kind that is asked for, with descriptors and processes that exist.
template <class Handle> Handle random_handle(Random& random, char kind) {
  Handle handle;
  for (char& byte : handle.data) byte = static_cast<char>(random.next());
  const int front[] = {static_cast<int>(random.next() % 64), random.next() % 2 ? getpid() : getppid()};
  if (random.next() % 3) std::memcpy(handle.data, front, sizeof front);
  handle.data[52] = kind, handle.data[53] = 0;
  return handle;
}

TEST(Ipc, RandomBytesAreNoHandleAndTouchNoDescriptor) {
  const Device& d = Device::get();
  open_what_is_opened_once();
  const std::size_t before = open_descriptors();
  Random random(11);
  for (int i = 0; i < 20000; ++i) {
    const auto memory = random_handle<ze_ipc_mem_handle_t>(random, 1);
    const auto pool = random_handle<ze_ipc_event_pool_handle_t>(random, 2);
    const auto counter = random_handle<ze_ipc_event_counter_based_handle_t>(random, 3);
    void* opened = nullptr;
    std::uint64_t descriptor = 0;
    ze_event_pool_handle_t events = nullptr;
    ze_event_handle_t event = nullptr;
    ASSERT_EQ(zeMemOpenIpcHandle(d.context, d.device, memory, 0, &opened), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ASSERT_EQ(zeMemPutIpcHandle(d.context, memory), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ASSERT_EQ(zeMemGetFileDescriptorFromIpcHandleExp(d.context, memory, &descriptor), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ASSERT_EQ(zeEventPoolOpenIpcHandle(d.context, pool, &events), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ASSERT_EQ(zeEventPoolPutIpcHandle(d.context, pool), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ASSERT_EQ(zeEventCounterBasedOpenIpcHandle(d.context, counter, &event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Ipc, NoWriteIsLostWhileAnAllocationBecomesShared) {
  const Device& d = Device::get();
  constexpr std::size_t Size = 4 << 20;
  for (int round = 0; round < 20; ++round) {
    unsigned char* bytes = allocate(Size);
    std::atomic<bool> stop{false};
    auto* counters = reinterpret_cast<std::atomic<std::uint64_t>*>(bytes);
    constexpr std::size_t Step = 4096 / 8, Count = Size / 8 / Step;
    for (std::size_t i = 0; i < Count; ++i) counters[i * Step] = 0;
    std::uint64_t rounds = 0;
    std::thread writer([&] {
      do {
        for (std::size_t i = 0; i < Count; ++i) counters[i * Step].fetch_add(1, std::memory_order_relaxed);
        ++rounds;
      } while (!stop);
    });
    while (counters[0] < 3) std::this_thread::yield();
    const auto handle = handle_of(bytes);
    stop = true;
    writer.join();
    void* opened = nullptr;
    ASSERT_OK(zeMemOpenIpcHandle(d.context, d.device, handle, 0, &opened));
    for (std::size_t i = 0; i < Count; ++i)
      ASSERT_EQ(static_cast<std::atomic<std::uint64_t>*>(opened)[i * Step], rounds) << i;
    EXPECT_OK(zeMemCloseIpcHandle(d.context, opened));
    EXPECT_OK(zeMemFree(d.context, bytes));
  }
}

TEST(Ipc, RangesOfPhysicalMemory) {
  const Device& d = Device::get();
  std::size_t page = 0;
  ASSERT_OK(zeVirtualMemQueryPageSize(d.context, d.device, 1 << 16, &page));
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, 4 * page};
  ze_physical_mem_handle_t pages = nullptr;
  void* range = nullptr;
  ASSERT_OK(zePhysicalMemCreate(d.context, d.device, &desc, &pages));
  ASSERT_OK(zeVirtualMemReserve(d.context, nullptr, 4 * page, &range));
  ASSERT_OK(zeVirtualMemMap(d.context, range, 3 * page, pages, page, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  auto* part = static_cast<unsigned char*>(range) + page;
  for (std::size_t i = 0; i < page; ++i) part[i] = static_cast<unsigned char>(i * 7);
  ze_ipc_phys_mem_handle_range_ext_desc_t wanted{ZE_STRUCTURE_TYPE_IPC_PHYS_MEM_HANDLE_RANGE_EXT_DESC, nullptr, page};
  ze_ipc_mem_handle_t handle;
  ASSERT_OK(zeMemGetIpcHandleWithProperties(d.context, part, &wanted, &handle));
  EXPECT_EQ(Peer({"memory", as_text(handle), std::to_string(page)}).end(), 0);
  expect_written_by_peer(part, page);
  wanted.size = 3 * page;
  EXPECT_EQ(zeMemGetIpcHandleWithProperties(d.context, part, &wanted, &handle), ZE_RESULT_ERROR_INVALID_ARGUMENT)
      << "beyond what is mapped";
  EXPECT_OK(zeVirtualMemUnmap(d.context, range, 3 * page));
  EXPECT_OK(zeVirtualMemFree(d.context, range, 4 * page));
  EXPECT_OK(zePhysicalMemDestroy(d.context, pages));
}

} // namespace
} // namespace device_tests
