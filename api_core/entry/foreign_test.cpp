// Other makers' drivers: with DDI handles (dispatched directly) and without (wrapped), alone and beside others.
#include <memory>
#include <string>
#include <vector>

#include <level_zero/loader/ze_loader.h>
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>
#include <level_zero/zer_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>
// after the tables
#include <level_zero/ze_ddi_common.h>

#include <entry/testing/fresh_process.hpp>

namespace {

using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

class Foreign : public ::testing::TestWithParam<std::string> {};

// Everything that a test makes goes with it, in the right order.
struct Objects {
  Objects() = default;
  Objects(Objects&&) = delete;
  ~Objects() {
    for (ze_event_handle_t event : events) EXPECT_EQ(zeEventDestroy(event), ZE_RESULT_SUCCESS);
    EXPECT_TRUE(list == nullptr || zeCommandListDestroy(list) == ZE_RESULT_SUCCESS);
    EXPECT_EQ(zeEventPoolDestroy(pool), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zeContextDestroy(context), ZE_RESULT_SUCCESS);
  }
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  ze_event_pool_handle_t pool = nullptr;
  ze_command_list_handle_t list = nullptr;
  std::vector<ze_event_handle_t> events;
};

std::unique_ptr<Objects> make_objects(unsigned number = 0) {
  auto objects = std::make_unique<Objects>();
  Objects& made = *objects;
  ze_driver_handle_t drivers[3] = {};
  uint32_t count = 3;
  EXPECT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeDriverGet(&count, drivers), ZE_RESULT_SUCCESS);
  made.driver = drivers[number];
  count = 1;
  EXPECT_EQ(zeDeviceGet(made.driver, &count, &made.device), ZE_RESULT_SUCCESS);
  const ze_context_desc_t context{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  EXPECT_EQ(zeContextCreate(made.driver, &context, &made.context), ZE_RESULT_SUCCESS);
  const ze_event_pool_desc_t pool{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, 0, 64};
  EXPECT_EQ(zeEventPoolCreate(made.context, &pool, 1, &made.device, &made.pool), ZE_RESULT_SUCCESS);
  return objects;
}

ze_event_handle_t make_event(Objects& objects) {
  const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  ze_event_handle_t event = nullptr;
  EXPECT_EQ(zeEventCreate(objects.pool, &desc, &event), ZE_RESULT_SUCCESS);
  objects.events.push_back(event);
  return event;
}

ze_command_list_handle_t make_list(Objects& objects) {
  const ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_DEFAULT,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  EXPECT_EQ(zeCommandListCreateImmediate(objects.context, objects.device, &desc, &objects.list), ZE_RESULT_SUCCESS);
  return objects.list;
}

void use_everything(Objects& objects) {
  ze_command_list_handle_t list = make_list(objects);
  std::vector<ze_event_handle_t> waits;
  for (int i = 0; i < 50; ++i) waits.push_back(make_event(objects));
  EXPECT_EQ(zeEventQueryStatus(waits[0]), ZE_RESULT_NOT_READY);
  EXPECT_EQ(zeCommandListAppendBarrier(list, waits[0], 49, waits.data() + 1), ZE_RESULT_SUCCESS) << "a long wait list";
  EXPECT_EQ(zeCommandListAppendBarrier(list, nullptr, 0, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeEventQueryStatus(waits[0]), ZE_RESULT_SUCCESS);
}

TEST_P(Foreign, driver_serves_arrays_of_handles_in_and_out) {
  in_fresh_process([] {
    use_drivers(GetParam());
    use_everything(*make_objects());
  });
}

TEST_P(Foreign, driver_works_beside_a_plugin) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU "," + GetParam());
    use_everything(*make_objects(1));
    EXPECT_NE(make_objects(0)->pool, nullptr);
  });
}

TEST_P(Foreign, object_is_the_same_each_time_it_is_handed_out) {
  in_fresh_process([] {
    use_drivers(GetParam());
    const auto made = make_objects();
    Objects& objects = *made;
    ze_device_handle_t again = nullptr;
    uint32_t count = 1;
    ASSERT_EQ(zeDeviceGet(objects.driver, &count, &again), ZE_RESULT_SUCCESS);
    EXPECT_EQ(again, objects.device);
    ASSERT_EQ(zeCommandListGetDeviceHandle(make_list(objects), &again), ZE_RESULT_SUCCESS);
    EXPECT_EQ(again, objects.device);
  });
}

TEST_P(Foreign, driver_refuses_what_is_younger_than_it_or_missing_in_it) {
  in_fresh_process([] {
    use_drivers(GetParam());
    const auto made = make_objects();
    Objects& objects = *made;
    ze_graph_handle_t graph = nullptr;
    EXPECT_EQ(zeGraphCreateExt(objects.context, nullptr, &graph), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    ze_device_compute_properties_t compute{};
    EXPECT_EQ(zeDeviceGetComputeProperties(objects.device, &compute), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  });
}

TEST_P(Foreign, build_log_of_a_failed_build_is_usable_and_nothing_else_is_touched) {
  in_fresh_process([] {
    use_drivers(GetParam());
    const auto made = make_objects();
    Objects& objects = *made;
    const ze_module_desc_t desc{};
    auto* module = reinterpret_cast<ze_module_handle_t>(0x5a);
    ze_module_build_log_handle_t log = nullptr;
    EXPECT_EQ(zeModuleCreate(objects.context, objects.device, &desc, &module, &log),
              ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    ASSERT_NE(log, nullptr);
    EXPECT_EQ(zeModuleBuildLogDestroy(log), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zeModuleCreate(objects.context, objects.device, &desc, &module, nullptr),
              ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  });
}

TEST_P(Foreign, handles_of_the_parent_are_lost_in_a_forked_child) {
  in_fresh_process([] {
    use_drivers(GetParam());
    const auto made = make_objects();
    Objects& objects = *made;
    ze_event_handle_t event = make_event(objects);
    in_fresh_process([&] {
      EXPECT_EQ(zeEventQueryStatus(event), ZE_RESULT_ERROR_DEVICE_LOST);
      use_everything(*make_objects());
      EXPECT_EQ(zeEventQueryStatus(event), ZE_RESULT_ERROR_DEVICE_LOST);
    });
    EXPECT_EQ(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
  });
}

INSTANTIATE_TEST_SUITE_P(Drivers, Foreign, ::testing::Values(FOREIGN_DDI, FOREIGN_PLAIN), [](const auto& driver) {
  return driver.param == FOREIGN_DDI ? "with_ddi_handles" : "without";
});

TEST(ForeignDispatch, goes_straight_to_a_driver_with_ddi_handles) {
  in_fresh_process([] {
    use_drivers(FOREIGN_DDI);
    const auto made = make_objects();
    Objects& objects = *made;
    const auto* prefix = reinterpret_cast<const ze_handle_t*>(make_event(objects));
    EXPECT_EQ(prefix->pCore->version, ZE_API_VERSION_CURRENT) << "the prefix points at the core's containers";
    void* own = nullptr;
    ASSERT_EQ(zelLoaderTranslateHandle(ZEL_HANDLE_DEVICE, objects.device, &own), ZE_RESULT_SUCCESS);
    EXPECT_EQ(own, objects.device);
  });
}

TEST(ForeignDispatch, translates_a_wrapped_handle_to_the_drivers_own) {
  in_fresh_process([] {
    use_drivers(FOREIGN_PLAIN);
    const auto made = make_objects();
    Objects& objects = *made;
    void* own = nullptr;
    ASSERT_EQ(zelLoaderTranslateHandle(ZEL_HANDLE_DEVICE, objects.device, &own), ZE_RESULT_SUCCESS);
    EXPECT_NE(own, objects.device);
  });
}

} // namespace
