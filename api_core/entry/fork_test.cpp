// fork(): case 7 with a device that only has host-signalled events.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <level_zero/layers/zel_tracing_api.h>
#include <level_zero/loader/ze_loader.h>
#include <level_zero/ze_api.h>
#include <level_zero/zer_api.h>

#include <entry/testing/fresh_process.hpp>

namespace {

using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

// Case 7 asks for 1000; the sanitizers' builds may take fewer.
unsigned forks() {
  const char* text = std::getenv("ZEROTH_FORKS");
  return text == nullptr ? 50 : std::atoi(text);
}

struct Objects {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  ze_event_pool_handle_t pool = nullptr;
  ze_event_handle_t event = nullptr;
};

Objects make_objects() {
  Objects made;
  uint32_t count = 1;
  EXPECT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeDriverGet(&count, &made.driver), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeDeviceGet(made.driver, &count, &made.device), ZE_RESULT_SUCCESS);
  const ze_context_desc_t context{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  EXPECT_EQ(zeContextCreate(made.driver, &context, &made.context), ZE_RESULT_SUCCESS);
  const ze_event_pool_desc_t pool{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, 0, 1};
  EXPECT_EQ(zeEventPoolCreate(made.context, &pool, 0, nullptr, &made.pool), ZE_RESULT_SUCCESS);
  const ze_event_desc_t event{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  EXPECT_EQ(zeEventCreate(made.pool, &event, &made.event), ZE_RESULT_SUCCESS);
  return made;
}

void destroy(const Objects& objects) {
  EXPECT_EQ(zeEventDestroy(objects.event), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeEventPoolDestroy(objects.pool), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeContextDestroy(objects.context), ZE_RESULT_SUCCESS);
}

void expect_lost(const Objects& parents) {
  uint32_t count = 0;
  EXPECT_EQ(zeEventQueryStatus(parents.event), ZE_RESULT_ERROR_DEVICE_LOST);
  EXPECT_EQ(zeEventHostSignal(parents.event), ZE_RESULT_ERROR_DEVICE_LOST);
  EXPECT_EQ(zeContextDestroy(parents.context), ZE_RESULT_ERROR_DEVICE_LOST);
  EXPECT_EQ(zeDeviceGet(parents.driver, &count, nullptr), ZE_RESULT_ERROR_DEVICE_LOST);
  EXPECT_EQ(zeDriverGet(&count, nullptr), ZE_RESULT_ERROR_UNINITIALIZED);
  EXPECT_EQ(zeEventQueryStatus(nullptr), ZE_RESULT_ERROR_UNINITIALIZED);
}

void use_new_ones(const Objects& parents) {
  const Objects made = make_objects();
  EXPECT_EQ(zeEventQueryStatus(made.event), ZE_RESULT_NOT_READY);
  EXPECT_EQ(zeEventHostSignal(made.event), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeEventQueryStatus(made.event), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeEventQueryStatus(parents.event), ZE_RESULT_ERROR_DEVICE_LOST) << "also after the new init";
  destroy(made);
}

TEST(Fork, child_sees_parents_handles_lost_and_initialises_anew) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    const Objects mine = make_objects();
    for (unsigned i = 0; i < forks(); ++i) {
      in_fresh_process([&] {
        expect_lost(mine);
        use_new_ones(mine);
      });
      ASSERT_EQ(zeEventQueryStatus(mine.event), ZE_RESULT_NOT_READY) << "the parent goes on";
    }
    destroy(mine);
  });
}

TEST(Fork, of_a_fork_starts_anew_as_well) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU "," FAKE_CPU2);
    const Objects mine = make_objects();
    in_fresh_process([&] {
      const Objects childs = make_objects();
      in_fresh_process([&] {
        expect_lost(mine);
        expect_lost(childs);
        use_new_ones(childs);
      });
      destroy(childs);
    });
    destroy(mine);
  });
}

// Other threads hold every lock of the library at some moment; none may stay held in the child.
TEST(Fork, leaves_no_lock_held_in_the_child) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        const zel_tracer_desc_t desc{ZEL_STRUCTURE_TYPE_TRACER_DESC, nullptr, nullptr};
        while (!stop.load()) {
          zel_tracer_handle_t tracer = nullptr;
          zeInit(0);
          if (zelTracerCreate(&desc, &tracer) == ZE_RESULT_SUCCESS) zelTracerDestroy(tracer);
          zerTranslateIdentifierToDeviceHandle(0);
        }
      });
    for (unsigned i = 0; i < forks(); ++i) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(20);
        const bool good = zeInit(0) == ZE_RESULT_SUCCESS && zerTranslateIdentifierToDeviceHandle(0) != nullptr;
        _exit(good ? 0 : 1);
      }
      int status = -1;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_EQ(status, 0);
    }
    stop.store(true);
    for (std::thread& thread : threads) thread.join();
  });
}

} // namespace
