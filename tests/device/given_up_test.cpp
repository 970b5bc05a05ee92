// A program that gives up on another process, or on a value that never comes, in the order that comes to its mind: the
// waits go nowhere, and the rest of the device goes on.
#include "fixture.hpp"

#include <cpu/share/semaphore_file.hpp>

#include <thread>
#include <unistd.h>

namespace device_tests {
namespace {

ze_event_handle_t event_of(ze_event_pool_handle_t pool, std::uint32_t index) {
  const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, 0, 0};
  ze_event_handle_t event = nullptr;
  EXPECT_OK(zeEventCreate(pool, &desc, &event));
  return event;
}

ze_command_list_handle_t in_order_list() {
  const ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                     nullptr,
                                     0,
                                     0,
                                     ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
                                     ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                     ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_list_handle_t list = nullptr;
  EXPECT_OK(zeCommandListCreateImmediate(Device::get().context, Device::get().device, &desc, &list));
  return list;
}

void give_up_waiting_for(ze_event_handle_t event) {
  ze_command_list_handle_t list = in_order_list();
  EXPECT_OK(zeCommandListAppendWaitOnEvents(list, 1, &event));
  EXPECT_EQ(zeCommandListHostSynchronize(list, 2'000'000), ZE_RESULT_NOT_READY);
  EXPECT_OK(zeCommandListDestroy(list));
}

// Long enough for whoever still looks at something that is gone.
void expect_that_the_device_works() {
  Array<std::uint8_t> bytes(100);
  const std::uint8_t seven = 7;
  for (int i = 0; i < 20; ++i) {
    usleep(500);
    EXPECT_OK(zeCommandListAppendMemoryFill(shared_list(), bytes.data(), &seven, 1, 100, nullptr, 0, nullptr));
    EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  }
  EXPECT_EQ(bytes[99], 7);
}

// A program that gives up on another process, in the order that comes to its mind: the waits go nowhere, and the rest
// of the device goes on.
TEST(GivenUp, PoolsMayBeClosedWhileListsStillWait) {
  const Device& d = Device::get();
  const ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                  ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC, 10};
  ze_event_pool_handle_t pool = nullptr, opened = nullptr;
  ASSERT_OK(zeEventPoolCreate(d.context, &desc, 0, nullptr, &pool));
  ze_ipc_event_pool_handle_t handle;
  ASSERT_OK(zeEventPoolGetIpcHandle(pool, &handle));
  for (int round = 0; round < 3; ++round) {
    ASSERT_OK(zeEventPoolOpenIpcHandle(d.context, handle, &opened));
    ze_event_handle_t never = event_of(opened, 0);
    give_up_waiting_for(never);
    EXPECT_OK(zeEventDestroy(never));
    EXPECT_OK(zeEventPoolCloseIpcHandle(opened));
    expect_that_the_device_works();
  }
  EXPECT_OK(zeEventPoolDestroy(pool));
}

TEST(GivenUp, CounterBasedEventsMayBeClosedWhileListsStillWait) {
  const Device& d = Device::get();
  const ze_event_counter_based_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, nullptr,
                                           ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE | ZE_EVENT_COUNTER_BASED_FLAG_IPC, 0,
                                           0};
  ze_event_handle_t event = nullptr, opened = nullptr;
  ASSERT_OK(zeEventCounterBasedCreate(d.context, d.device, &desc, &event));
  const ze_event_pool_desc_t own{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
  ze_event_pool_handle_t pool = nullptr;
  ASSERT_OK(zeEventPoolCreate(d.context, &own, 0, nullptr, &pool));
  ze_event_handle_t gate = event_of(pool, 0);
  ze_command_list_handle_t list = in_order_list();
  ASSERT_OK(zeCommandListAppendWaitOnEvents(list, 1, &gate));
  ASSERT_OK(zeCommandListAppendSignalEvent(list, event));
  ze_ipc_event_counter_based_handle_t handle;
  ASSERT_OK(zeEventCounterBasedGetIpcHandle(event, &handle));
  ASSERT_OK(zeEventCounterBasedOpenIpcHandle(d.context, handle, &opened));
  give_up_waiting_for(opened);
  EXPECT_OK(zeEventCounterBasedCloseIpcHandle(opened));
  expect_that_the_device_works();
  EXPECT_OK(zeEventHostSignal(gate));
  EXPECT_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  EXPECT_OK(zeCommandListDestroy(list));
  EXPECT_OK(zeEventDestroy(gate));
  EXPECT_OK(zeEventPoolDestroy(pool));
  EXPECT_OK(zeEventDestroy(event));
}

TEST(GivenUp, ListsMayWaitForASemaphoreThatNobodySignals) {
  using zeroth::cpu::SemaphoreFile;
  const Device& d = Device::get();
  for (ze_command_queue_flags_t flags : {0u, unsigned{ZE_COMMAND_QUEUE_FLAG_IN_ORDER}}) {
    SemaphoreFile file(SemaphoreFile::Kind::Timeline, 0);
    const ze_external_semaphore_fd_ext_desc_t source{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC, nullptr,
                                                     file.file()};
    const ze_external_semaphore_ext_desc_t desc{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_EXT_DESC, &source,
                                                ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_VK_TIMELINE_SEMAPHORE_FD};
    ze_external_semaphore_ext_handle_t semaphore = nullptr;
    ASSERT_OK(zeDeviceImportExternalSemaphoreExt(d.device, &desc, &semaphore));
    const ze_command_queue_desc_t queue{
        ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, flags, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
        ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    ze_command_list_handle_t list = nullptr;
    ASSERT_OK(zeCommandListCreateImmediate(d.context, d.device, &queue, &list));
    ze_external_semaphore_wait_params_ext_t wait{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS_EXT, nullptr, 1};
    ASSERT_OK(zeCommandListAppendWaitExternalSemaphoreExt(list, 1, &semaphore, &wait, nullptr, 0, nullptr));
    EXPECT_EQ(zeCommandListHostSynchronize(list, 20'000'000), ZE_RESULT_NOT_READY);
    EXPECT_OK(zeCommandListDestroy(list));
    EXPECT_OK(zeDeviceSynchronize(d.device)) << "whoever destroyed the list does not wait for it";
    expect_that_the_device_works();
    file.signal(1);
    while (zeDeviceReleaseExternalSemaphoreExt(semaphore) == ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE)
      std::this_thread::yield();
  }
}

TEST(GivenUp, StorageMayBeFreedOrUnmappedWhileListsStillWait) {
  const Device& d = Device::get();
  auto wait_over = [&](void* memory) {
    auto* word = static_cast<std::uint64_t*>(memory);
    *word = 0;
    const ze_event_counter_based_external_sync_allocation_desc_t storage{
        ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_SYNC_ALLOCATION_DESC, nullptr, word, word, 1};
    const ze_event_counter_based_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, &storage,
                                             ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE, 0, 0};
    ze_event_handle_t event = nullptr;
    EXPECT_OK(zeEventCounterBasedCreate(d.context, d.device, &desc, &event));
    give_up_waiting_for(event);
    EXPECT_OK(zeEventDestroy(event));
  };
  const ze_device_mem_alloc_desc_t device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void* large = nullptr; // more than is kept for reuse
  ASSERT_OK(zeMemAllocDevice(d.context, &device, std::size_t{300} << 20, 0, d.device, &large));
  wait_over(large);
  EXPECT_OK(zeMemFree(d.context, large));
  expect_that_the_device_works();
  constexpr std::size_t Size = 1 << 16;
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, Size};
  ze_physical_mem_handle_t pages = nullptr;
  void* range = nullptr;
  ASSERT_OK(zePhysicalMemCreate(d.context, d.device, &desc, &pages));
  ASSERT_OK(zeVirtualMemReserve(d.context, nullptr, Size, &range));
  ASSERT_OK(zeVirtualMemMap(d.context, range, Size, pages, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  wait_over(range);
  EXPECT_OK(zeVirtualMemUnmap(d.context, range, Size));
  expect_that_the_device_works();
  EXPECT_OK(zeVirtualMemFree(d.context, range, Size));
  EXPECT_OK(zePhysicalMemDestroy(d.context, pages));
}

} // namespace
} // namespace device_tests
