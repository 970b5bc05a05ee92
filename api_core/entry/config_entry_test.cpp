// The configuration as programs feel it: through the library, with a file of their own.
#include <filesystem>
#include <fstream>
#include <vector>

#include <level_zero/ze_api.h>
#include <level_zero/zer_api.h>
#include <level_zero/zes_api.h>

#include <entry/testing/fresh_process.hpp>

namespace {

using zeroth::testing::in_fresh_process;

// The configuration of this process; its file goes with it.
void use_config(const std::string& text) {
  static const auto& file = *new std::filesystem::path(std::filesystem::temp_directory_path() /
                                                       ("zeroth-config-" + std::to_string(getpid()) + ".yaml"));
  std::ofstream(file) << text;
  std::atexit([] { std::filesystem::remove(file); });
  setenv("ZEROTH_CONFIG", file.c_str(), 1);
  unsetenv("ZE_ENABLE_ALT_DRIVERS");
}

std::vector<ze_driver_handle_t> drivers() {
  uint32_t count = 0;
  EXPECT_EQ(zeDriverGet(&count, nullptr), ZE_RESULT_SUCCESS);
  std::vector<ze_driver_handle_t> all(count);
  EXPECT_EQ(zeDriverGet(&count, all.data()), ZE_RESULT_SUCCESS);
  return all;
}

ze_device_properties_t properties_of(ze_driver_handle_t driver) {
  uint32_t count = 1;
  ze_device_handle_t device = nullptr;
  EXPECT_EQ(zeDeviceGet(driver, &count, &device), ZE_RESULT_SUCCESS);
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  EXPECT_EQ(zeDeviceGetProperties(device, &properties), ZE_RESULT_SUCCESS);
  return properties;
}

TEST(Config, lists_drivers_in_its_order) {
  in_fresh_process([] {
    use_config("drivers:\n  - {plugin: " FAKE_CPU2 "}\n  - {plugin: " FAKE_CPU "}\n");
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    ASSERT_EQ(drivers().size(), 2u);
    EXPECT_STREQ(properties_of(drivers()[0]).name, "fake_cpu2");
    EXPECT_STREQ(properties_of(drivers()[1]).name, "fake_cpu");
  });
}

TEST(Config, two_entries_of_one_file_are_two_drivers) {
  in_fresh_process([] {
    use_config("drivers:\n  - {name: a, plugin: " FAKE_CPU "}\n  - {name: b, plugin: " FAKE_CPU "}\n");
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    ASSERT_EQ(drivers().size(), 2u);
    EXPECT_NE(drivers()[0], drivers()[1]);
    EXPECT_EQ(zerTranslateDeviceHandleToIdentifier(zerTranslateIdentifierToDeviceHandle(1)), 1u);
  });
}

TEST(Config, report_as_gpu_serves_programs_that_ask_for_all_and_filter) {
  in_fresh_process([] {
    use_config("report_as: gpu\ndrivers:\n  - {plugin: " FAKE_CPU "}\n");
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_EQ(properties_of(drivers().at(0)).type, ZE_DEVICE_TYPE_GPU);
    EXPECT_EQ(zeInit(ZE_INIT_FLAG_GPU_ONLY), ZE_RESULT_SUCCESS);
  });
}

TEST(Config, report_as_cpu_tells_the_truth_to_everyone) {
  in_fresh_process([] {
    use_config("drivers:\n  - {plugin: " FAKE_CPU ", report_as: cpu}\n");
    EXPECT_EQ(zeInit(ZE_INIT_FLAG_GPU_ONLY), ZE_RESULT_ERROR_UNINITIALIZED);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_EQ(properties_of(drivers().at(0)).type, ZE_DEVICE_TYPE_CPU);
  });
}

TEST(Config, identity_is_what_programs_see) {
  in_fresh_process([] {
    use_config("drivers:\n  - {plugin: " FAKE_CPU ", identity: {name: My device, driver_version: 77}}\n");
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_STREQ(properties_of(drivers().at(0)).name, "My device");
    ze_driver_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
    ASSERT_EQ(zeDriverGetProperties(drivers().at(0), &properties), ZE_RESULT_SUCCESS);
    EXPECT_EQ(properties.driverVersion, 77u);
  });
}

TEST(Config, zero_drivers_success_initialises_with_none) {
  in_fresh_process([] {
    use_config("zero_drivers: success\ndrivers: []\n");
    EXPECT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_TRUE(drivers().empty());
    EXPECT_EQ(zerTranslateIdentifierToDeviceHandle(0), nullptr);
    EXPECT_EQ(zerGetDefaultContext(), nullptr);
  });
}

TEST(Config, strict_and_wrong_fails_every_init_and_says_why) {
  in_fresh_process([] {
    use_config("strict: true\nnonsense: 1\n");
    EXPECT_EQ(zeInit(0), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
    EXPECT_EQ(zesInit(0), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
  });
}

TEST(Config, strict_fails_init_when_a_driver_or_an_overlay_does_not_load) {
  for (const char* missing :
       {"drivers: [nosuch, {plugin: " FAKE_CPU "}]\n", "drivers: [{plugin: " FAKE_CPU "}]\noverlays: [nosuch]\n"})
    in_fresh_process([&] {
      use_config(std::string("strict: true\n") + missing);
      EXPECT_EQ(zeInit(0), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
      EXPECT_EQ(zeInit(0), ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE);
    });
}

TEST(Config, strict_lets_optional_and_disabled_ones_be_missing) {
  in_fresh_process([] {
    use_config("strict: true\ndrivers: [{plugin: nosuch, optional: true}, {plugin: nosuch2, enabled: false}, "
               "{plugin: " FAKE_CPU "}]\n");
    EXPECT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  });
}

TEST(Config, without_strict_the_others_serve) {
  in_fresh_process([] {
    use_config("drivers: [nosuch, {plugin: " FAKE_CPU "}]\n");
    EXPECT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  });
}

} // namespace
