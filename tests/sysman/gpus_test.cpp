// GPUs that no driver serves: recorded AMD and Intel machines, and who sees them. NVIDIA: nvidia_test.cpp.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <cmath>
#include <level_zero/ze_api.h>

namespace {

using namespace zeroth::testing;

TEST(SysmanGpus, a_program_that_uses_core_sees_the_same_drivers_in_both) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use();
    ASSERT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
    EXPECT_EQ(sysman_drivers().size(), 2u) << "sysman alone";
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    uint32_t core = 0;
    ASSERT_EQ(zeDriverGet(&core, nullptr), ZE_RESULT_SUCCESS);
    EXPECT_EQ(sysman_drivers().size(), core);
  });
}

TEST(SysmanGpus, an_amd_gpu) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use();
    const auto all = gpus();
    ASSERT_EQ(all.size(), 3u) << "three GPUs; neither the console of the board nor the disk";
    const zes_device_handle_t gpu = all[1];
    const auto pci = ask(zesDevicePciGetProperties, gpu, ZES_STRUCTURE_TYPE_PCI_PROPERTIES);
    EXPECT_EQ(pci.address.bus, 3u);
    EXPECT_EQ(pci.maxSpeed.gen, 4);
    EXPECT_EQ(pci.maxSpeed.width, 16);
    EXPECT_NEAR(double(pci.maxSpeed.maxBandwidth), 31.5e9, 0.1e9);
    EXPECT_EQ(ask(zesDevicePciGetState, gpu, ZES_STRUCTURE_TYPE_PCI_STATE).speed.gen, 1);
    zes_pci_stats_t stats{};
    ASSERT_EQ(zesDevicePciGetStats(gpu, &stats), ZE_RESULT_SUCCESS);
    EXPECT_EQ(stats.replayCounter, 3u);
    uint32_t bars = 0;
    ASSERT_EQ(zesDevicePciGetBars(gpu, &bars, nullptr), ZE_RESULT_SUCCESS);
    EXPECT_EQ(bars, 3u) << "ports are no memory";

    const auto memory = all_of(zesDeviceEnumMemoryModules, gpu);
    ASSERT_EQ(memory.size(), 1u);
    const auto state = ask(zesMemoryGetState, memory[0], ZES_STRUCTURE_TYPE_MEM_STATE);
    EXPECT_EQ(state.size - state.free, 1073741824u);
    const auto clocks = all_of(zesDeviceEnumFrequencyDomains, gpu);
    ASSERT_EQ(clocks.size(), 2u);
    const auto clock = ask(zesFrequencyGetState, clocks[0], ZES_STRUCTURE_TYPE_FREQ_STATE);
    EXPECT_DOUBLE_EQ(clock.actual, 1900);
    EXPECT_DOUBLE_EQ(clock.currentVoltage, 0.712);
    EXPECT_DOUBLE_EQ(clock.tdp, -1) << "not known";
    const auto sensors = all_of(zesDeviceEnumTemperatureSensors, gpu);
    ASSERT_EQ(sensors.size(), 3u);
    EXPECT_EQ(ask(zesTemperatureGetProperties, sensors[2], ZES_STRUCTURE_TYPE_TEMP_PROPERTIES).type,
              ZES_TEMP_SENSORS_MEMORY);
    const auto powers = all_of(zesDeviceEnumPowerDomains, gpu);
    ASSERT_EQ(powers.size(), 1u);
    uint32_t now = 0, mean = 0;
    ASSERT_EQ(zesPowerGetUsage(powers[0], &now, &mean), ZE_RESULT_SUCCESS);
    EXPECT_EQ(mean, 31000u);
    EXPECT_EQ(now, UINT32_MAX) << "not known";
    zes_power_energy_counter_t energy{};
    EXPECT_EQ(zesPowerGetEnergyCounter(powers[0], &energy), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    uint32_t limit = 250000;
    ASSERT_EQ(zesPowerSetLimitsExt2(powers[0], limit), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/bus/pci/devices/0000:03:00.0/hwmon/hwmon4/power1_cap"), "250000000");

    const auto engines = all_of(zesDeviceEnumEngineGroups, gpu);
    ASSERT_EQ(engines.size(), 2u);
    EXPECT_EQ(ask(zesEngineGetProperties, engines[0], ZES_STRUCTURE_TYPE_ENGINE_PROPERTIES).type,
              ZES_ENGINE_GROUP_COMPUTE_SINGLE);
    EXPECT_EQ(ask_plain(zesEngineGetActivity, engines[0]).activeTime, 9000000u) << "a client's two files count once";
    uint32_t count = 1;
    zes_process_state_t process{};
    ASSERT_EQ(zesDeviceProcessesGetState(gpu, &count, &process), ZE_RESULT_SUCCESS);
    EXPECT_EQ(process.processId, 1200u);
    EXPECT_EQ(process.memSize, 262144ull << 10);
    EXPECT_EQ(process.sharedSize, UINT64_MAX) << "not told";
    EXPECT_TRUE(process.engines & ZES_ENGINE_TYPE_FLAG_COMPUTE);
    machine.remove("/proc/1200");
    EXPECT_EQ(ask_plain(zesEngineGetActivity, engines[0]).activeTime, 9000000u) << "a client that ended stays counted";

    const auto sets = all_of(zesDeviceEnumRasErrorSets, gpu);
    ASSERT_EQ(sets.size(), 2u);
    zes_ras_state_t errors{};
    ASSERT_EQ(zesRasGetState(sets[0], false, &errors), ZE_RESULT_SUCCESS);
    EXPECT_EQ(errors.category[ZES_RAS_ERROR_CAT_NON_COMPUTE_ERRORS], 7u);
    zes_device_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    ASSERT_EQ(zesDeviceGetProperties(gpu, &properties), ZE_RESULT_SUCCESS);
    EXPECT_STREQ(properties.core.name, "Radeon of the recording");
    EXPECT_EQ(properties.core.vendorId, 0x1002u);
    EXPECT_STREQ(properties.driverVersion, "amdgpu");
  });
}

TEST(SysmanGpus, a_standby_mode_is_the_kernels_power_control) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use();
    const auto domains = all_of(zesDeviceEnumStandbyDomains, gpus()[1]);
    ASSERT_EQ(domains.size(), 1u);
    zes_standby_promo_mode_t mode{};
    ASSERT_EQ(zesStandbyGetMode(domains[0], &mode), ZE_RESULT_SUCCESS);
    EXPECT_EQ(mode, ZES_STANDBY_PROMO_MODE_DEFAULT);
    ASSERT_EQ(zesStandbySetMode(domains[0], ZES_STANDBY_PROMO_MODE_NEVER), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/bus/pci/devices/0000:03:00.0/power/control"), "on");
  });
}

TEST(SysmanGpus, intel_gpus_of_both_kernel_drivers) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use();
    const auto all = gpus();
    const auto older = all_of(zesDeviceEnumFrequencyDomains, all[0]);
    ASSERT_EQ(older.size(), 1u);
    EXPECT_DOUBLE_EQ(ask(zesFrequencyGetProperties, older[0], ZES_STRUCTURE_TYPE_FREQ_PROPERTIES).max, 1300);
    const auto newer = all_of(zesDeviceEnumFrequencyDomains, all[2]);
    ASSERT_EQ(newer.size(), 1u);
    const auto state = ask(zesFrequencyGetState, newer[0], ZES_STRUCTURE_TYPE_FREQ_STATE);
    EXPECT_DOUBLE_EQ(state.actual, 1200);
    EXPECT_EQ(state.throttleReasons, zes_freq_throttle_reason_flags_t(ZES_FREQ_THROTTLE_REASON_FLAG_AVE_PWR_CAP));
    const zes_freq_range_t range{600, 2000};
    ASSERT_EQ(zesFrequencySetRange(newer[0], &range), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/bus/pci/devices/0000:04:00.0/tile0/gt0/freq0/max_freq"), "2000");
    const auto schedulers = all_of(zesDeviceEnumSchedulers, all[2]);
    ASSERT_EQ(schedulers.size(), 1u);
    zes_sched_timeslice_properties_t slices{};
    slices.stype = ZES_STRUCTURE_TYPE_SCHED_TIMESLICE_PROPERTIES;
    ASSERT_EQ(zesSchedulerGetTimesliceModeProperties(schedulers[0], true, &slices), ZE_RESULT_SUCCESS);
    EXPECT_EQ(slices.interval, 2000u);
    ze_bool_t reload = true;
    slices.interval = 500;
    ASSERT_EQ(zesSchedulerSetTimesliceMode(schedulers[0], &slices, &reload), ZE_RESULT_SUCCESS);
    EXPECT_EQ(machine.read("/sys/bus/pci/devices/0000:04:00.0/tile0/gt0/engines/ccs/timeslice_duration_us"), "500");
    const auto powers = all_of(zesDeviceEnumPowerDomains, all[2]);
    ASSERT_EQ(powers.size(), 1u);
    EXPECT_EQ(ask_plain(zesPowerGetEnergyCounter, powers[0]).energy, 123456789u);
  });
}

TEST(SysmanGpus, an_unplugged_gpu_is_lost_and_an_event) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use("interval: 5");
    zes_device_handle_t gpu = gpus()[1];
    const auto sensors = all_of(zesDeviceEnumTemperatureSensors, gpu);
    double celsius = 0;
    ASSERT_EQ(zesTemperatureGetState(sensors[0], &celsius), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesDeviceEventRegister(gpu, ZES_EVENT_TYPE_FLAG_DEVICE_DETACH | ZES_EVENT_TYPE_FLAG_DEVICE_ATTACH),
              ZE_RESULT_SUCCESS);
    zes_info_log_instance_ext_desc_t desc{};
    desc.stype = ZES_STRUCTURE_TYPE_INFO_LOG_INSTANCE_EXT_DESC;
    zes_info_log_instance_handle_t log = nullptr, of_the_host = nullptr;
    const auto logs = all_of(zesDriverEnumInfoLogsExt, sysman_drivers().back());
    ASSERT_EQ(zesInfoLogCreateInstanceExt(logs.at(0), nullptr, &desc, &log), ZE_RESULT_SUCCESS);
    const auto others = all_of(zesDriverEnumInfoLogsExt, sysman_drivers().front());
    ASSERT_EQ(zesInfoLogCreateInstanceExt(others.at(0), nullptr, &desc, &of_the_host), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesDriverEventRegisterExt(sysman_drivers().front(), ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT),
              ZE_RESULT_SUCCESS);
    const auto folder = machine.file("/sys/bus/pci/devices/0000:03:00.0");
    std::filesystem::rename(folder, machine.folder() / "away");
    uint32_t count = 0;
    zes_event_type_flags_t events = 0;
    ASSERT_EQ(zesDriverEventListen(sysman_drivers().back(), 60000, 1, &gpu, &count, &events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_DEVICE_DETACH));
    zes_device_state_t state{};
    state.stype = ZES_STRUCTURE_TYPE_DEVICE_STATE;
    EXPECT_EQ(zesDeviceGetState(gpu, &state), ZE_RESULT_ERROR_DEVICE_LOST);
    uint8_t bytes[1024];
    uint32_t size = sizeof bytes, records = 1;
    zes_info_log_metadata_ext_t about{};
    about.stype = ZES_STRUCTURE_TYPE_INFO_LOG_METADATA_EXT;
    ASSERT_EQ(zesInfoLogInstanceReadWithMetadataExt(log, 1000, &size, bytes, &records, &about, nullptr),
              ZE_RESULT_SUCCESS);
    ASSERT_EQ(records, 1u) << "the runtime's own record of the fault";
    zes_device_handle_t host = all_of(zesDeviceGet, sysman_drivers().front()).at(0);
    zes_event_type_flags_t driver_events = 9;
    ASSERT_EQ(zesDriverEventListenExt(sysman_drivers().front(), 0, 1, &host, &count, &events, &driver_events),
              ZE_RESULT_SUCCESS);
    EXPECT_EQ(driver_events, 0u) << "its log has nothing new";
    EXPECT_EQ(about.recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL);
    EXPECT_EQ(about.address.bus, 3u);
    size = sizeof bytes, records = 1;
    ASSERT_EQ(zesInfoLogInstanceReadWithMetadataExt(of_the_host, 1000, &size, bytes, &records, &about, nullptr),
              ZE_RESULT_SUCCESS);
    EXPECT_EQ(records, 0u) << "another driver's device";
    EXPECT_EQ(zesTemperatureGetState(sensors[1], &celsius), ZE_RESULT_ERROR_DEVICE_LOST);
    std::filesystem::rename(machine.folder() / "away", folder);
    ASSERT_EQ(zesDriverEventListen(sysman_drivers().back(), 60000, 1, &gpu, &count, &events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_DEVICE_ATTACH));
    EXPECT_EQ(zesTemperatureGetState(sensors[1], &celsius), ZE_RESULT_SUCCESS);
  });
}

TEST(SysmanGpus, a_gpu_that_falls_asleep_is_an_event) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use("interval: 5");
    zes_device_handle_t gpu = gpus()[1];
    ASSERT_EQ(zesDeviceEventRegister(gpu, ZES_EVENT_TYPE_FLAG_DEVICE_SLEEP_STATE_ENTER), ZE_RESULT_SUCCESS);
    machine.write("/sys/bus/pci/devices/0000:03:00.0/power/runtime_status", "suspended\n");
    uint32_t count = 0;
    zes_event_type_flags_t events = 0;
    ASSERT_EQ(zesDriverEventListen(sysman_drivers().back(), 60000, 1, &gpu, &count, &events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_DEVICE_SLEEP_STATE_ENTER));
  });
}

TEST(SysmanGpus, the_health_of_a_link_is_told_and_its_change_an_event) {
  in_fresh_process([] {
    const Machine machine("gpus");
    const std::string bus = "/sys/bus/pci/devices/0000:03:00.0", place = "/sys/devices/pci0000:00/0000:00:01.0";
    std::filesystem::create_directories(machine.file(place)); // below its bridge, as the kernel has it
    std::filesystem::rename(machine.file(bus), machine.file(place + "/0000:03:00.0"));
    std::filesystem::create_symlink(machine.file(place + "/0000:03:00.0"), machine.file(bus));
    machine.write(place + "/max_link_width", "16\n");
    machine.write(bus + "/aer_dev_correctable", "RxErr 0\nBadTLP 1\nBadDLLP 0\nRollover 0\nTimeout 2\n");
    machine.use("interval: 5");
    zes_device_handle_t gpu = gpus()[1];
    const auto state = [&] { return ask(zesDevicePciGetState, gpu, ZES_STRUCTURE_TYPE_PCI_STATE); };
    EXPECT_EQ(state().status, ZES_PCI_LINK_STATUS_GOOD) << "old errors are no issue now";
    ASSERT_EQ(zesDeviceEventRegister(gpu, ZES_EVENT_TYPE_FLAG_PCI_LINK_HEALTH), ZE_RESULT_SUCCESS);
    const auto listen = [&](uint64_t timeout) {
      uint32_t count = 0;
      zes_event_type_flags_t events = 0;
      EXPECT_EQ(zesDriverEventListenEx(sysman_drivers().back(), timeout, 1, &gpu, &count, &events), ZE_RESULT_SUCCESS);
      return events;
    };
    EXPECT_EQ(listen(0), 0u);
    machine.write(bus + "/aer_dev_correctable", "RxErr 0\nBadTLP 1\nBadDLLP 0\nRollover 0\nTimeout 9\n");
    EXPECT_EQ(listen(60000), zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_PCI_LINK_HEALTH));
    EXPECT_EQ(state().status, ZES_PCI_LINK_STATUS_QUALITY_ISSUES);
    EXPECT_EQ(state().qualityIssues, zes_pci_link_qual_issue_flags_t(ZES_PCI_LINK_QUAL_ISSUE_FLAG_REPLAYS));
    machine.write(bus + "/current_link_width", "4\n");
    EXPECT_EQ(listen(60000), zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_PCI_LINK_HEALTH));
    EXPECT_TRUE(state().qualityIssues & ZES_PCI_LINK_QUAL_ISSUE_FLAG_SPEED);
    machine.write(bus + "/aer_dev_correctable", "RxErr 0\nBadTLP 1\nBadDLLP 0\nRollover 1\nTimeout 9\n");
    EXPECT_EQ(listen(60000), zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_PCI_LINK_HEALTH));
    EXPECT_EQ(state().status, ZES_PCI_LINK_STATUS_STABILITY_ISSUES);
    EXPECT_EQ(listen(0), 0u) << "told once";
    EXPECT_EQ(
        ask(zesDevicePciGetState, gpus()[0], ZES_STRUCTURE_TYPE_PCI_STATE, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE).status,
        ZES_PCI_LINK_STATUS_UNKNOWN)
        << "nothing is told";
  });
}

TEST(SysmanGpus, survivability_mode_is_a_state_and_an_event) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use("interval: 5");
    zes_device_handle_t gpu = gpus()[2];
    ASSERT_EQ(zesDeviceEventRegister(gpu, ZES_EVENT_TYPE_FLAG_SURVIVABILITY_MODE_DETECTED), ZE_RESULT_SUCCESS);
    machine.write("/sys/bus/pci/devices/0000:04:00.0/survivability_mode", "Capability Info: 0x0\n");
    uint32_t count = 0;
    zes_event_type_flags_t events = 0;
    ASSERT_EQ(zesDriverEventListen(sysman_drivers().back(), 60000, 1, &gpu, &count, &events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_SURVIVABILITY_MODE_DETECTED));
    zes_device_ext_state_t more{};
    more.stype = ZES_STRUCTURE_TYPE_DEVICE_EXT_STATE;
    zes_device_state_t state{};
    state.stype = ZES_STRUCTURE_TYPE_DEVICE_STATE;
    state.pNext = &more;
    ASSERT_EQ(zesDeviceGetState(gpu, &state), ZE_RESULT_SUCCESS);
    EXPECT_EQ(more.flags, zes_device_state_ext_flags_t(ZES_DEVICE_STATE_EXT_FLAG_SURVIVABILITY));
  });
}

TEST(SysmanGpus, who_made_the_memory_of_an_amd_gpu) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.write("/sys/bus/pci/devices/0000:03:00.0/mem_info_vram_vendor", "hynix\n");
    machine.use();
    const auto memory = all_of(zesDeviceEnumMemoryModules, gpus()[1]);
    zes_memory_vendor_info_ext_properties_t vendor{};
    vendor.stype = ZES_STRUCTURE_TYPE_MEMORY_VENDOR_INFO_EXT_PROPERTIES;
    zes_mem_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES;
    properties.pNext = &vendor;
    ASSERT_EQ(zesMemoryGetProperties(memory[0], &properties), ZE_RESULT_SUCCESS);
    EXPECT_STREQ(vendor.vendorName, "hynix");
    EXPECT_EQ(vendor.length, 5u);
    EXPECT_EQ(vendor.vendorId, UINT32_MAX) << "the kernel tells no number";
  });
}

} // namespace
