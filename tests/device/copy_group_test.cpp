// Queue groups that copy and do not compute: everything but kernels works there.
#include "offers.hpp"

#include <numeric>
#include <optional>

namespace device_tests {
namespace {

std::vector<ze_command_queue_group_properties_t> queue_groups() {
  std::uint32_t count = 0;
  EXPECT_OK(zeDeviceGetCommandQueueGroupProperties(Device::get().device, &count, nullptr));
  std::vector<ze_command_queue_group_properties_t> groups(count);
  for (auto& group : groups) group.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  EXPECT_OK(zeDeviceGetCommandQueueGroupProperties(Device::get().device, &count, groups.data()));
  return groups;
}

std::optional<std::uint32_t> copy_group() {
  const auto groups = queue_groups();
  for (std::uint32_t i = 0; i < groups.size(); ++i)
    if ((groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY) &&
        !(groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE))
      return i;
  return {};
}

class CopyGroup : public testing::Test {
protected:
  void SetUp() override {
    NEEDS("a queue group that only copies");
    ordinal_ = copy_group().value();
    list_ = immediate(ordinal_);
    const ze_event_pool_desc_t pool{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                    ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 2};
    ASSERT_OK(zeEventPoolCreate(Device::get().context, &pool, 0, nullptr, &pool_));
    for (std::uint32_t i = 0; i < 2; ++i) {
      const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, i, ZE_EVENT_SCOPE_FLAG_HOST, 0};
      ASSERT_OK(zeEventCreate(pool_, &desc, &events_[i]));
    }
  }
  void TearDown() override {
    if (!pool_) return;
    for (auto event : events_) EXPECT_OK(zeEventDestroy(event));
    EXPECT_OK(zeEventPoolDestroy(pool_));
    for (auto list : lists_) EXPECT_OK(zeCommandListDestroy(list));
    if (queue_) {
      EXPECT_OK(zeCommandQueueDestroy(queue_));
    }
  }

  static ze_command_queue_desc_t desc(std::uint32_t ordinal, std::uint32_t index) {
    return {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
            nullptr,
            ordinal,
            index,
            ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
            ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
            ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  }
  ze_command_list_handle_t immediate(std::uint32_t ordinal, std::uint32_t index = 0) {
    const auto wanted = desc(ordinal, index);
    ze_command_list_handle_t list = nullptr;
    EXPECT_OK(zeCommandListCreateImmediate(Device::get().context, Device::get().device, &wanted, &list));
    return lists_.emplace_back(list);
  }
  ze_command_list_handle_t regular(std::uint32_t ordinal) {
    const ze_command_list_desc_t wanted{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, ordinal,
                                        ZE_COMMAND_LIST_FLAG_IN_ORDER};
    ze_command_list_handle_t list = nullptr;
    EXPECT_OK(zeCommandListCreate(Device::get().context, Device::get().device, &wanted, &list));
    return lists_.emplace_back(list);
  }
  ze_command_queue_handle_t queue(std::uint32_t ordinal) {
    const auto wanted = desc(ordinal, 0);
    EXPECT_OK(zeCommandQueueCreate(Device::get().context, Device::get().device, &wanted, &queue_));
    return queue_;
  }
  void execute(ze_command_list_handle_t list) {
    EXPECT_OK(zeCommandListClose(list));
    EXPECT_OK(zeCommandQueueExecuteCommandLists(queue_ ? queue_ : queue(ordinal_), 1, &list, nullptr));
    EXPECT_OK(zeCommandQueueSynchronize(queue_, UINT64_MAX));
  }
  void finish() { EXPECT_OK(zeCommandListHostSynchronize(list_, UINT64_MAX)); }

  std::uint32_t ordinal_ = 0;
  ze_command_list_handle_t list_ = nullptr;
  ze_event_pool_handle_t pool_ = nullptr;
  ze_event_handle_t events_[2] = {};
  std::vector<ze_command_list_handle_t> lists_;
  ze_command_queue_handle_t queue_ = nullptr;
};

void append_fill_and_copies(ze_command_list_handle_t list, Array<std::uint32_t>& from, Array<std::uint32_t>& to,
                            Array<std::uint32_t>& part) {
  const std::uint32_t value = 0xabcd1234;
  const std::size_t bytes = 4 * from.size();
  EXPECT_OK(zeCommandListAppendMemoryFill(list, from.data(), &value, sizeof value, bytes, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListAppendMemoryCopy(list, to.data(), from.data(), bytes, nullptr, 0, nullptr));
  const ze_copy_region_t region{0, 0, 0, 16, 4, 1};
  EXPECT_OK(zeCommandListAppendMemoryCopyRegion(list, part.data(), &region, 16, 0, to.data(), &region, 64, 0, nullptr,
                                                0, nullptr));
}

TEST_F(CopyGroup, FillsAndCopiesInBothKindsOfLists) {
  for (auto list : {list_, regular(ordinal_)}) {
    Array<std::uint32_t> from(1 << 16), to(1 << 16), part(17);
    append_fill_and_copies(list, from, to, part);
    if (list == list_)
      finish();
    else
      execute(list);
    for (std::size_t i = 0; i < to.size(); ++i) ASSERT_EQ(to[i], 0xabcd1234) << i;
    for (std::size_t i = 0; i < 16; ++i) ASSERT_EQ(part[i], 0xabcd1234) << i;
    EXPECT_EQ(part[16], 0u);
  }
}

TEST_F(CopyGroup, FillsWithThePatternsThatItNames) {
  const std::size_t largest = queue_groups()[ordinal_].maxMemoryFillPatternSize;
  ASSERT_GT(largest, 0u);
  for (std::size_t size = 1; size && size <= largest; size *= 2) {
    std::vector<std::uint8_t> pattern(size);
    std::iota(pattern.begin(), pattern.end(), std::uint8_t{3});
    Array<std::uint8_t> memory(3 * size);
    EXPECT_OK(zeCommandListAppendMemoryFill(list_, memory.data(), pattern.data(), size, 3 * size, nullptr, 0, nullptr));
    finish();
    for (std::size_t i = 0; i < 3 * size; ++i) ASSERT_EQ(memory[i], pattern[i % size]) << size << ": " << i;
    if (size >= std::size_t{1} << 20) break;
  }
}

TEST_F(CopyGroup, HasTheQueuesThatItNames) {
  const std::uint32_t queues = queue_groups()[ordinal_].numQueues;
  ASSERT_GT(queues, 0u);
  Array<std::uint32_t> words(queues);
  for (std::uint32_t i = 0; i < queues; ++i) {
    const auto list = immediate(ordinal_, i);
    std::uint32_t ordinal = 77, index = 77;
    EXPECT_OK(zeCommandListGetOrdinal(list, &ordinal));
    EXPECT_OK(zeCommandListImmediateGetIndex(list, &index));
    EXPECT_EQ(ordinal, ordinal_);
    EXPECT_EQ(index, i);
    EXPECT_OK(zeCommandListAppendMemoryFill(list, words.data() + i, &i, sizeof i, sizeof i, nullptr, 0, nullptr));
    EXPECT_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
    EXPECT_EQ(words[i], i);
  }
  const auto beyond = desc(ordinal_, queues);
  ze_command_list_handle_t none = nullptr;
  EXPECT_NE(zeCommandListCreateImmediate(Device::get().context, Device::get().device, &beyond, &none),
            ZE_RESULT_SUCCESS);
}

TEST_F(CopyGroup, CopiesImages) {
  ze_image_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
  desc.type = ZE_IMAGE_TYPE_2D;
  desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_32;
  desc.format.type = ZE_IMAGE_FORMAT_TYPE_UINT;
  desc.format.x = ZE_IMAGE_FORMAT_SWIZZLE_R;
  desc.format.y = desc.format.z = ZE_IMAGE_FORMAT_SWIZZLE_0;
  desc.format.w = ZE_IMAGE_FORMAT_SWIZZLE_1;
  desc.width = 37;
  desc.height = 5;
  desc.depth = 1;
  ze_image_handle_t images[2] = {};
  for (auto& image : images) ASSERT_OK(zeImageCreate(Device::get().context, Device::get().device, &desc, &image));
  Array<std::uint32_t> from(37 * 5), to(37 * 5);
  std::iota(from.data(), from.data() + from.size(), 1u);
  EXPECT_OK(zeCommandListAppendImageCopyFromMemory(list_, images[0], from.data(), nullptr, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListAppendImageCopy(list_, images[1], images[0], nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListAppendImageCopyToMemory(list_, to.data(), images[1], nullptr, nullptr, 0, nullptr));
  finish();
  for (std::size_t i = 0; i < to.size(); ++i) ASSERT_EQ(to[i], i + 1);
  for (auto image : images) EXPECT_OK(zeImageDestroy(image));
}

TEST_F(CopyGroup, SignalsWaitsAndMeasures) {
  Array<std::uint32_t> from(1000), to(1000);
  const std::size_t bytes = 4 * from.size();
  EXPECT_OK(zeCommandListAppendMemoryCopy(list_, to.data(), from.data(), bytes, events_[1], 1, &events_[0]));
  EXPECT_EQ(zeEventQueryStatus(events_[1]), ZE_RESULT_NOT_READY);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = 5;
  EXPECT_OK(zeEventHostSignal(events_[0]));
  EXPECT_OK(zeEventHostSynchronize(events_[1], UINT64_MAX));
  EXPECT_EQ(to[999], 5u);
  Array<ze_kernel_timestamp_result_t> times(1);
  Array<std::uint64_t> stamp(1);
  EXPECT_OK(
      zeCommandListAppendQueryKernelTimestamps(list_, 1, &events_[1], times.data(), nullptr, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListAppendWriteGlobalTimestamp(list_, stamp.data(), nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListAppendEventReset(list_, events_[1]));
  finish();
  EXPECT_LT(times[0].global.kernelStart, times[0].global.kernelEnd);
  EXPECT_GE(stamp[0], times[0].global.kernelEnd);
  EXPECT_EQ(zeEventQueryStatus(events_[1]), ZE_RESULT_NOT_READY);
}

// In whichever way they come, and nothing of the list or the kernel changes.
TEST_F(CopyGroup, RefusesKernels) {
  Array<std::uint32_t> words(64), copied(64), part(17);
  Array<ze_group_count_t> groups(1);
  groups[0] = {1, 1, 1};
  Array<std::uint32_t> enabled(1);
  Kernel kernel("saxpy");
  Array<float> x(64), y(64);
  kernel.arguments(2.0f, x, y);
  EXPECT_OK(zeKernelSetGroupSize(kernel.handle(), 64, 1, 1));
  auto handle = kernel.handle();
  const auto refused = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  for (auto list : {list_, regular(ordinal_)}) {
    EXPECT_EQ(zeCommandListAppendLaunchKernel(list, handle, groups.data(), events_[0], 0, nullptr), refused);
    EXPECT_EQ(zeCommandListAppendLaunchKernelWithParameters(list, handle, groups.data(), nullptr, nullptr, 0, nullptr),
              refused);
    EXPECT_EQ(zeCommandListAppendLaunchCooperativeKernel(list, handle, groups.data(), nullptr, 0, nullptr), refused);
    EXPECT_EQ(zeCommandListAppendLaunchKernelIndirect(list, handle, groups.data(), nullptr, 0, nullptr), refused);
    EXPECT_EQ(zeCommandListAppendLaunchMultipleKernelsIndirect(list, 1, &handle, enabled.data(), groups.data(), nullptr,
                                                               0, nullptr),
              refused);
    append_fill_and_copies(list, words, copied, part);
    if (list == list_)
      finish();
    else
      execute(list);
    EXPECT_EQ(words[63], 0xabcd1234);
    EXPECT_EQ(zeEventQueryStatus(events_[0]), ZE_RESULT_NOT_READY);
  }
}

TEST_F(CopyGroup, ExecutesListsOfItsOwn) {
  auto computes = regular(0), copies = regular(ordinal_);
  EXPECT_OK(zeCommandListClose(computes));
  EXPECT_OK(zeCommandListClose(copies));
  EXPECT_EQ(zeCommandQueueExecuteCommandLists(queue(ordinal_), 1, &computes, nullptr),
            ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
  EXPECT_NE(zeCommandListImmediateAppendCommandListsExp(list_, 1, &computes, nullptr, 0, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_OK(zeCommandQueueExecuteCommandLists(queue_, 1, &copies, nullptr));
  EXPECT_OK(zeCommandQueueSynchronize(queue_, UINT64_MAX));
  EXPECT_OK(zeCommandListImmediateAppendCommandListsExp(list_, 1, &copies, nullptr, 0, nullptr));
  finish();
}

// Kernels here, copies there, each waiting for the other.
TEST_F(CopyGroup, TakesTurnsWithKernels) {
  Array<float> x(256), y(256), result(256);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1;
  Kernel kernel("saxpy");
  kernel.arguments(1.0f, x, y);
  EXPECT_OK(zeKernelSetGroupSize(kernel.handle(), 64, 1, 1));
  const ze_group_count_t groups{4, 1, 1};
  for (int round = 1; round <= 500; ++round) {
    EXPECT_OK(zeCommandListAppendMemoryCopy(list_, result.data(), y.data(), 4 * y.size(), events_[1], 1, &events_[0]));
    EXPECT_OK(zeCommandListAppendLaunchKernel(shared_list(), kernel.handle(), &groups, events_[0], 0, nullptr));
    EXPECT_OK(zeEventHostSynchronize(events_[1], UINT64_MAX));
    ASSERT_EQ(result[255], static_cast<float>(round));
    for (auto event : events_) EXPECT_OK(zeEventHostReset(event));
  }
}

} // namespace
} // namespace device_tests
