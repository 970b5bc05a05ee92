// What the other tests do not ask for: properties, and settings that are read back.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <cstring>
#include <level_zero/ze_api.h>

namespace {

using namespace zeroth::testing;

// A count that no enumeration gives.
template <class Enumerate> uint32_t count_of(Enumerate enumerate, zes_device_handle_t device) {
  uint32_t count = 99;
  EXPECT_EQ(enumerate(device, &count, nullptr), ZE_RESULT_SUCCESS);
  return count;
}

TEST(SysmanRest, what_is_refused_by_rule_is_enumerated_as_none) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const zes_device_handle_t device = first_device();
    EXPECT_EQ(count_of(zesDeviceEnumDiagnosticTestSuites, device), 0u);
    EXPECT_EQ(count_of(zesDeviceEnumFabricPorts, device), 0u);
    EXPECT_EQ(count_of(zesDeviceEnumOverclockDomains, device), 0u);
    EXPECT_EQ(count_of(zesDeviceEnumActiveVFExp, device), 0u);
    EXPECT_EQ(count_of(zesDeviceEnumEnabledVFExp, device), 0u);
    EXPECT_EQ(zesDeviceReset(device, true), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    zes_reset_properties_t how{};
    how.stype = ZES_STRUCTURE_TYPE_RESET_PROPERTIES;
    EXPECT_EQ(zesDeviceResetExt(device, &how), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  });
}

TEST(SysmanRest, the_driver_and_the_state_of_its_device) {
  in_fresh_process([] {
    const Machine machine("server");
    machine.use();
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    const zes_driver_handle_t driver = first_driver();
    const zes_device_handle_t device = first_device();
    ze_driver_properties_t core{};
    core.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
    ASSERT_EQ(zeDriverGetProperties(driver, &core), ZE_RESULT_SUCCESS);
    zes_driver_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_DRIVER_PROPERTIES;
    ASSERT_EQ(zesDriverGetProperties(driver, &properties), ZE_RESULT_SUCCESS);
    EXPECT_EQ(std::memcmp(properties.uuid.id, core.uuid.id, sizeof core.uuid.id), 0);
    EXPECT_EQ(properties.driverVersion, core.driverVersion);
    uint32_t count = 99;
    ASSERT_EQ(zesDriverGetExtensionProperties(driver, &count, nullptr), ZE_RESULT_SUCCESS);
    std::vector<zes_driver_extension_properties_t> extensions(count);
    ASSERT_EQ(zesDriverGetExtensionProperties(driver, &count, extensions.data()), ZE_RESULT_SUCCESS);
    const auto listed = [&](const char* name) {
      for (const auto& one : extensions)
        if (std::strcmp(one.name, name) == 0) return true;
      return false;
    };
    EXPECT_TRUE(listed(ZES_INFO_LOGS_EXT_NAME));
    EXPECT_TRUE(listed(ZES_MEMORY_VENDOR_INFO_EXT_NAME));
    EXPECT_FALSE(listed("ZES_extension_device_health"));
    void* address = &count;
    EXPECT_EQ(zesDriverGetExtensionFunctionAddress(driver, "zesNothing", &address), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(address, nullptr);
    zes_device_state_t state{};
    state.stype = ZES_STRUCTURE_TYPE_DEVICE_STATE;
    state.reset = 99;
    ASSERT_EQ(zesDeviceGetState(device, &state), ZE_RESULT_SUCCESS);
    EXPECT_EQ(state.reset, 0u);
    EXPECT_EQ(state.repaired, ZES_REPAIR_STATUS_UNSUPPORTED);
    uint32_t parts = 0;
    ASSERT_EQ(zeDeviceGetSubDevices(device, &parts, nullptr), ZE_RESULT_SUCCESS);
    count = 99;
    ASSERT_EQ(zesDeviceGetSubDevicePropertiesExp(device, &count, nullptr), ZE_RESULT_SUCCESS);
    EXPECT_EQ(count, parts);
    ze_bool_t configurable = true;
    ASSERT_EQ(zesDeviceEccConfigurable(device, &configurable), ZE_RESULT_SUCCESS);
    EXPECT_FALSE(configurable);
    EXPECT_EQ(ask(zesDeviceGetEccState, device, ZES_STRUCTURE_TYPE_DEVICE_ECC_PROPERTIES).currentState,
              ZES_DEVICE_ECC_STATE_ENABLED);
  });
}

TEST(SysmanRest, a_chain_that_runs_in_a_circle_is_refused_instead_of_walked_for_ever) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const zes_device_handle_t device = first_device();
    zes_base_properties_t one{ZES_STRUCTURE_TYPE_DEVICE_STATE, nullptr}, other{ZES_STRUCTURE_TYPE_DEVICE_STATE, &one};
    one.pNext = &other;
    zes_device_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    properties.pNext = &one;
    EXPECT_EQ(zesDeviceGetProperties(device, &properties), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(last_error(first_driver()).find("runs in a circle"), std::string::npos);
    zes_power_properties_t power{};
    power.stype = ZES_STRUCTURE_TYPE_POWER_PROPERTIES;
    power.pNext = &one;
    EXPECT_EQ(zesPowerGetProperties(all_of(zesDeviceEnumPowerDomains, device)[0], &power),
              ZE_RESULT_ERROR_INVALID_ARGUMENT);
  });
}

TEST(SysmanRest, power_limits_of_the_first_version) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const auto power = all_of(zesDeviceEnumPowerDomains, first_device()).at(1);
    zes_power_sustained_limit_t sustained{};
    zes_power_burst_limit_t burst{};
    zes_power_peak_limit_t peak{};
    ASSERT_EQ(zesPowerGetLimits(power, &sustained, &burst, &peak), ZE_RESULT_SUCCESS);
    EXPECT_EQ(sustained.power, 28000);
    EXPECT_EQ(burst.power, 64000);
    EXPECT_EQ(peak.powerAC, -1) << "there is none";
    sustained.power = 20000, burst.power = 30000;
    ASSERT_EQ(zesPowerSetLimits(power, &sustained, &burst, nullptr), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw"), "20000000");
    EXPECT_EQ(machine.read("/sys/class/powercap/intel-rapl:0/constraint_1_power_limit_uw"), "30000000");
  });
}

TEST(SysmanRest, small_parts_of_a_laptop) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const zes_device_handle_t device = first_device();
    zes_freq_throttle_time_t throttled{};
    ASSERT_EQ(zesFrequencyGetThrottleTime(all_of(zesDeviceEnumFrequencyDomains, device).at(0), &throttled),
              ZE_RESULT_SUCCESS);
    EXPECT_EQ(throttled.throttleTime, 120000u);
    const auto factor = all_of(zesDeviceEnumPerformanceFactorDomains, device).at(0);
    double value = 0;
    ASSERT_EQ(zesPerformanceFactorGetConfig(factor, &value), ZE_RESULT_SUCCESS);
    EXPECT_DOUBLE_EQ(value, 100);
    EXPECT_NE(ask(zesPerformanceFactorGetProperties, factor, ZES_STRUCTURE_TYPE_PERF_PROPERTIES).engines, 0u);
    const auto fan =
        ask(zesFanGetProperties, all_of(zesDeviceEnumFans, device).at(0), ZES_STRUCTURE_TYPE_FAN_PROPERTIES);
    EXPECT_TRUE(fan.canControl);
    EXPECT_EQ(fan.maxRPM, 5000);
    const auto light = all_of(zesDeviceEnumLeds, device).at(0);
    EXPECT_TRUE(ask(zesLedGetProperties, light, ZES_STRUCTURE_TYPE_LED_PROPERTIES).canControl);
    EXPECT_TRUE(ask(zesLedGetState, light, ZES_STRUCTURE_TYPE_LED_STATE).isOn);
    const zes_led_color_t red{1, 0, 0};
    EXPECT_EQ(zesLedSetColor(light, &red), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) << "it has no colours";
    const auto supply = all_of(zesDeviceEnumPsus, device).at(0);
    EXPECT_EQ(ask(zesPsuGetProperties, supply, ZES_STRUCTURE_TYPE_PSU_PROPERTIES).ampLimit, -1) << "not known";
    const auto sensor = all_of(zesDeviceEnumTemperatureSensors, device).at(0);
    zes_temp_config_t config{};
    config.stype = ZES_STRUCTURE_TYPE_TEMP_CONFIG;
    config.threshold1 = {true, false, 77};
    ASSERT_EQ(zesTemperatureSetConfig(sensor, &config), ZE_RESULT_SUCCESS);
    const auto kept = ask(zesTemperatureGetConfig, sensor, ZES_STRUCTURE_TYPE_TEMP_CONFIG);
    EXPECT_TRUE(kept.threshold1.enableLowToHigh);
    EXPECT_DOUBLE_EQ(kept.threshold1.threshold, 77);
  });
}

TEST(SysmanRest, error_counters_and_their_thresholds) {
  in_fresh_process([] {
    const Machine machine("server");
    machine.use();
    const auto sets = all_of(zesDeviceEnumRasErrorSets, first_device());
    EXPECT_EQ(ask(zesRasGetProperties, sets.at(0), ZES_STRUCTURE_TYPE_RAS_PROPERTIES).type,
              ZES_RAS_ERROR_TYPE_CORRECTABLE);
    EXPECT_EQ(ask(zesRasGetProperties, sets.at(1), ZES_STRUCTURE_TYPE_RAS_PROPERTIES).type,
              ZES_RAS_ERROR_TYPE_UNCORRECTABLE);
    zes_ras_config_t config{};
    config.stype = ZES_STRUCTURE_TYPE_RAS_CONFIG;
    config.totalThreshold = 11;
    ASSERT_EQ(zesRasSetConfig(sets[0], &config), ZE_RESULT_SUCCESS);
    EXPECT_EQ(ask(zesRasGetConfig, sets[0], ZES_STRUCTURE_TYPE_RAS_CONFIG).totalThreshold, 11u);
    const zes_ras_error_category_exp_t memory = ZES_RAS_ERROR_CATEGORY_EXP_MEMORY_ERRORS;
    zes_ras_state_exp2_t count{};
    count.stype = ZES_STRUCTURE_TYPE_RAS_STATE_EXP2;
    ASSERT_EQ(zesRasGetStateExp2(sets[0], 1, &memory, &count), ZE_RESULT_SUCCESS);
    EXPECT_EQ(count.errorCounter, 2u);
    zes_ras_config_exp_t own{};
    own.stype = ZES_STRUCTURE_TYPE_RAS_CONFIG_EXP;
    own.category = memory;
    own.threshold = 5;
    ASSERT_EQ(zesRasSetConfigExp(sets[0], 1, &own), ZE_RESULT_SUCCESS);
    own.threshold = 0;
    ASSERT_EQ(zesRasGetConfigExp(sets[0], 1, &own), ZE_RESULT_SUCCESS);
    EXPECT_EQ(own.threshold, 5u);
  });
}

TEST(SysmanRest, clocks_standby_and_schedulers_of_gpus) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use();
    ASSERT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
    uint32_t two = 2;
    zes_driver_handle_t drivers[2] = {};
    ASSERT_EQ(zesDriverGet(&two, drivers), ZE_RESULT_SUCCESS);
    const auto gpus = all_of(zesDeviceGet, drivers[1]);
    const auto clock = all_of(zesDeviceEnumFrequencyDomains, gpus.at(1)).at(0);
    uint32_t count = 3;
    double clocks[3] = {};
    ASSERT_EQ(zesFrequencyGetAvailableClocks(clock, &count, clocks), ZE_RESULT_SUCCESS);
    EXPECT_EQ(count, 3u);
    EXPECT_DOUBLE_EQ(clocks[2], 2525);
    const auto scheduler = all_of(zesDeviceEnumSchedulers, gpus.at(2)).at(0);
    EXPECT_NE(ask(zesSchedulerGetProperties, scheduler, ZES_STRUCTURE_TYPE_SCHED_PROPERTIES).engines, 0u);
    zes_sched_mode_t mode = ZES_SCHED_MODE_FORCE_UINT32;
    ASSERT_EQ(zesSchedulerGetCurrentMode(scheduler, &mode), ZE_RESULT_SUCCESS);
    EXPECT_EQ(mode, ZES_SCHED_MODE_TIMESLICE);
    zes_sched_timeout_properties_t timeout{};
    timeout.stype = ZES_STRUCTURE_TYPE_SCHED_TIMEOUT_PROPERTIES;
    ASSERT_EQ(zesSchedulerGetTimeoutModeProperties(scheduler, false, &timeout), ZE_RESULT_SUCCESS);
    EXPECT_EQ(timeout.watchdogTimeout, 5000000u);
    timeout.watchdogTimeout = 7000000;
    ze_bool_t reload = true;
    ASSERT_EQ(zesSchedulerSetTimeoutMode(scheduler, &timeout, &reload), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/bus/pci/devices/0000:04:00.0/tile0/gt0/engines/ccs/job_timeout_ms"), "7000");
    mode = ZES_SCHED_MODE_TIMESLICE;
    ASSERT_EQ(zesSchedulerGetCurrentMode(scheduler, &mode), ZE_RESULT_SUCCESS);
    EXPECT_EQ(mode, ZES_SCHED_MODE_TIMEOUT) << "what was set is what is said";
    EXPECT_FALSE(reload) << "the kernel takes it at once";
  });
}

TEST(SysmanRest, the_standby_of_a_gpu_is_what_the_kernel_says) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use();
    ASSERT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
    uint32_t two = 2;
    zes_driver_handle_t drivers[2] = {};
    ASSERT_EQ(zesDriverGet(&two, drivers), ZE_RESULT_SUCCESS);
    const auto standby = all_of(zesDeviceEnumStandbyDomains, all_of(zesDeviceGet, drivers[1]).at(1)).at(0);
    zes_standby_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_STANDBY_PROPERTIES;
    properties.type = ZES_STANDBY_TYPE_FORCE_UINT32;
    properties.onSubdevice = true;
    ASSERT_EQ(zesStandbyGetProperties(standby, &properties), ZE_RESULT_SUCCESS);
    EXPECT_EQ(properties.type, ZES_STANDBY_TYPE_GLOBAL);
    EXPECT_FALSE(properties.onSubdevice);
    zes_standby_promo_mode_t mode = ZES_STANDBY_PROMO_MODE_FORCE_UINT32;
    ASSERT_EQ(zesStandbyGetMode(standby, &mode), ZE_RESULT_SUCCESS);
    EXPECT_EQ(mode, ZES_STANDBY_PROMO_MODE_DEFAULT);
    machine.write("/sys/bus/pci/devices/0000:03:00.0/power/control", "on\n");
    ASSERT_EQ(zesStandbyGetMode(standby, &mode), ZE_RESULT_SUCCESS);
    EXPECT_EQ(mode, ZES_STANDBY_PROMO_MODE_NEVER);
  });
}

// One entry: the activity of all, which virtual functions would have shares of.
TEST(SysmanRest, the_extended_activity_of_an_engine_without_virtual_functions_is_its_own) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const auto engine = all_of(zesDeviceEnumEngineGroups, first_device()).at(1);
    uint32_t count = 0;
    ASSERT_EQ(zesEngineGetActivityExt(engine, &count, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(count, 1u);
    zes_engine_stats_t stats{};
    ASSERT_EQ(zesEngineGetActivityExt(engine, &count, &stats), ZE_RESULT_SUCCESS);
    EXPECT_EQ(stats.activeTime, ask_plain(zesEngineGetActivity, engine).activeTime);
    EXPECT_NE(stats.activeTime, 0u);
    EXPECT_NE(stats.timestamp, 0u);
  });
}

TEST(SysmanRest, the_colour_of_a_light_is_set_in_the_order_of_its_driver) {
  in_fresh_process([] {
    const Machine machine("laptop");
    const std::string light = "/sys/class/leds/rgb:status";
    machine.write(light + "/brightness", "255\n");
    machine.write(light + "/max_brightness", "255\n");
    machine.write(light + "/multi_index", "green blue red\n");
    machine.write(light + "/multi_intensity", "51 0 255\n");
    machine.write("/sys/class/leds/odd:status/brightness", "1\n");
    machine.write("/sys/class/leds/odd:status/multi_index", "amber white red\n");
    machine.write("/sys/class/leds/odd:status/multi_intensity", "1 1 1\n");
    machine.use();
    const auto lights = all_of(zesDeviceEnumLeds, first_device());
    ASSERT_EQ(lights.size(), 3u);
    EXPECT_FALSE(ask(zesLedGetProperties, lights[0], ZES_STRUCTURE_TYPE_LED_PROPERTIES).haveRGB)
        << "amber and white are not told in red, green and blue";
    EXPECT_TRUE(ask(zesLedGetProperties, lights[1], ZES_STRUCTURE_TYPE_LED_PROPERTIES).haveRGB);
    const auto color = ask(zesLedGetState, lights[1], ZES_STRUCTURE_TYPE_LED_STATE).color;
    EXPECT_DOUBLE_EQ(color.red, 1);
    EXPECT_DOUBLE_EQ(color.green, 0.2);
    EXPECT_DOUBLE_EQ(color.blue, 0);
    const zes_led_color_t wanted{0, 1, 0.2}, beyond{0, 1.5, 0};
    ASSERT_EQ(zesLedSetColor(lights[1], &wanted), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read(light + "/multi_intensity"), "255 51 0");
    EXPECT_EQ(zesLedSetColor(lights[1], &beyond), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  });
}

} // namespace
