// What the device tells about its compiler, its kernels' memory and atomics, and whether it is true.
#include "offers.hpp"

#include <algorithm>
#include <cstring>

namespace device_tests {
namespace {

const Device& the() { return Device::get(); }

template <class T> std::vector<T> compiler_info(ze_device_compiler_info_t what) {
  std::size_t size = 0;
  EXPECT_OK(zeDeviceGetCompilerInfo(the().device, what, nullptr, &size, nullptr));
  std::vector<T> items(size / sizeof(T));
  EXPECT_OK(zeDeviceGetCompilerInfo(the().device, what, nullptr, &size, items.data()));
  return items;
}

TEST(CompilerInfo, ListsWhatModulesMayUse) {
  const auto capabilities = compiler_info<std::uint32_t>(ZE_DEVICE_COMPILER_INFO_SPIRV_CAPABILITIES);
  constexpr std::uint32_t Kernel = 6, Shader = 1;
  EXPECT_EQ(std::count(capabilities.begin(), capabilities.end(), Kernel), 1);
  EXPECT_EQ(std::count(capabilities.begin(), capabilities.end(), Shader), 0);
  const auto names = compiler_info<char>(ZE_DEVICE_COMPILER_INFO_SPIRV_EXTENSIONS);
  ASSERT_EQ(names.size() % ZE_MAX_EXTENSION_NAME, 0u);
  ASSERT_FALSE(names.empty());
  for (std::size_t at = 0; at < names.size(); at += ZE_MAX_EXTENSION_NAME) {
    EXPECT_EQ(std::string(names.data() + at).substr(0, 4), "SPV_");
    EXPECT_EQ(names[at + ZE_MAX_EXTENSION_NAME - 1], '\0');
  }
}

TEST(CompilerInfo, TellsTheSizeWhereTheBufferIsTooSmall) {
  for (auto what : {ZE_DEVICE_COMPILER_INFO_SPIRV_CAPABILITIES, ZE_DEVICE_COMPILER_INFO_SPIRV_EXTENSIONS}) {
    std::size_t needed = 0, size = 3;
    EXPECT_OK(zeDeviceGetCompilerInfo(the().device, what, nullptr, &needed, nullptr));
    std::vector<std::uint8_t> buffer(needed + 8, 0xab);
    EXPECT_OK(zeDeviceGetCompilerInfo(the().device, what, nullptr, &size, buffer.data()));
    EXPECT_EQ(size, needed);
    EXPECT_EQ(std::count(buffer.begin(), buffer.end(), 0xab), std::ptrdiff_t(buffer.size()));
    size = buffer.size();
    EXPECT_OK(zeDeviceGetCompilerInfo(the().device, what, nullptr, &size, buffer.data()));
    EXPECT_EQ(size, needed);
    EXPECT_EQ(std::count(buffer.end() - 8, buffer.end(), 0xab), 8);
  }
}

TEST(CompilerInfo, RefusesWhatItDoesNotKnow) {
  std::size_t size = 0;
  for (int what : {0, 5, 1000})
    EXPECT_EQ(
        zeDeviceGetCompilerInfo(the().device, static_cast<ze_device_compiler_info_t>(what), nullptr, &size, nullptr),
        ZE_RESULT_ERROR_INVALID_ENUMERATION);
  const ze_base_desc_t next{};
  EXPECT_EQ(zeDeviceGetCompilerInfo(the().device, ZE_DEVICE_COMPILER_INFO_SPIRV_EXTENSIONS, &next, &size, nullptr),
            ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

TEST(Chains, ThatRunInACircleAreRefusedInsteadOfWalkedForEver) {
  ze_base_desc_t one{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr}, other{ZE_STRUCTURE_TYPE_CONTEXT_DESC, &one};
  one.pNext = &other;
  ze_image_desc_t image_desc{};
  image_desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
  image_desc.pNext = &one;
  image_desc.width = image_desc.height = image_desc.depth = 4;
  ze_image_handle_t image = nullptr;
  EXPECT_EQ(zeImageCreate(the().context, the().device, &image_desc, &image), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const ze_device_mem_alloc_desc_t memory_desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, &one, 0, 0};
  void* memory = nullptr;
  EXPECT_EQ(zeMemAllocDevice(the().context, &memory_desc, 64, 0, the().device, &memory),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &one;
  EXPECT_EQ(zeDeviceGetProperties(the().device, &properties), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const char* text = nullptr;
  EXPECT_OK(zeDriverGetLastErrorDescription(the().driver, &text));
  EXPECT_NE(std::string(text).find("runs in a circle"), std::string::npos) << text;
}

TEST(Chains, OfAllKindsThatThereAreAreNoCircle) {
  std::vector<ze_base_properties_t> items(500, {ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr});
  for (std::size_t i = 1; i < items.size(); ++i) items[i - 1].pNext = &items[i];
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &items[0];
  EXPECT_OK(zeDeviceGetProperties(the().device, &properties));
}

TEST(KernelAllocations, AreThoseThatItsArgumentsPointInto) {
  Kernel kernel("saxpy");
  Array<float> x(1000), y(3000);
  float elsewhere[4] = {};
  float* inside = y.data() + 100;
  kernel.arguments(2.0f, x, inside);
  auto all = [&kernel] {
    std::uint32_t count = 0;
    EXPECT_OK(zeKernelGetAllocationPropertiesExp(kernel.handle(), &count, nullptr));
    std::vector<ze_kernel_allocation_exp_properties_t> found(count);
    for (auto& one : found) one.stype = ZE_STRUCTURE_TYPE_KERNEL_ALLOCATION_PROPERTIES;
    EXPECT_OK(zeKernelGetAllocationPropertiesExp(kernel.handle(), &count, found.data()));
    return found;
  };
  const auto found = all();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].base, reinterpret_cast<std::uintptr_t>(x.data()));
  EXPECT_EQ(found[0].size, 4000u);
  EXPECT_EQ(found[0].type, ZE_MEMORY_TYPE_SHARED);
  EXPECT_EQ(found[0].argIndex, 1u);
  EXPECT_EQ(found[1].base, reinterpret_cast<std::uintptr_t>(y.data()));
  EXPECT_EQ(found[1].size, 12000u);
  EXPECT_EQ(found[1].argIndex, 2u);
  kernel.arguments(2.0f, static_cast<float*>(elsewhere), y);
  EXPECT_EQ(all().size(), 1u);
}

TEST(Atomics, OfHalfsAddUp) {
  NEEDS("atomic add of halfs");
  Kernel kernel("half_atomics");
  Array<std::uint16_t> sum(1); // bits of a half
  kernel.arguments(sum);
  kernel.run(2048, 64);
  EXPECT_EQ(sum[0], 0x6800) << "2048";
}

TEST(Atomics, OfHalfsFindTheSmallestAndTheLargest) {
  NEEDS("atomic minimum of halfs");
  Kernel kernel("half_extremes");
  Array<std::uint16_t> values(4096), extremes(2);
  for (std::uint32_t i = 0; i < 4096; ++i) // bits of halfs; a NaN now and then
    values[i] =
        static_cast<std::uint16_t>(i % 100 == 7 ? 0x7e00 : (i & 1 ? 0x8000 : 0) | (0x3000 + (i * 2654435761u) % 0x800));
  values[1000] = 0x7b00, values[3001] = 0xfb00;
  extremes[0] = extremes[1] = 0xfe00; // as after a division of zeros
  kernel.arguments(values, extremes);
  kernel.run(4096, 64);
  EXPECT_EQ(extremes[0], 0xfb00);
  EXPECT_EQ(extremes[1], 0x7b00);
}

TEST(Atomics, WhatIsSaidAboutMemoryIsKept) {
  Array<std::uint32_t> words(4096), other(16);
  ze_memory_atomic_attr_exp_flags_t attributes = 0;
  auto get = [&](const void* pointer) {
    attributes = 0x5555;
    EXPECT_OK(zeMemGetAtomicAccessAttributeExp(the().context, the().device, pointer, 4, &attributes));
    return attributes;
  };
  const auto unsaid = get(words.data());
  for (auto flag : {ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_NO_ATOMICS, ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_HOST_ATOMICS,
                    ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_NO_SYSTEM_ATOMICS}) {
    EXPECT_OK(zeMemSetAtomicAccessAttributeExp(the().context, the().device, words.data(), 4096, flag));
    EXPECT_EQ(get(words.data() + 1000), ze_memory_atomic_attr_exp_flags_t(flag));
    EXPECT_EQ(get(other.data()), unsaid);
    EXPECT_EQ(get(words.data() + 1024), unsaid) << "beyond the range";
  }
  std::uint32_t own = 0;
  EXPECT_EQ(zeMemSetAtomicAccessAttributeExp(the().context, the().device, words.data(), 4 * 4096 + 1, 1),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeMemSetAtomicAccessAttributeExp(the().context, the().device, &own, sizeof own, 0x80),
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

// So a program knows when all its copies have ended, whichever engines took part in them.
TEST(CopyOffload, AddsTheIncrementThatTheDeviceNames) {
  std::uint32_t increment = 0;
  ASSERT_OK(zeDeviceGetAggregatedCopyOffloadIncrementValue(the().device, &increment));
  ASSERT_GT(increment, 0u);
  constexpr std::uint32_t Copies = 5;
  Array<std::uint64_t> counter(1);
  Array<std::uint8_t> from(1 << 20), to(1 << 20);
  const ze_event_counter_based_external_aggregate_storage_desc_t sum{
      ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC, nullptr, counter.data(), increment,
      std::uint64_t{Copies} * increment};
  const ze_event_counter_based_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, &sum,
                                           ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE, 0, 0};
  ze_event_handle_t event = nullptr;
  ASSERT_OK(zeEventCounterBasedCreate(the().context, the().device, &desc, &event));
  const ze_command_queue_desc_t offloading{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                           nullptr,
                                           0,
                                           0,
                                           ZE_COMMAND_QUEUE_FLAG_IN_ORDER | ZE_COMMAND_QUEUE_FLAG_COPY_OFFLOAD_HINT,
                                           ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                           ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_list_handle_t list = nullptr;
  ASSERT_OK(zeCommandListCreateImmediate(the().context, the().device, &offloading, &list));
  from[99] = 7;
  for (std::uint32_t i = 0; i < Copies; ++i) {
    EXPECT_EQ(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
    EXPECT_OK(zeCommandListAppendMemoryCopy(list, to.data(), from.data(), to.size(), event, 0, nullptr));
  }
  EXPECT_OK(zeEventHostSynchronize(event, UINT64_MAX));
  EXPECT_EQ(to[99], 7);
  EXPECT_EQ(counter[0], std::uint64_t{Copies} * increment);
  EXPECT_OK(zeCommandListDestroy(list));
  EXPECT_OK(zeEventDestroy(event));
}

TEST(Queues, KeepTheirQualityOfService) {
  const ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,   nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH};
  ze_command_queue_handle_t queue = nullptr;
  ASSERT_OK(zeCommandQueueCreate(the().context, the().device, &desc, &queue));
  auto get = [queue] {
    ze_command_queue_qos_ext_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_QOS_EXT_PROPERTIES;
    properties.qos = ZE_COMMAND_QUEUE_QOS_EXT_FORCE_UINT32;
    EXPECT_OK(zeCommandQueueGetQosExt(queue, &properties));
    EXPECT_FALSE(properties.isOverridden);
    return properties.qos;
  };
  EXPECT_EQ(get(), ZE_COMMAND_QUEUE_QOS_EXT_DEFAULT);
  for (auto qos : {ZE_COMMAND_QUEUE_QOS_EXT_LOW, ZE_COMMAND_QUEUE_QOS_EXT_DEFAULT}) {
    ze_command_queue_qos_ext_desc_t wanted{};
    wanted.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_QOS_EXT_DESC;
    wanted.qos = qos;
    EXPECT_OK(zeCommandQueueSetQosExt(queue, &wanted));
    EXPECT_EQ(get(), qos);
  }
  ze_command_queue_priority_t priority{};
  EXPECT_OK(zeCommandQueueGetPriority(queue, &priority));
  EXPECT_EQ(priority, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH) << "priority is another matter";
  EXPECT_OK(zeCommandQueueDestroy(queue));
}

TEST(Fabric, HasNoVertices) {
  std::uint32_t count = 7;
  ASSERT_OK(zeFabricVertexGetExp(the().driver, &count, nullptr));
  EXPECT_EQ(count, 0u);
}

} // namespace
} // namespace device_tests
