// What is destroyed gives its memory back: a thousand lives of everything leave the process as large as ten do.
#include "fixture.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <sys/resource.h>
#include <unistd.h>

namespace device_tests {
namespace {

std::size_t resident_bytes() {
  unsigned long all = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu %lu", &all, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Grows by less than one byte in `share` of what so many forgotten objects would hold.
void expect_flat(int lives, std::size_t bytes_of_one, const std::function<void()>& live) {
  for (int i = 0; i < lives / 10 + 1; ++i) live();
  const std::size_t before = resident_bytes();
  for (int i = 0; i < lives; ++i) live();
  const std::size_t after = resident_bytes();
  EXPECT_LT(after, before + static_cast<std::size_t>(lives) * bytes_of_one / 2) << "bytes of one: " << bytes_of_one;
}

const Device& the() { return Device::get(); }

class Lifetimes : public ::testing::Test {
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers keep what is freed, and records of it, in memory";
#endif
  }
};

TEST_F(Lifetimes, OfMemory) {
  const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  const ze_memory_free_ext_desc_t policy{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr,
                                         ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE};
  for (std::size_t size : {std::size_t{4096}, std::size_t{1} << 20})
    for (bool extended : {false, true})
      expect_flat(size > 4096 ? 100 : 2000, size, [&] {
        void* memory = nullptr;
        ASSERT_OK(zeMemAllocDevice(the().context, &desc, size, 64, the().device, &memory));
        for (std::size_t i = 0; i < size; i += 4096) static_cast<char*>(memory)[i] = 1;
        EXPECT_OK(extended ? zeMemFreeExt(the().context, &policy, memory) : zeMemFree(the().context, memory));
      });
}

TEST_F(Lifetimes, OfLists) {
  const ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
  Array<std::uint32_t> words(64);
  expect_flat(3000, 1000, [&] {
    ze_command_list_handle_t list = nullptr;
    ASSERT_OK(zeCommandListCreate(the().context, the().device, &desc, &list));
    for (int i = 0; i < 8; ++i)
      EXPECT_OK(zeCommandListAppendMemoryFill(list, words.data(), &i, 4, 256, nullptr, 0, nullptr));
    EXPECT_OK(zeCommandListDestroy(list));
  });
}

TEST_F(Lifetimes, OfModulesAndKernels) {
  const auto bytes = read_kernel("saxpy");
  const ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, bytes.size(), bytes.data(), "", nullptr};
  const ze_kernel_desc_t kernel_desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "saxpy"};
  expect_flat(300, 8000, [&] {
    ze_module_handle_t module = nullptr;
    ze_module_build_log_handle_t log = nullptr;
    ASSERT_OK(zeModuleCreate(the().context, the().device, &desc, &module, &log));
    EXPECT_OK(zeModuleBuildLogDestroy(log));
    EXPECT_OK(zeModuleDestroy(module));
  });
  Kernel module("saxpy");
  expect_flat(30000, 200, [&] {
    ze_kernel_handle_t kernel = nullptr;
    ASSERT_OK(zeKernelCreate(module.module(), &kernel_desc, &kernel));
    EXPECT_OK(zeKernelDestroy(kernel));
  });
}

TEST_F(Lifetimes, OfEventsAndPools) {
  const ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 512};
  expect_flat(3000, 512 * 16, [&] {
    ze_event_pool_handle_t pool = nullptr;
    ASSERT_OK(zeEventPoolCreate(the().context, &desc, 0, nullptr, &pool));
    EXPECT_OK(zeEventPoolDestroy(pool));
  });
  const ze_event_desc_t event_desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  ze_event_pool_handle_t pool = nullptr;
  ASSERT_OK(zeEventPoolCreate(the().context, &desc, 0, nullptr, &pool));
  expect_flat(60000, 64, [&] {
    ze_event_handle_t event = nullptr;
    ASSERT_OK(zeEventCreate(pool, &event_desc, &event));
    EXPECT_OK(zeEventDestroy(event));
  });
  EXPECT_OK(zeEventPoolDestroy(pool));
}

TEST_F(Lifetimes, OfSamplers) {
  const ze_sampler_desc_t desc{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, ZE_SAMPLER_ADDRESS_MODE_CLAMP,
                               ZE_SAMPLER_FILTER_MODE_LINEAR, true};
  expect_flat(60000, 64, [&] {
    ze_sampler_handle_t sampler = nullptr;
    ASSERT_OK(zeSamplerCreate(the().context, the().device, &desc, &sampler));
    EXPECT_OK(zeSamplerDestroy(sampler));
  });
}

TEST_F(Lifetimes, OfImages) {
  const ze_image_desc_t desc{ZE_STRUCTURE_TYPE_IMAGE_DESC,
                             nullptr,
                             0,
                             ZE_IMAGE_TYPE_2D,
                             {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UINT, ZE_IMAGE_FORMAT_SWIZZLE_R,
                              ZE_IMAGE_FORMAT_SWIZZLE_G, ZE_IMAGE_FORMAT_SWIZZLE_B, ZE_IMAGE_FORMAT_SWIZZLE_A},
                             64,
                             64,
                             1,
                             0,
                             0};
  std::vector<std::uint32_t> texels(64 * 64, 1);
  expect_flat(1000, 64 * 64 * 4, [&] {
    ze_image_handle_t image = nullptr;
    ASSERT_OK(zeImageCreate(the().context, the().device, &desc, &image));
    ASSERT_OK(
        zeCommandListAppendImageCopyFromMemory(shared_list(), image, texels.data(), nullptr, nullptr, 0, nullptr));
    ASSERT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
    EXPECT_OK(zeImageDestroy(image));
  });
}

TEST_F(Lifetimes, OfPhysicalMemory) {
  std::size_t size = 0;
  ASSERT_OK(zeVirtualMemQueryPageSize(the().context, the().device, 1 << 20, &size));
  void* range = nullptr;
  ASSERT_OK(zeVirtualMemReserve(the().context, nullptr, size, &range));
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, size};
  rlimit descriptors{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &descriptors), 0);
  const rlimit few{std::min<rlim_t>(descriptors.rlim_cur, 512), descriptors.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int i = 0; i < 1000; ++i) { // each may hold a descriptor
    ze_physical_mem_handle_t pages = nullptr;
    ASSERT_OK(zePhysicalMemCreate(the().context, the().device, &desc, &pages));
    ASSERT_OK(zeVirtualMemMap(the().context, range, size, pages, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
    ASSERT_OK(zeVirtualMemUnmap(the().context, range, size));
    ASSERT_OK(zePhysicalMemDestroy(the().context, pages));
  }
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &descriptors), 0);
  EXPECT_OK(zeVirtualMemFree(the().context, range, size));
}

TEST_F(Lifetimes, OfQueuesAndFences) {
  const ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_DEFAULT,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  const ze_fence_desc_t fence_desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
  ze_command_queue_handle_t queue = nullptr;
  expect_flat(10000, 200, [&] {
    ASSERT_OK(zeCommandQueueCreate(the().context, the().device, &desc, &queue));
    EXPECT_OK(zeCommandQueueDestroy(queue));
  });
  ASSERT_OK(zeCommandQueueCreate(the().context, the().device, &desc, &queue));
  expect_flat(30000, 64, [&] {
    ze_fence_handle_t fence = nullptr;
    ASSERT_OK(zeFenceCreate(queue, &fence_desc, &fence));
    EXPECT_OK(zeFenceDestroy(fence));
  });
  EXPECT_OK(zeCommandQueueDestroy(queue));
}

TEST_F(Lifetimes, OfContexts) {
  const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  expect_flat(10000, 100, [&] {
    ze_context_handle_t context = nullptr;
    ASSERT_OK(zeContextCreate(the().driver, &desc, &context));
    EXPECT_OK(zeContextDestroy(context));
  });
}

} // namespace
} // namespace device_tests
