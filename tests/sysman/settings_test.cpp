// Setters change what they say; properties show what is real; counters, limits and rare groups.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <cstring>
#include <unistd.h>

namespace {

using namespace zeroth::testing;

TEST(SysmanSettings, a_frequency_range_is_what_the_kernel_then_holds) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const auto clocks = all_of(zesDeviceEnumFrequencyDomains, first_device());
    const zes_freq_range_t wanted{800, 2200};
    ASSERT_EQ(zesFrequencySetRange(clocks[0], &wanted), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/devices/system/cpu/cpufreq/policy0/scaling_min_freq"), "800000");
    EXPECT_EQ(machine.read("/sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq"), "2200000");
    const auto range = ask_plain(zesFrequencyGetRange, clocks[0]);
    EXPECT_DOUBLE_EQ(range.max, 2200);
    EXPECT_TRUE(ask(zesFrequencyGetState, clocks[0], ZES_STRUCTURE_TYPE_FREQ_STATE).throttleReasons &
                ZES_FREQ_THROTTLE_REASON_FLAG_SW_RANGE);
    const zes_freq_range_t beyond{100, 9000}, back{-1, -1}, nonsense{3000, 1000};
    ASSERT_EQ(zesFrequencySetRange(clocks[0], &beyond), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/devices/system/cpu/cpufreq/policy0/scaling_min_freq"), "400000");
    ASSERT_EQ(zesFrequencySetRange(clocks[0], &back), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq"), "4400000");
    EXPECT_EQ(zesFrequencySetRange(clocks[0], &nonsense), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  });
}

TEST(SysmanSettings, power_limits_are_milliwatts_of_the_kernels_microwatts) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const auto powers = all_of(zesDeviceEnumPowerDomains, first_device());
    uint32_t count = 0;
    ASSERT_EQ(zesPowerGetLimitsExt(powers[1], &count, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(count, 2u);
    std::vector<zes_power_limit_ext_desc_t> limits(count);
    for (auto& limit : limits) limit.stype = ZES_STRUCTURE_TYPE_POWER_LIMIT_EXT_DESC;
    ASSERT_EQ(zesPowerGetLimitsExt(powers[1], &count, limits.data()), ZE_RESULT_SUCCESS);
    EXPECT_EQ(limits[0].level, ZES_POWER_LEVEL_SUSTAINED);
    EXPECT_EQ(limits[0].limit, 28000);
    EXPECT_EQ(limits[0].interval, 27983);
    EXPECT_EQ(limits[1].level, ZES_POWER_LEVEL_BURST);
    EXPECT_EQ(limits[1].limit, 64000);
    limits[0].limit = 15000;
    count = 1;
    ASSERT_EQ(zesPowerSetLimitsExt(powers[1], &count, limits.data()), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw"), "15000000");
    uint32_t sustained = 0;
    ASSERT_EQ(zesPowerGetLimitsExt2(powers[1], &sustained), ZE_RESULT_SUCCESS);
    EXPECT_EQ(sustained, 15000u);
    const auto properties = ask(zesPowerGetProperties, powers[2], ZES_STRUCTURE_TYPE_POWER_PROPERTIES);
    EXPECT_FALSE(properties.canControl) << "the cores' zone has no constraints";
    EXPECT_EQ(properties.defaultLimit, -1);
  });
}

TEST(SysmanSettings, an_energy_counter_goes_on_where_the_kernels_wraps) {
  in_fresh_process([] {
    const Machine machine("server");
    machine.use();
    const auto powers = all_of(zesDeviceEnumPowerDomains, first_device());
    ASSERT_EQ(powers.size(), 2u);
    machine.write("/sys/class/powercap/intel-rapl:0/energy_uj", "65532000000\n");
    ASSERT_EQ(ask_plain(zesPowerGetEnergyCounter, powers[0]).energy, 65532000000u);
    machine.write("/sys/class/powercap/intel-rapl:0/energy_uj", "1000000\n");
    EXPECT_EQ(ask_plain(zesPowerGetEnergyCounter, powers[0]).energy, 65532610987u + 1000000u);
  });
}

TEST(SysmanSettings, a_fan_is_set_in_percent_and_given_back) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const auto fans = all_of(zesDeviceEnumFans, first_device());
    ASSERT_EQ(fans.size(), 1u);
    int32_t speed = 0;
    ASSERT_EQ(zesFanGetState(fans[0], ZES_FAN_SPEED_UNITS_RPM, &speed), ZE_RESULT_SUCCESS);
    EXPECT_EQ(speed, 2400);
    const zes_fan_speed_t wanted{40, ZES_FAN_SPEED_UNITS_PERCENT};
    ASSERT_EQ(zesFanSetFixedSpeedMode(fans[0], &wanted), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/class/hwmon/hwmon2/pwm1_enable"), "1");
    EXPECT_EQ(machine.read("/sys/class/hwmon/hwmon2/pwm1"), "102");
    EXPECT_EQ(ask(zesFanGetConfig, fans[0], ZES_STRUCTURE_TYPE_FAN_CONFIG).mode, ZES_FAN_SPEED_MODE_FIXED);
    ASSERT_EQ(zesFanSetDefaultMode(fans[0]), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/class/hwmon/hwmon2/pwm1_enable"), "2");
  });
}

TEST(SysmanSettings, a_laptop_shows_its_supplies_lights_firmware_and_performance_factor) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const zes_device_handle_t device = first_device();
    const auto supplies = all_of(zesDeviceEnumPsus, device);
    ASSERT_EQ(supplies.size(), 1u) << "a battery without a file that says it is there tells nothing";
    EXPECT_EQ(ask(zesPsuGetState, supplies[0], ZES_STRUCTURE_TYPE_PSU_STATE).voltStatus, ZES_PSU_VOLTAGE_STATUS_UNKNOWN)
        << "that it is plugged in says nothing of its voltage";
    EXPECT_EQ(ask(zesPsuGetState, supplies[0], ZES_STRUCTURE_TYPE_PSU_STATE).temperature, -1);
    const auto lights = all_of(zesDeviceEnumLeds, device);
    ASSERT_EQ(lights.size(), 1u);
    ASSERT_EQ(zesLedSetState(lights[0], false), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/class/leds/tpacpi::power/brightness"), "0");
    const auto firmwares = all_of(zesDeviceEnumFirmwares, device);
    ASSERT_EQ(firmwares.size(), 2u);
    EXPECT_STREQ(ask(zesFirmwareGetProperties, firmwares[0], ZES_STRUCTURE_TYPE_FIRMWARE_PROPERTIES).version,
                 "N3AET80W");
    char image = 0;
    EXPECT_EQ(zesFirmwareFlash(firmwares[0], &image, 1), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    const auto factors = all_of(zesDeviceEnumPerformanceFactorDomains, device);
    ASSERT_EQ(factors.size(), 1u);
    ASSERT_EQ(zesPerformanceFactorSetConfig(factors[0], 60), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/devices/system/cpu/intel_pstate/max_perf_pct"), "60");
    zes_device_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    ASSERT_EQ(zesDeviceGetProperties(device, &properties), ZE_RESULT_SUCCESS);
    EXPECT_STREQ(properties.vendorName, "Recording Computers");
    EXPECT_STREQ(properties.serialNumber, "PF0");
    EXPECT_EQ(zesDeviceReset(device, false), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  });
}

TEST(SysmanSettings, a_server_counts_errors_of_its_memory_and_clears_them) {
  in_fresh_process([] {
    const Machine machine("server");
    machine.use();
    const zes_device_handle_t device = first_device();
    const auto sets = all_of(zesDeviceEnumRasErrorSets, device);
    ASSERT_EQ(sets.size(), 2u);
    zes_ras_state_t state{};
    ASSERT_EQ(zesRasGetState(sets[0], false, &state), ZE_RESULT_SUCCESS);
    EXPECT_EQ(state.category[ZES_RAS_ERROR_CAT_NON_COMPUTE_ERRORS], 2u);
    const auto categories = all_of(zesRasGetSupportedCategoriesExp, sets[1]);
    ASSERT_EQ(categories.size(), 2u) << "memory, and what the processor reported";
    uint32_t count = 2;
    zes_ras_state_exp_t detailed[2]{};
    ASSERT_EQ(zesRasGetStateExp(sets[1], &count, detailed), ZE_RESULT_SUCCESS);
    EXPECT_EQ(detailed[1].category, ZES_RAS_ERROR_CATEGORY_EXP_SOC_INTERNAL_ERRORS);
    EXPECT_EQ(detailed[1].errorCounter, 1u);
    ASSERT_EQ(zesRasGetState(sets[0], true, &state), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/devices/system/edac/mc/mc1/reset_counters"), "1");
    ASSERT_EQ(zesRasClearStateExp(sets[1], ZES_RAS_ERROR_CATEGORY_EXP_SOC_INTERNAL_ERRORS), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesRasGetStateExp(sets[1], &count, detailed), ZE_RESULT_SUCCESS);
    EXPECT_EQ(detailed[1].errorCounter, 0u);
    EXPECT_EQ(zesRasClearStateExp(sets[1], ZES_RAS_ERROR_CATEGORY_EXP_CACHE_ERRORS),
              ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    const auto memories = all_of(zesDeviceEnumMemoryModules, device);
    ASSERT_EQ(memories.size(), 6u) << "two nodes and four modules; empty slots are none";
    const auto module = ask(zesMemoryGetProperties, memories[2], ZES_STRUCTURE_TYPE_MEM_PROPERTIES);
    EXPECT_EQ(module.type, ZES_MEM_TYPE_DDR5);
    EXPECT_EQ(module.physicalSize, 65536ull << 20);
    EXPECT_EQ(ask(zesMemoryGetState, memories[0], ZES_STRUCTURE_TYPE_MEM_STATE).health, ZES_MEM_HEALTH_OK);
    ze_bool_t ecc = false;
    ASSERT_EQ(zesDeviceEccAvailable(device, &ecc), ZE_RESULT_SUCCESS);
    EXPECT_TRUE(ecc);
  });
}

TEST(SysmanSettings, processes_are_counted_and_a_small_array_is_refused_with_the_number) {
  in_fresh_process([] {
    const Machine machine("server");
    machine.use();
    const zes_device_handle_t device = first_device();
    uint32_t count = 0;
    ASSERT_EQ(zesDeviceProcessesGetState(device, &count, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(count, 1u) << "one with memory; the other is a thread of the kernel";
    zes_process_state_t process{};
    ASSERT_EQ(zesDeviceProcessesGetState(device, &count, &process), ZE_RESULT_SUCCESS);
    EXPECT_EQ(process.processId, 42u);
    EXPECT_EQ(process.memSize, 1200ull * ::sysconf(_SC_PAGESIZE));
    machine.write("/proc/77/statm", "10 10 1 0 0 0 0\n");
    count = 1;
    EXPECT_EQ(zesDeviceProcessesGetState(device, &count, &process), ZE_RESULT_ERROR_INVALID_SIZE);
    EXPECT_EQ(count, 2u);
  });
}

TEST(SysmanSettings, a_sensor_that_vanishes_is_device_lost_and_comes_back) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const auto sensors = all_of(zesDeviceEnumTemperatureSensors, first_device());
    double celsius = 0;
    ASSERT_EQ(zesTemperatureGetState(sensors[0], &celsius), ZE_RESULT_SUCCESS);
    machine.remove("/sys/class/hwmon/hwmon3");
    EXPECT_EQ(zesTemperatureGetState(sensors[0], &celsius), ZE_RESULT_ERROR_DEVICE_LOST);
    EXPECT_EQ(zesTemperatureGetState(sensors[2], &celsius), ZE_RESULT_ERROR_DEVICE_LOST) << "never read before";
    machine.write("/sys/class/hwmon/hwmon3/temp1_input", "33000\n");
    ASSERT_EQ(zesTemperatureGetState(sensors[0], &celsius), ZE_RESULT_SUCCESS);
    EXPECT_DOUBLE_EQ(celsius, 33);
  });
}

TEST(SysmanSettings, nonsense_in_a_file_is_no_reading) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const auto sensors = all_of(zesDeviceEnumTemperatureSensors, first_device());
    double celsius = 7;
    machine.write("/sys/class/hwmon/hwmon3/temp1_input", "none\n");
    EXPECT_EQ(zesTemperatureGetState(sensors[0], &celsius), ZE_RESULT_ERROR_NOT_AVAILABLE);
    EXPECT_DOUBLE_EQ(celsius, 7);
  });
}

} // namespace
