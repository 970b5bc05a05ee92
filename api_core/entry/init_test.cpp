// Initialisation and enumeration, each case in a process of its own.
#include <set>
#include <vector>

#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

#include <entry/testing/fresh_process.hpp>

namespace {

using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

std::vector<ze_driver_handle_t> drivers_get() {
  uint32_t count = 0;
  EXPECT_EQ(zeDriverGet(&count, nullptr), ZE_RESULT_SUCCESS);
  std::vector<ze_driver_handle_t> drivers(count);
  EXPECT_EQ(zeDriverGet(&count, drivers.data()), ZE_RESULT_SUCCESS);
  return drivers;
}

ze_result_t init_drivers(ze_init_driver_type_flags_t flags, std::vector<ze_driver_handle_t>& drivers) {
  ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr, flags};
  uint32_t count = 0;
  drivers.clear();
  if (const ze_result_t result = zeInitDrivers(&count, nullptr, &desc); result != ZE_RESULT_SUCCESS) return result;
  drivers.resize(count);
  return zeInitDrivers(&count, drivers.data(), &desc);
}

ze_device_type_t first_type(ze_driver_handle_t driver) {
  uint32_t count = 1;
  ze_device_handle_t device = nullptr;
  EXPECT_EQ(zeDeviceGet(driver, &count, &device), ZE_RESULT_SUCCESS);
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  EXPECT_EQ(zeDeviceGetProperties(device, &properties), ZE_RESULT_SUCCESS);
  return properties.type;
}

TEST(Init, without_any_driver_every_init_says_uninitialized) {
  in_fresh_process([] {
    use_drivers("/nowhere/none.so");
    std::vector<ze_driver_handle_t> drivers;
    EXPECT_EQ(zeInit(0), ZE_RESULT_ERROR_UNINITIALIZED);
    EXPECT_EQ(init_drivers(UINT32_MAX, drivers), ZE_RESULT_ERROR_UNINITIALIZED);
    EXPECT_EQ(zesInit(0), ZE_RESULT_ERROR_UNINITIALIZED);
    uint32_t count = 0;
    EXPECT_EQ(zeDriverGet(&count, nullptr), ZE_RESULT_ERROR_UNINITIALIZED);
    EXPECT_EQ(zesDriverGet(&count, nullptr), ZE_RESULT_ERROR_UNINITIALIZED);
  });
}

TEST(Init, is_tried_anew_after_no_driver_was_found) {
  in_fresh_process([] {
    use_drivers("/nowhere/none.so");
    EXPECT_EQ(zeInit(0), ZE_RESULT_ERROR_UNINITIALIZED);
    use_drivers(FAKE_CPU);
    EXPECT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  });
}

TEST(Init, flags_outside_the_api_are_refused_and_change_nothing) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    for (uint32_t bit = 4; bit != 0; bit <<= 1) EXPECT_EQ(zeInit(bit), ZE_RESULT_ERROR_INVALID_ENUMERATION) << bit;
    for (uint32_t bit = 2; bit != 0; bit <<= 1) EXPECT_EQ(zesInit(bit), ZE_RESULT_ERROR_INVALID_ENUMERATION) << bit;
    std::vector<ze_driver_handle_t> drivers;
    EXPECT_EQ(init_drivers(0, drivers), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    EXPECT_EQ(init_drivers(0x8, drivers), ZE_RESULT_ERROR_UNINITIALIZED);
    uint32_t count = 0;
    EXPECT_EQ(zeDriverGet(&count, nullptr), ZE_RESULT_ERROR_UNINITIALIZED);
  });
}

TEST(Init, old_and_new_discovery_list_the_same_drivers_in_config_order) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU "," FAKE_CPU2);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    std::vector<ze_driver_handle_t> modern;
    ASSERT_EQ(init_drivers(UINT32_MAX, modern), ZE_RESULT_SUCCESS);
    EXPECT_EQ(modern.size(), 2u);
    EXPECT_EQ(drivers_get(), modern);
  });
}

TEST(Init, one_object_serves_core_and_sysman) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    uint32_t count = 1;
    ASSERT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
    zes_driver_handle_t sysman = nullptr;
    ASSERT_EQ(zesDriverGet(&count, &sysman), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zeDriverGet(&count, nullptr), ZE_RESULT_ERROR_UNINITIALIZED) << "zeDriverGet needs a core init";
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_EQ(static_cast<void*>(drivers_get().at(0)), static_cast<void*>(sysman));
  });
}

TEST(Init, sysman_needs_its_own_init_unless_the_environment_enables_it) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    uint32_t count = 0;
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zesDriverGet(&count, nullptr), ZE_RESULT_ERROR_UNINITIALIZED);
  });
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    setenv("ZES_ENABLE_SYSMAN", "1", 1);
    uint32_t count = 0;
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zesDriverGet(&count, nullptr), ZE_RESULT_SUCCESS);
    EXPECT_EQ(count, 1u);
  });
}

TEST(ReportedType, a_program_that_asks_for_gpus_alone_sees_the_cpu_as_one) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zeInit(ZE_INIT_FLAG_GPU_ONLY), ZE_RESULT_SUCCESS);
    EXPECT_EQ(first_type(drivers_get().at(0)), ZE_DEVICE_TYPE_GPU);
    std::vector<ze_driver_handle_t> drivers;
    EXPECT_EQ(init_drivers(ZE_INIT_DRIVER_TYPE_FLAG_GPU, drivers), ZE_RESULT_SUCCESS);
    EXPECT_EQ(drivers, drivers_get());
    EXPECT_EQ(init_drivers(ZE_INIT_DRIVER_TYPE_FLAG_NPU, drivers), ZE_RESULT_ERROR_UNINITIALIZED);
  });
}

TEST(ReportedType, a_real_gpu_keeps_the_cpu_what_it_is) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU "," FAKE_GPU);
    ASSERT_EQ(zeInit(ZE_INIT_FLAG_GPU_ONLY), ZE_RESULT_SUCCESS);
    ASSERT_EQ(drivers_get().size(), 1u);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    ASSERT_EQ(drivers_get().size(), 2u);
    EXPECT_EQ(first_type(drivers_get().at(0)), ZE_DEVICE_TYPE_CPU);
  });
}

TEST(ReportedType, the_first_init_of_a_process_decides) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zeInit(ZE_INIT_FLAG_GPU_ONLY), ZE_RESULT_ERROR_UNINITIALIZED);
    EXPECT_EQ(first_type(drivers_get().at(0)), ZE_DEVICE_TYPE_CPU);
  });
}

TEST(Enumerate, writes_no_more_than_the_count_says) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU "," FAKE_CPU2);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    auto* const untouched = reinterpret_cast<ze_driver_handle_t>(0x5a);
    ze_driver_handle_t drivers[3] = {untouched, untouched, untouched};
    uint32_t count = 1;
    EXPECT_EQ(zeDriverGet(&count, drivers), ZE_RESULT_SUCCESS);
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(drivers[1], untouched);
    count = 3;
    EXPECT_EQ(zeDriverGet(&count, drivers), ZE_RESULT_SUCCESS);
    EXPECT_EQ(count, 2u);
    EXPECT_EQ(drivers[2], untouched);
    EXPECT_EQ(zeDriverGet(nullptr, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  });
}

} // namespace
