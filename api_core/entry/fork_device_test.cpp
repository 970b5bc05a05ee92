// fork() with the CPU device, whose worker threads and compiler connection do not exist in the child (case 7).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <level_zero/ze_api.h>

#include <entry/testing/fresh_process.hpp>

namespace {

using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

unsigned forks() {
  const char* text = std::getenv("ZEROTH_FORKS");
  return text == nullptr ? 10 : std::atoi(text);
}

// A device with everything that one fill needs. Nothing is destroyed: the parent's objects must stay while children
// run.
class Work {
public:
  Work() {
    uint32_t count = 1;
    EXPECT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zeDriverGet(&count, &driver_), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zeDeviceGet(driver_, &count, &device_), ZE_RESULT_SUCCESS);
    const ze_context_desc_t context{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    EXPECT_EQ(zeContextCreate(driver_, &context, &context_), ZE_RESULT_SUCCESS);
    const ze_command_queue_desc_t queue{
        ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
        ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    EXPECT_EQ(zeCommandListCreateImmediate(context_, device_, &queue, &list_), ZE_RESULT_SUCCESS);
    const ze_event_pool_desc_t pool{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
    EXPECT_EQ(zeEventPoolCreate(context_, &pool, 0, nullptr, &pool_), ZE_RESULT_SUCCESS);
    const ze_event_desc_t event{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST, 0};
    EXPECT_EQ(zeEventCreate(pool_, &event, &event_), ZE_RESULT_SUCCESS);
  }

  // Fills a megabyte on the device's threads and looks at it.
  void run() {
    constexpr size_t Size = 1 << 20;
    void* memory = shared(Size);
    const uint8_t value = 42;
    ASSERT_EQ(zeEventHostReset(event_), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeCommandListAppendMemoryFill(list_, memory, &value, 1, Size, event_, 0, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeEventHostSynchronize(event_, 10'000'000'000), ZE_RESULT_SUCCESS);
    const auto* bytes = static_cast<const uint8_t*>(memory);
    EXPECT_EQ(bytes[0], 42);
    EXPECT_EQ(bytes[Size - 1], 42);
    EXPECT_EQ(zeMemFree(context_, memory), ZE_RESULT_SUCCESS);
  }

  // y = 42 x + y, by a kernel that the compiler's process makes from SPIR-V or its cache holds.
  void launch() {
    if (!kernel_) kernel_ = make_kernel();
    auto* x = static_cast<float*>(shared(64 * sizeof(float)));
    auto* y = static_cast<float*>(shared(64 * sizeof(float)));
    std::fill_n(x, 64, 1.0f);
    std::fill_n(y, 64, 0.0f);
    const float a = 42;
    ASSERT_EQ(zeKernelSetGroupSize(kernel_, 16, 1, 1), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeKernelSetArgumentValue(kernel_, 0, sizeof(a), &a), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeKernelSetArgumentValue(kernel_, 1, sizeof(x), &x), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeKernelSetArgumentValue(kernel_, 2, sizeof(y), &y), ZE_RESULT_SUCCESS);
    const ze_group_count_t groups{4, 1, 1};
    ASSERT_EQ(zeEventHostReset(event_), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeCommandListAppendLaunchKernel(list_, kernel_, &groups, event_, 0, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeEventHostSynchronize(event_, 60'000'000'000), ZE_RESULT_SUCCESS);
    EXPECT_EQ(std::count(y, y + 64, 42.0f), 64);
  }

  ze_event_handle_t event() const { return event_; }

private:
  void* shared(size_t size) {
    const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    const ze_host_mem_alloc_desc_t host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void* memory = nullptr;
    EXPECT_EQ(zeMemAllocShared(context_, &desc, &host, size, 64, device_, &memory), ZE_RESULT_SUCCESS);
    return memory;
  }

  ze_kernel_handle_t make_kernel() {
    std::ifstream file(SAXPY, std::ios::binary);
    const std::string code{std::istreambuf_iterator<char>(file), {}};
    ze_module_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
    desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
    desc.inputSize = code.size();
    desc.pInputModule = reinterpret_cast<const uint8_t*>(code.data());
    ze_module_handle_t module = nullptr;
    EXPECT_EQ(zeModuleCreate(context_, device_, &desc, &module, nullptr), ZE_RESULT_SUCCESS);
    const ze_kernel_desc_t kernel_desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "saxpy"};
    ze_kernel_handle_t kernel = nullptr;
    EXPECT_EQ(zeKernelCreate(module, &kernel_desc, &kernel), ZE_RESULT_SUCCESS);
    return kernel;
  }

  ze_driver_handle_t driver_ = nullptr;
  ze_device_handle_t device_ = nullptr;
  ze_context_handle_t context_ = nullptr;
  ze_command_list_handle_t list_ = nullptr;
  ze_event_pool_handle_t pool_ = nullptr;
  ze_event_handle_t event_ = nullptr;
  ze_kernel_handle_t kernel_ = nullptr; // its module lives with it
};

#if defined(__SANITIZE_ADDRESS__)
// The allocator of gcc 12's sanitizer lets a child inherit locks that other threads hold (it has no handlers at fork),
// which the C library never does: fork while those threads sleep.
void let_other_threads_sleep() {
  const auto awake = [] {
    const auto self = std::to_string(gettid());
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream stat(task.path() / "stat");
      const std::string text{std::istreambuf_iterator<char>(stat), {}};
      const size_t name_end = text.rfind(") ");
      if (task.path().filename() != self && name_end != text.npos && text[name_end + 2] != 'S') return true;
    }
    return false;
  };
  for (unsigned calm = 0; calm < 20; calm = awake() ? 0 : calm + 1) usleep(1000);
}
#else
void let_other_threads_sleep() {}
#endif

Work& for_ever() {
  static auto& kept = *new std::vector<std::unique_ptr<Work>>;
  return *kept.emplace_back(std::make_unique<Work>());
}

TEST(ForkDevice, child_works_on_threads_of_its_own_and_the_parent_goes_on) {
  in_fresh_process([] {
    use_drivers(ZEROTH_CPU);
    Work& parents = for_ever();
    parents.run();
    for (unsigned i = 0; i < forks(); ++i) {
      let_other_threads_sleep();
      in_fresh_process([&] {
        alarm(60);
        EXPECT_EQ(zeEventQueryStatus(parents.event()), ZE_RESULT_ERROR_DEVICE_LOST);
        for_ever().run();
        // No search for leaks here: what only the parent's threads held has no owner in the child.
        std::_Exit(HasFailure() ? 1 : 0);
      });
      parents.run();
    }
  });
}

// Case 7 as it stands: the child compiles and launches; so does the parent before and after.
TEST(ForkDevice, child_compiles_and_launches_a_kernel_that_writes_42) {
  in_fresh_process([] {
    use_drivers(ZEROTH_CPU);
    Work& parents = for_ever();
    parents.launch();
    for (unsigned i = 0; i < forks(); ++i) {
      let_other_threads_sleep();
      in_fresh_process([&] {
        alarm(120);
        EXPECT_EQ(zeEventQueryStatus(parents.event()), ZE_RESULT_ERROR_DEVICE_LOST);
        for_ever().launch();
        std::_Exit(HasFailure() ? 1 : 0);
      });
      parents.launch();
    }
  });
}

} // namespace
