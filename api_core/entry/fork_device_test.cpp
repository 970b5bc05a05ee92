// fork() with the CPU device, whose worker threads do not exist in the child (case 7, a fill standing in for the
// kernel).
#include <memory>
#include <vector>

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
    const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    const ze_host_mem_alloc_desc_t host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void* memory = nullptr;
    ASSERT_EQ(zeMemAllocShared(context_, &desc, &host, Size, 64, device_, &memory), ZE_RESULT_SUCCESS);
    const uint8_t value = 42;
    ASSERT_EQ(zeEventHostReset(event_), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeCommandListAppendMemoryFill(list_, memory, &value, 1, Size, event_, 0, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zeEventHostSynchronize(event_, 10'000'000'000), ZE_RESULT_SUCCESS);
    const auto* bytes = static_cast<const uint8_t*>(memory);
    EXPECT_EQ(bytes[0], 42);
    EXPECT_EQ(bytes[Size - 1], 42);
    EXPECT_EQ(zeMemFree(context_, memory), ZE_RESULT_SUCCESS);
  }

  ze_event_handle_t event() const { return event_; }

private:
  ze_driver_handle_t driver_ = nullptr;
  ze_device_handle_t device_ = nullptr;
  ze_context_handle_t context_ = nullptr;
  ze_command_list_handle_t list_ = nullptr;
  ze_event_pool_handle_t pool_ = nullptr;
  ze_event_handle_t event_ = nullptr;
};

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

} // namespace
