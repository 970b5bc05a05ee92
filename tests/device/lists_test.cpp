// Regular and immediate lists, queues and fences: the order in which work is done, and what lists tell about
// themselves.
#include "offers.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace device_tests {
namespace {

ze_command_queue_desc_t queue_desc(ze_command_queue_flags_t flags = 0,
                                   ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                   ze_command_queue_priority_t priority = ZE_COMMAND_QUEUE_PRIORITY_NORMAL) {
  return {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, flags, mode, priority};
}

// A list, and a queue for it where it is a regular one.
class Lists : public testing::Test {
protected:
  Lists() {
    const Device& d = Device::get();
    const auto desc = queue_desc();
    const ze_command_list_desc_t list{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, ZE_COMMAND_LIST_FLAG_IN_ORDER};
    EXPECT_OK(zeCommandQueueCreate(d.context, d.device, &desc, &queue_));
    EXPECT_OK(zeCommandListCreate(d.context, d.device, &list, &list_));
  }
  ~Lists() override {
    EXPECT_OK(zeCommandListDestroy(list_));
    EXPECT_OK(zeCommandQueueDestroy(queue_));
  }
  void fill(std::uint32_t value) {
    EXPECT_OK(zeCommandListAppendMemoryFill(list_, words_.data(), &value, sizeof value, words_.size() * sizeof value,
                                            nullptr, 0, nullptr));
  }
  void execute(ze_fence_handle_t fence = nullptr) {
    EXPECT_OK(zeCommandQueueExecuteCommandLists(queue_, 1, &list_, fence));
  }
  void finish() { EXPECT_OK(zeCommandQueueSynchronize(queue_, UINT64_MAX)); }
  void expect_all(std::uint32_t value) {
    for (std::size_t i = 0; i < words_.size(); ++i) ASSERT_EQ(words_[i], value) << i;
  }

  ze_command_queue_handle_t queue_ = nullptr;
  ze_command_list_handle_t list_ = nullptr;
  Array<std::uint32_t> words_{1 << 20};
};

TEST_F(Lists, ExecuteAgainAndAgain) {
  fill(7);
  EXPECT_OK(zeCommandListClose(list_));
  expect_all(0);
  for (int i = 0; i < 3; ++i) {
    words_[5] = words_[words_.size() - 1] = 1;
    execute();
    finish();
    expect_all(7);
  }
}

TEST_F(Lists, ClosedOnesTakeNoMoreAndResetOnesBeginAnew) {
  fill(1);
  EXPECT_OK(zeCommandListClose(list_));
  const std::uint32_t value = 2;
  EXPECT_NE(zeCommandListAppendMemoryFill(list_, words_.data(), &value, 4, 4, nullptr, 0, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_OK(zeCommandListReset(list_));
  Array<std::uint32_t> copy(words_.size());
  fill(3);
  EXPECT_OK(zeCommandListAppendMemoryCopy(list_, copy.data(), words_.data(), 4 * copy.size(), nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListClose(list_));
  execute();
  finish();
  expect_all(3);
  EXPECT_EQ(copy[copy.size() - 1], 3u);
}

TEST_F(Lists, OpenOnesAreNotExecuted) {
  fill(1);
  EXPECT_NE(zeCommandQueueExecuteCommandLists(queue_, 1, &list_, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_OK(zeCommandListClose(list_));
  execute();
  finish();
  expect_all(1);
}

TEST_F(Lists, FencesAreSignalledAfterTheWork) {
  const ze_fence_desc_t desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
  ze_fence_handle_t fence = nullptr;
  ASSERT_OK(zeFenceCreate(queue_, &desc, &fence));
  EXPECT_EQ(zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
  fill(9);
  EXPECT_OK(zeCommandListClose(list_));
  for (int i = 0; i < 2; ++i) {
    execute(fence);
    EXPECT_OK(zeFenceHostSynchronize(fence, UINT64_MAX));
    expect_all(9);
    EXPECT_OK(zeFenceQueryStatus(fence));
    EXPECT_OK(zeFenceReset(fence));
    EXPECT_EQ(zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
    EXPECT_EQ(zeFenceHostSynchronize(fence, 0), ZE_RESULT_NOT_READY);
    words_[7] = 0;
  }
  EXPECT_OK(zeFenceDestroy(fence));
}

// "A fence doesn't implicitly reset. Signaling a signaled fence … is valid and has no effect".
TEST_F(Lists, ASignalledFenceIsSignalledAgain) {
  const ze_fence_desc_t desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, ZE_FENCE_FLAG_SIGNALED};
  ze_fence_handle_t fence = nullptr;
  ASSERT_OK(zeFenceCreate(queue_, &desc, &fence));
  EXPECT_OK(zeFenceQueryStatus(fence));
  fill(3);
  EXPECT_OK(zeCommandListClose(list_));
  execute(fence);
  EXPECT_OK(zeFenceQueryStatus(fence)) << "whatever the list does";
  finish();
  expect_all(3);
  EXPECT_OK(zeFenceQueryStatus(fence));
  EXPECT_OK(zeFenceDestroy(fence));
}

TEST_F(Lists, ImmediateOnesTakeRegularOnes) {
  fill(4);
  EXPECT_OK(zeCommandListClose(list_));
  EXPECT_OK(zeCommandListImmediateAppendCommandListsExp(shared_list(), 1, &list_, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  expect_all(4);
  words_[1] = 0;
  EXPECT_OK(
      zeCommandListImmediateAppendCommandListsWithParameters(shared_list(), 1, &list_, nullptr, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  expect_all(4);
}

void count_call(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

TEST_F(Lists, HostFunctionsRunInTheirTurn) {
  std::atomic<int> calls = 0;
  const auto list = shared_list();
  EXPECT_OK(zeCommandListAppendHostFunction(list, count_call, &calls, nullptr, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  EXPECT_EQ(calls, 1);
}

TEST_F(Lists, CopyAndFillWithParameters) {
  const std::uint32_t value = 0x12345678;
  Array<std::uint32_t> copy(words_.size());
  const std::size_t bytes = 4 * words_.size();
  const auto list = shared_list();
  EXPECT_OK(
      zeCommandListAppendMemoryFillWithParameters(list, words_.data(), &value, 4, bytes, nullptr, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListAppendMemoryCopyWithParameters(list, copy.data(), words_.data(), bytes, nullptr, nullptr, 0,
                                                        nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  expect_all(value);
  EXPECT_EQ(std::count(copy.data(), copy.data() + copy.size(), value), std::ptrdiff_t(copy.size()));
}

TEST_F(Lists, CopiesFromAnotherContext) {
  const Device& d = Device::get();
  const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  const ze_host_mem_alloc_desc_t host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  ze_context_handle_t other = nullptr;
  ASSERT_OK(zeContextCreateEx(d.driver, &desc, 0, nullptr, &other));
  void* memory = nullptr;
  ASSERT_OK(zeMemAllocHost(other, &host, 4 * words_.size(), 64, &memory));
  std::iota(static_cast<std::uint32_t*>(memory), static_cast<std::uint32_t*>(memory) + words_.size(), 0u);
  EXPECT_OK(zeCommandListAppendMemoryCopyFromContext(shared_list(), words_.data(), other, memory, 4 * words_.size(),
                                                     nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  for (std::size_t i = 0; i < words_.size(); ++i) ASSERT_EQ(words_[i], i);
  EXPECT_OK(zeMemFree(other, memory));
  EXPECT_OK(zeContextDestroy(other));
}

// 3 × 2 × 2 elements from (1, 2, 1) of a 8 × 6 × 4 box to (4, 1, 0) of one with other pitches.
TEST_F(Lists, CopiesOfRegions) {
  Array<std::uint32_t> from(8 * 6 * 4), to(10 * 5 * 3);
  std::iota(from.data(), from.data() + from.size(), 1u);
  const ze_copy_region_t target{4 * 4, 1, 0, 3 * 4, 2, 2}, source{1 * 4, 2, 1, 3 * 4, 2, 2};
  EXPECT_OK(zeCommandListAppendMemoryCopyRegion(shared_list(), to.data(), &target, 10 * 4, 50 * 4, from.data(), &source,
                                                8 * 4, 48 * 4, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  for (std::size_t z = 0; z < 3; ++z)
    for (std::size_t y = 0; y < 5; ++y)
      for (std::size_t x = 0; x < 10; ++x) {
        const bool inside = z < 2 && y >= 1 && y < 3 && x >= 4 && x < 7;
        const std::size_t origin = (z + 1) * 48 + (y + 1) * 8 + x - 3;
        ASSERT_EQ(to[z * 50 + y * 10 + x], inside ? from[origin] : 0u) << x << ',' << y << ',' << z;
      }
}

TEST_F(Lists, GlobalTimestampsGrow) {
  Array<std::uint64_t> stamps(3);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_OK(zeCommandListAppendWriteGlobalTimestamp(shared_list(), stamps.data() + i, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  EXPECT_GT(stamps[0], 0u);
  EXPECT_LE(stamps[0], stamps[1]);
  EXPECT_LE(stamps[1], stamps[2]);
  std::uint64_t host = 0, device = 0;
  EXPECT_OK(zeDeviceGetGlobalTimestamps(Device::get().device, &host, &device));
  EXPECT_GT(host, 0u);
  EXPECT_GE(device, stamps[2]);
}

TEST_F(Lists, TellWhatTheyAre) {
  const Device& d = Device::get();
  const auto desc = queue_desc(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
                               ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW);
  ze_command_list_handle_t immediate = nullptr;
  ASSERT_OK(zeCommandListCreateImmediate(d.context, d.device, &desc, &immediate));
  for (auto list : {list_, immediate}) {
    ze_device_handle_t device = nullptr;
    ze_context_handle_t context = nullptr;
    std::uint32_t ordinal = 77;
    ze_bool_t is_immediate = 2;
    EXPECT_OK(zeCommandListGetDeviceHandle(list, &device));
    EXPECT_OK(zeCommandListGetContextHandle(list, &context));
    EXPECT_OK(zeCommandListGetOrdinal(list, &ordinal));
    EXPECT_OK(zeCommandListIsImmediate(list, &is_immediate));
    EXPECT_EQ(device, d.device);
    EXPECT_EQ(context, d.context);
    EXPECT_EQ(ordinal, 0u);
    EXPECT_EQ(is_immediate, list == immediate);
  }
  ze_command_list_flags_t list_flags = 0;
  EXPECT_OK(zeCommandListGetFlags(list_, &list_flags));
  EXPECT_EQ(list_flags, ze_command_list_flags_t(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  std::uint32_t index = 77;
  ze_command_queue_flags_t flags = 0;
  ze_command_queue_mode_t mode{};
  ze_command_queue_priority_t priority{};
  EXPECT_OK(zeCommandListImmediateGetIndex(immediate, &index));
  EXPECT_OK(zeCommandListImmediateGetFlags(immediate, &flags));
  EXPECT_OK(zeCommandListImmediateGetMode(immediate, &mode));
  EXPECT_OK(zeCommandListImmediateGetPriority(immediate, &priority));
  EXPECT_EQ(index, 0u);
  EXPECT_EQ(flags, desc.flags);
  EXPECT_EQ(mode, desc.mode);
  EXPECT_EQ(priority, desc.priority);
  EXPECT_OK(zeCommandListDestroy(immediate));
}

TEST_F(Lists, QueuesTellWhatTheyAre) {
  const Device& d = Device::get();
  const auto desc = queue_desc(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
                               ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH);
  ze_command_queue_handle_t queue = nullptr;
  ASSERT_OK(zeCommandQueueCreate(d.context, d.device, &desc, &queue));
  std::uint32_t ordinal = 77, index = 77;
  ze_command_queue_flags_t flags = 0;
  ze_command_queue_mode_t mode{};
  ze_command_queue_priority_t priority{};
  EXPECT_OK(zeCommandQueueGetOrdinal(queue, &ordinal));
  EXPECT_OK(zeCommandQueueGetIndex(queue, &index));
  EXPECT_OK(zeCommandQueueGetFlags(queue, &flags));
  EXPECT_OK(zeCommandQueueGetMode(queue, &mode));
  EXPECT_OK(zeCommandQueueGetPriority(queue, &priority));
  EXPECT_EQ(ordinal, 0u);
  EXPECT_EQ(index, 0u);
  EXPECT_EQ(flags, desc.flags);
  EXPECT_EQ(mode, desc.mode);
  EXPECT_EQ(priority, desc.priority);
  EXPECT_OK(zeCommandQueueDestroy(queue));
}

TEST_F(Lists, QueuesChangeTheirPriority) {
  EXPECT_OK(zeCommandQueueSetPriorityExt(queue_, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW));
  ze_command_queue_priority_t priority{};
  EXPECT_OK(zeCommandQueueGetPriority(queue_, &priority));
  EXPECT_EQ(priority, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW);
}

// The clone is a list of its own: it executes, and goes on when the first one is gone.
TEST_F(Lists, ClonesDoTheSame) {
  NEEDS(ZE_COMMAND_LIST_CLONE_EXP_NAME);
  const Device& d = Device::get();
  const ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0,
                                    ZE_COMMAND_LIST_FLAG_IN_ORDER | ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE};
  ze_command_list_handle_t original = nullptr, clone = nullptr;
  ASSERT_OK(zeCommandListCreate(d.context, d.device, &desc, &original));
  std::swap(original, list_);
  fill(11);
  std::swap(original, list_);
  ASSERT_OK(zeCommandListClose(original));
  ASSERT_OK(zeCommandListCreateCloneExp(original, &clone));
  EXPECT_NE(clone, original);
  EXPECT_OK(zeCommandListDestroy(original));
  EXPECT_OK(zeCommandQueueExecuteCommandLists(queue_, 1, &clone, nullptr));
  finish();
  expect_all(11);
  EXPECT_OK(zeCommandListDestroy(clone));
}

TEST_F(Lists, TheDeviceWaitsForAllOfThem) {
  fill(6);
  EXPECT_OK(zeCommandListClose(list_));
  for (int i = 0; i < 50; ++i) execute();
  EXPECT_OK(zeDeviceSynchronize(Device::get().device));
  EXPECT_OK(zeCommandQueueSynchronize(queue_, 0));
  expect_all(6);
}

} // namespace
} // namespace device_tests
