// What a machine does not tell is "not known", never a number that looks like a reading; what it tells is not left out.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

namespace {

using namespace zeroth::testing;

// The devices of the driver behind all others.
std::vector<zes_device_handle_t> gpus() {
  EXPECT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
  uint32_t count = 2;
  zes_driver_handle_t drivers[2] = {};
  EXPECT_EQ(zesDriverGet(&count, drivers), ZE_RESULT_SUCCESS);
  return all_of(zesDeviceGet, drivers[1]);
}

TEST(SysmanUnknown, the_requested_frequency_is_told_only_beside_the_actual_one) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.write("/sys/devices/system/cpu/cpufreq/policy1/cpuinfo_avg_freq", "2100000\n");
    machine.use();
    const auto clocks = all_of(zesDeviceEnumFrequencyDomains, first_device());
    EXPECT_DOUBLE_EQ(ask(zesFrequencyGetState, clocks[0], ZES_STRUCTURE_TYPE_FREQ_STATE).request, -1);
    const auto both = ask(zesFrequencyGetState, clocks[1], ZES_STRUCTURE_TYPE_FREQ_STATE);
    EXPECT_DOUBLE_EQ(both.actual, 2100);
    EXPECT_DOUBLE_EQ(both.request, 2999);
  });
}

TEST(SysmanUnknown, a_limit_without_a_window_has_no_window_of_zero) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use();
    const auto power = all_of(zesDeviceEnumPowerDomains, gpus()[1]).at(0);
    uint32_t count = 1;
    zes_power_limit_ext_desc_t limit{};
    limit.stype = ZES_STRUCTURE_TYPE_POWER_LIMIT_EXT_DESC;
    ASSERT_EQ(zesPowerGetLimitsExt(power, &count, &limit), ZE_RESULT_SUCCESS);
    EXPECT_EQ(limit.interval, -1);
    EXPECT_TRUE(limit.intervalValueLocked);
    const auto properties = ask(zesPowerGetProperties, power, ZES_STRUCTURE_TYPE_POWER_PROPERTIES);
    EXPECT_EQ(properties.minLimit, 0) << "this GPU's lowest limit is zero";
    EXPECT_EQ(properties.maxLimit, 348000);
  });
}

TEST(SysmanUnknown, the_memory_of_a_process_whose_driver_tells_none_is_no_zero) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.write("/proc/1300/fdinfo/3", "drm-pdev:\t0000:00:02.0\ndrm-client-id:\t1\ndrm-engine-render:\t5 ns\n");
    machine.write("/proc/1400/fdinfo/3", "drm-pdev:\t0000:00:02.0\ndrm-client-id:\t2\ndrm-total-system0:\t9 MiB\n");
    machine.use();
    uint32_t count = 2;
    zes_process_state_t processes[2] = {};
    ASSERT_EQ(zesDeviceProcessesGetState(gpus()[0], &count, processes), ZE_RESULT_SUCCESS);
    ASSERT_EQ(count, 2u);
    EXPECT_EQ(processes[0].memSize, UINT64_MAX);
    EXPECT_EQ(processes[0].sharedSize, UINT64_MAX);
    EXPECT_EQ(processes[1].memSize, 0u) << "what it uses is not the device's own";
  });
}

TEST(SysmanUnknown, a_supply_that_tells_its_health_tells_its_voltage) {
  in_fresh_process([] {
    const Machine machine("laptop");
    const std::string battery = "/sys/class/power_supply/BAT0";
    machine.write(battery + "/present", "1\n");
    machine.write(battery + "/health", "Good\n");
    machine.use();
    const auto supply = all_of(zesDeviceEnumPsus, first_device()).at(1);
    const auto state = [&] { return ask(zesPsuGetState, supply, ZES_STRUCTURE_TYPE_PSU_STATE); };
    EXPECT_EQ(state().voltStatus, ZES_PSU_VOLTAGE_STATUS_NORMAL);
    EXPECT_EQ(state().current, 1);
    machine.write(battery + "/health", "Over voltage\n");
    machine.write(battery + "/current_now", "-2500000\n");
    EXPECT_EQ(state().voltStatus, ZES_PSU_VOLTAGE_STATUS_OVER);
    EXPECT_EQ(state().current, 0) << "a battery that is charged gives nothing";
  });
}

TEST(SysmanUnknown, a_number_that_the_api_has_no_room_for_is_no_reading) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const auto fan = all_of(zesDeviceEnumFans, first_device()).at(0);
    int32_t speed = 7;
    for (const char* nonsense : {"99999999999\n", "-99999999999\n"}) {
      machine.write("/sys/class/hwmon/hwmon2/fan1_input", nonsense);
      EXPECT_EQ(zesFanGetState(fan, ZES_FAN_SPEED_UNITS_RPM, &speed), ZE_RESULT_ERROR_NOT_AVAILABLE);
    }
    machine.write("/sys/class/hwmon/hwmon2/pwm1", "256\n");
    EXPECT_EQ(zesFanGetState(fan, ZES_FAN_SPEED_UNITS_PERCENT, &speed), ZE_RESULT_ERROR_NOT_AVAILABLE);
    EXPECT_EQ(speed, 7);
    const auto power = all_of(zesDeviceEnumPowerDomains, first_device()).at(1);
    machine.write("/sys/class/powercap/intel-rapl:0/energy_uj", "-1\n");
    zes_power_energy_counter_t energy{7, 7};
    EXPECT_EQ(zesPowerGetEnergyCounter(power, &energy), ZE_RESULT_ERROR_NOT_AVAILABLE);
    EXPECT_EQ(energy.energy, 7u);
  });
}

} // namespace
