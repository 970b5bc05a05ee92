// NVIDIA GPUs, through a library with NVIDIA's interface (fake_nvml.c).
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <dlfcn.h>
#include <fstream>

namespace {

using namespace zeroth::testing;

TEST(SysmanGpus, nvidia_settings_change_what_they_say_where_the_library_permits_it) {
  in_fresh_process([] {
    const Machine machine("nvidia");
    setenv("FAKE_NVML", machine.folder().c_str(), 1);
    std::ofstream(machine.folder() / "may-set") << "yes";
    machine.use("nvml: \"" FAKE_NVML "\"");
    const zes_device_handle_t gpu = gpus()[0];
    const auto power = all_of(zesDeviceEnumPowerDomains, gpu).at(0);
    ASSERT_EQ(zesPowerSetLimitsExt2(power, 300000), ZE_RESULT_SUCCESS);
    uint32_t limit = 0;
    ASSERT_EQ(zesPowerGetLimitsExt2(power, &limit), ZE_RESULT_SUCCESS);
    EXPECT_EQ(limit, 300000u);

    void* library = dlopen(FAKE_NVML, RTLD_NOW);
    const auto lowest = reinterpret_cast<unsigned (*)()>(dlsym(library, "fake_nvml_lowest_clock"));
    const auto highest = reinterpret_cast<unsigned (*)()>(dlsym(library, "fake_nvml_highest_clock"));
    const auto clock = all_of(zesDeviceEnumFrequencyDomains, gpu).at(0);
    zes_freq_range_t range{600, -1}, told{};
    EXPECT_EQ(zesFrequencyGetRange(clock, &told), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) << "others may have locked it";
    ASSERT_EQ(zesFrequencySetRange(clock, &range), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesFrequencyGetRange(clock, &told), ZE_RESULT_SUCCESS);
    EXPECT_DOUBLE_EQ(told.min, 600);
    EXPECT_DOUBLE_EQ(told.max, 1980);
    EXPECT_EQ(lowest(), 600u);
    EXPECT_EQ(highest(), 1980u) << "the hardware's own";
    range = {-1, -1};
    ASSERT_EQ(zesFrequencySetRange(clock, &range), ZE_RESULT_SUCCESS);
    EXPECT_EQ(highest(), 0u) << "the lock has ended";
    ASSERT_EQ(zesFrequencyGetRange(clock, &told), ZE_RESULT_SUCCESS);
    EXPECT_DOUBLE_EQ(told.min, 345);

    const auto fan = all_of(zesDeviceEnumFans, gpu).at(0);
    const zes_fan_speed_t speed{70, ZES_FAN_SPEED_UNITS_PERCENT};
    ASSERT_EQ(zesFanSetFixedSpeedMode(fan, &speed), ZE_RESULT_SUCCESS);
    int32_t percent = 0;
    ASSERT_EQ(zesFanGetState(fan, ZES_FAN_SPEED_UNITS_PERCENT, &percent), ZE_RESULT_SUCCESS);
    EXPECT_EQ(percent, 70);
    zes_fan_config_t config{};
    config.stype = ZES_STRUCTURE_TYPE_FAN_CONFIG;
    ASSERT_EQ(zesFanGetConfig(fan, &config), ZE_RESULT_SUCCESS);
    EXPECT_EQ(config.mode, ZES_FAN_SPEED_MODE_FIXED);
    ASSERT_EQ(zesFanSetDefaultMode(fan), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesFanGetConfig(fan, &config), ZE_RESULT_SUCCESS);
    EXPECT_EQ(config.mode, ZES_FAN_SPEED_MODE_DEFAULT);

    const auto errors = all_of(zesDeviceEnumRasErrorSets, gpu).at(0);
    zes_ras_state_t state{};
    ASSERT_EQ(zesRasGetState(errors, true, &state), ZE_RESULT_SUCCESS);
    EXPECT_EQ(state.category[ZES_RAS_ERROR_CAT_NON_COMPUTE_ERRORS], 4u);
    ASSERT_EQ(zesRasGetState(errors, false, &state), ZE_RESULT_SUCCESS);
    EXPECT_EQ(state.category[ZES_RAS_ERROR_CAT_NON_COMPUTE_ERRORS], 0u);
    std::filesystem::remove(machine.folder() / "may-set");
    EXPECT_EQ(zesFrequencySetRange(clock, &range), ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
    EXPECT_EQ(zesFanSetDefaultMode(fan), ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
    EXPECT_EQ(zesRasGetState(errors, true, &state), ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
  });
}

TEST(SysmanGpus, an_nvidia_gpu_that_must_be_reset_is_a_state_an_event_and_a_record) {
  in_fresh_process([] {
    const Machine machine("nvidia");
    setenv("FAKE_NVML", machine.folder().c_str(), 1);
    machine.use("interval: 5, nvml: \"" FAKE_NVML "\"");
    zes_device_handle_t gpu = gpus()[0];
    const auto sensor = all_of(zesDeviceEnumTemperatureSensors, gpu).at(0);
    ASSERT_EQ(zesDeviceEventRegister(gpu, ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED), ZE_RESULT_SUCCESS);
    std::ofstream(machine.folder() / "must-reset") << "yes";
    uint32_t count = 0;
    zes_event_type_flags_t events = 0;
    ASSERT_EQ(zesDriverEventListen(sysman_drivers().back(), 60000, 1, &gpu, &count, &events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED));
    EXPECT_EQ(ask(zesDeviceGetState, gpu, ZES_STRUCTURE_TYPE_DEVICE_STATE).reset,
              zes_reset_reason_flags_t(ZES_RESET_REASON_FLAG_WEDGED));
    double celsius = 0;
    EXPECT_EQ(zesTemperatureGetState(sensor, &celsius), ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  });
}

TEST(SysmanGpus, an_nvidia_gpu_that_corrects_no_errors_could_and_a_container_does_not_tell_memory) {
  in_fresh_process([] {
    const Machine machine("nvidia");
    setenv("FAKE_NVML", machine.folder().c_str(), 1);
    machine.use("nvml: \"" FAKE_NVML "\"");
    const zes_device_handle_t gpu = gpus()[0];
    const auto state = [&] { return ask(zesDeviceGetEccState, gpu, ZES_STRUCTURE_TYPE_DEVICE_ECC_PROPERTIES); };
    EXPECT_EQ(state().currentState, ZES_DEVICE_ECC_STATE_ENABLED);
    std::ofstream(machine.folder() / "ecc-off") << "yes";
    EXPECT_EQ(state().currentState, ZES_DEVICE_ECC_STATE_DISABLED);
    ze_bool_t available = false;
    ASSERT_EQ(zesDeviceEccAvailable(gpu, &available), ZE_RESULT_SUCCESS);
    EXPECT_TRUE(available);
    uint32_t count = 1;
    zes_process_state_t process{};
    ASSERT_EQ(zesDeviceProcessesGetState(gpu, &count, &process), ZE_RESULT_SUCCESS);
    EXPECT_EQ(process.memSize, 2048u);
    std::ofstream(machine.folder() / "no-memory-told") << "yes";
    ASSERT_EQ(zesDeviceProcessesGetState(gpu, &count, &process), ZE_RESULT_SUCCESS);
    EXPECT_EQ(process.memSize, UINT64_MAX);
    EXPECT_EQ(process.sharedSize, UINT64_MAX);
  });
}

TEST(SysmanGpus, an_nvidia_gpu_through_a_library_with_nvidias_interface) {
  in_fresh_process([] {
    const Machine machine("nvidia");
    machine.use("nvml: \"" FAKE_NVML "\"");
    const auto all = gpus();
    ASSERT_EQ(all.size(), 1u);
    const zes_device_handle_t gpu = all[0];
    zes_device_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    ASSERT_EQ(zesDeviceGetProperties(gpu, &properties), ZE_RESULT_SUCCESS);
    EXPECT_STREQ(properties.core.name, "Pretend GPU");
    EXPECT_STREQ(properties.serialNumber, "1650");
    EXPECT_STREQ(properties.driverVersion, "999.1");
    const auto powers = all_of(zesDeviceEnumPowerDomains, gpu);
    ASSERT_EQ(powers.size(), 1u);
    EXPECT_EQ(ask_plain(zesPowerGetEnergyCounter, powers[0]).energy, 5000000u);
    EXPECT_EQ(ask(zesPowerGetProperties, powers[0], ZES_STRUCTURE_TYPE_POWER_PROPERTIES).minLimit, 200000);
    EXPECT_EQ(zesPowerSetLimitsExt2(powers[0], 300000), ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
    EXPECT_NE(last_error(sysman_drivers().back()).find("nvmlDeviceSetPowerManagementLimit"), std::string::npos);
    const auto sensors = all_of(zesDeviceEnumTemperatureSensors, gpu);
    ASSERT_EQ(sensors.size(), 1u);
    double celsius = 0;
    ASSERT_EQ(zesTemperatureGetState(sensors[0], &celsius), ZE_RESULT_SUCCESS);
    EXPECT_DOUBLE_EQ(celsius, 33);
    const auto clocks = all_of(zesDeviceEnumFrequencyDomains, gpu);
    ASSERT_EQ(clocks.size(), 2u) << "a clock that is not supported is left out";
    uint32_t count = 0;
    ASSERT_EQ(zesFrequencyGetAvailableClocks(clocks[0], &count, nullptr), ZE_RESULT_SUCCESS);
    std::vector<double> listed(count);
    ASSERT_EQ(zesFrequencyGetAvailableClocks(clocks[0], &count, listed.data()), ZE_RESULT_SUCCESS);
    ASSERT_EQ(listed.size(), 110u) << "beside the fastest memory";
    EXPECT_DOUBLE_EQ(listed.front(), 345);
    EXPECT_DOUBLE_EQ(listed.back(), 1980);
    EXPECT_DOUBLE_EQ(ask(zesFrequencyGetProperties, clocks[0], ZES_STRUCTURE_TYPE_FREQ_PROPERTIES).min, 345);
    EXPECT_DOUBLE_EQ(ask(zesFrequencyGetProperties, clocks[1], ZES_STRUCTURE_TYPE_FREQ_PROPERTIES).min, 1593);
    EXPECT_TRUE(all_of(zesDeviceEnumFans, gpu).empty()) << "no fan is no fan at 0";
    const auto engines = all_of(zesDeviceEnumEngineGroups, gpu);
    ASSERT_EQ(engines.size(), 1u);
    const auto first = ask_plain(zesEngineGetActivity, engines[0]).activeTime;
    EXPECT_EQ(ask_plain(zesEngineGetActivity, engines[0]).activeTime, first + 500) << "half of a millisecond";
    const auto pci = ask(zesDevicePciGetProperties, gpu, ZES_STRUCTURE_TYPE_PCI_PROPERTIES);
    EXPECT_EQ(pci.maxSpeed.gen, 5);
    EXPECT_EQ(all_of(zesDeviceEnumRasErrorSets, gpu).size(), 2u);
  });
}

} // namespace
