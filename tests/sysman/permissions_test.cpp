// Case 18: what a user without rights gets. Each of these bodies runs as a user other than root where the test itself
// may become one.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <filesystem>
#include <fstream>

#include <sys/fsuid.h>
#include <unistd.h>

namespace {

using namespace zeroth::testing;
using ::testing::Test;

constexpr uid_t Nobody = 65534;

// True when this process is not root (any more): for root nothing is unreadable.
bool become_nobody() { return ::geteuid() != 0 || ::setresuid(Nobody, Nobody, Nobody) == 0; }

bool nobody_may_load_this_build() {
  ::setfsuid(Nobody);
  const bool may = std::ifstream(std::filesystem::read_symlink("/proc/self/exe")).good();
  ::setfsuid(::geteuid());
  return may;
}

// The device as such a user finds it; all is loaded before only where the build lies in a folder of root's own.
zes_device_handle_t device_of_nobody() {
  if (!nobody_may_load_this_build()) first_device();
  EXPECT_TRUE(become_nobody());
  return first_device();
}

TEST(SysmanPermissions, a_container_without_anything_gives_empty_lists_and_no_failure) {
  in_fresh_process([] {
    const Machine machine("container");
    machine.use();
    const zes_device_handle_t device = device_of_nobody();
    EXPECT_TRUE(all_of(zesDeviceEnumPowerDomains, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumTemperatureSensors, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumFrequencyDomains, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumFans, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumPsus, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumLeds, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumRasErrorSets, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumFirmwares, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumSchedulers, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumStandbyDomains, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumPerformanceFactorDomains, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumFabricPorts, device).empty());
    EXPECT_TRUE(all_of(zesDeviceEnumDiagnosticTestSuites, device).empty());
    EXPECT_EQ(all_of(zesDeviceEnumMemoryModules, device).size(), 1u);
    EXPECT_EQ(all_of(zesDeviceEnumEngineGroups, device).size(), 2u);
    ze_bool_t ecc = true;
    EXPECT_EQ(zesDeviceEccAvailable(device, &ecc), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) << "not known is not false";
  });
}

TEST(SysmanPermissions, an_unreadable_energy_is_the_permission_code_with_file_and_right) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.forbid("/sys/class/powercap/intel-rapl:0/energy_uj");
    machine.use();
    const auto powers = all_of(zesDeviceEnumPowerDomains, device_of_nobody());
    ASSERT_EQ(powers.size(), 4u) << "what is there is listed, readable or not";
    zes_power_energy_counter_t energy{77, 77};
    EXPECT_EQ(zesPowerGetEnergyCounter(powers[1], &energy), ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
    EXPECT_EQ(energy.energy, 77u) << "no reading is written";
    const std::string text = last_error(first_driver());
    EXPECT_NE(text.find("intel-rapl:0/energy_uj"), std::string::npos) << text;
    EXPECT_NE(text.find("CAP_DAC_READ_SEARCH"), std::string::npos) << text;
    EXPECT_EQ(zesPowerGetEnergyCounter(powers[2], &energy), ZE_RESULT_SUCCESS);
  });
}

TEST(SysmanPermissions, a_setting_without_the_right_changes_nothing_and_says_so) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const zes_device_handle_t device = device_of_nobody();
    const auto clocks = all_of(zesDeviceEnumFrequencyDomains, device);
    const zes_freq_range_t range{400, 2000};
    EXPECT_EQ(zesFrequencySetRange(clocks[0], &range), ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
    EXPECT_NE(last_error(first_driver()).find("scaling_m"), std::string::npos);
    EXPECT_EQ(machine.read("/sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq"), "4400000");
    zes_power_sustained_limit_t limit{true, 15000, 28000};
    EXPECT_EQ(zesPowerSetLimits(all_of(zesDeviceEnumPowerDomains, device)[1], &limit, nullptr, nullptr),
              ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
    const auto fans = all_of(zesDeviceEnumFans, device);
    ASSERT_EQ(fans.size(), 1u);
    EXPECT_EQ(zesFanSetDefaultMode(fans[0]), ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
  });
}

} // namespace
