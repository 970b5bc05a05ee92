// What is opened within one process, and that it is gone when it is closed.
#include "fixture.hpp"
#include "peer.hpp"

#include <cpu/share/semaphore_file.hpp>

#include <fstream>
#include <malloc.h>

namespace device_tests {
namespace {

const Device& the() { return Device::get(); }

// Mappings of this process that are shared memory.
std::size_t shared_mappings() {
  std::ifstream file("/proc/self/maps");
  std::size_t found = 0;
  for (std::string line; std::getline(file, line);) found += line.find("/memfd:") != std::string::npos;
  return found;
}

ze_event_handle_t event_of(ze_event_pool_handle_t pool) {
  const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  ze_event_handle_t event = nullptr;
  EXPECT_OK(zeEventCreate(pool, &desc, &event));
  return event;
}

TEST(Opened, EventPoolsShareTheirEventsUntilTheyAreClosed) {
  const ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                  ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC, 1};
  ze_event_pool_handle_t pool = nullptr, opened = nullptr;
  ASSERT_OK(zeEventPoolCreate(the().context, &desc, 0, nullptr, &pool));
  ze_ipc_event_pool_handle_t handle;
  ASSERT_OK(zeEventPoolGetIpcHandle(pool, &handle));
  auto event = event_of(pool);
  const std::size_t before = shared_mappings();
  ASSERT_OK(zeEventPoolOpenIpcHandle(the().context, handle, &opened));
  auto same = event_of(opened);
  EXPECT_GT(shared_mappings(), before);
  EXPECT_EQ(zeEventQueryStatus(same), ZE_RESULT_NOT_READY);
  EXPECT_OK(zeEventHostSignal(event));
  EXPECT_OK(zeEventQueryStatus(same));
  EXPECT_OK(zeEventDestroy(same));
  EXPECT_OK(zeEventPoolCloseIpcHandle(opened));
  EXPECT_EQ(shared_mappings(), before);
  EXPECT_OK(zeEventQueryStatus(event));
  EXPECT_OK(zeEventDestroy(event));
  EXPECT_OK(zeEventPoolPutIpcHandle(the().context, handle));
  EXPECT_OK(zeEventPoolDestroy(pool));
}

TEST(Opened, CounterBasedEventsFollowUntilTheyAreClosed) {
  const ze_event_counter_based_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, nullptr,
                                           ZE_EVENT_COUNTER_BASED_FLAG_IPC | ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE, 0,
                                           0};
  ze_event_handle_t event = nullptr, opened = nullptr;
  ASSERT_OK(zeEventCounterBasedCreate(the().context, the().device, &desc, &event));
  ASSERT_OK(zeCommandListAppendSignalEvent(shared_list(), event));
  ze_ipc_event_counter_based_handle_t handle;
  ASSERT_OK(zeEventCounterBasedGetIpcHandle(event, &handle));
  const std::size_t before = shared_mappings();
  ASSERT_OK(zeEventCounterBasedOpenIpcHandle(the().context, handle, &opened));
  EXPECT_GT(shared_mappings(), before);
  EXPECT_OK(zeEventHostSynchronize(opened, UINT64_MAX));
  EXPECT_OK(zeEventQueryStatus(opened));
  EXPECT_OK(zeEventCounterBasedCloseIpcHandle(opened));
  EXPECT_EQ(shared_mappings(), before);
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  EXPECT_OK(zeEventDestroy(event));
}

TEST(Opened, MemoryIsUnknownOnceItIsClosed) {
  const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *memory = nullptr, *opened = nullptr;
  ASSERT_OK(zeMemAllocDevice(the().context, &desc, 100000, 0, the().device, &memory));
  ze_ipc_mem_handle_t handle;
  ASSERT_OK(zeMemGetIpcHandle(the().context, memory, &handle));
  ASSERT_OK(zeMemOpenIpcHandle(the().context, the().device, handle, 0, &opened));
  auto type = [opened] {
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    EXPECT_OK(zeMemGetAllocProperties(the().context, opened, &properties, nullptr));
    return properties.type;
  };
  EXPECT_EQ(type(), ZE_MEMORY_TYPE_DEVICE);
  EXPECT_OK(zeMemCloseIpcHandle(the().context, opened));
  EXPECT_EQ(type(), ZE_MEMORY_TYPE_UNKNOWN);
  EXPECT_OK(zeMemPutIpcHandle(the().context, handle));
  EXPECT_OK(zeMemFree(the().context, memory));
}

TEST(Opened, SemaphoresAreMappedUntilTheyAreReleased) {
  zeroth::cpu::SemaphoreFile file(zeroth::cpu::SemaphoreFile::Kind::Timeline, 3);
  const ze_external_semaphore_fd_ext_desc_t source{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC, nullptr,
                                                   file.file()};
  const ze_external_semaphore_ext_desc_t desc{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_EXT_DESC, &source,
                                              ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD};
  const std::size_t before = shared_mappings();
  ze_external_semaphore_ext_handle_t imported = nullptr;
  ASSERT_OK(zeDeviceImportExternalSemaphoreExt(the().device, &desc, &imported));
  EXPECT_GT(shared_mappings(), before);
  EXPECT_OK(zeDeviceReleaseExternalSemaphoreExt(imported));
  EXPECT_EQ(shared_mappings(), before);
}

// Bytes that this program's allocator has handed out.
std::size_t allocated() { return mallinfo2().uordblks; }

TEST(BuildLogs, GiveTheirMemoryBack) {
  const auto bytes = read_kernel("saxpy");
  const std::vector<std::uint8_t> broken(bytes.begin(), bytes.begin() + 40);
  const ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, broken.size(), broken.data(), "", nullptr};
  constexpr std::size_t Count = 200;
  std::vector<ze_module_build_log_handle_t> logs(Count);
  auto fail = [&](ze_module_build_log_handle_t& log) {
    ze_module_handle_t module = nullptr;
    EXPECT_EQ(zeModuleCreate(the().context, the().device, &desc, &module, &log), ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  };
  fail(logs[0]); // what is kept for all modules, is there now
  EXPECT_OK(zeModuleBuildLogDestroy(logs[0]));
  for (auto& log : logs) fail(log);
  const std::size_t with = allocated();
  for (auto log : logs) EXPECT_OK(zeModuleBuildLogDestroy(log));
  if (with == 0) GTEST_SKIP() << "the allocator does not count";
  EXPECT_LE(allocated() + Count * 32, with);
}

} // namespace
} // namespace device_tests
