// Events, each triggered from outside of the plugin, and the rules of registering and listening (cases 27 and 30).
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

namespace {

using namespace zeroth::testing;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* Quick = "interval: 5";
constexpr uint64_t Patience = 60'000; // a bound for a test that fails; nothing waits for it otherwise

struct Heard {
  ze_result_t result;
  uint32_t devices = 99;
  zes_event_type_flags_t events = 99, driver_events = 99;
};

Heard listen(uint64_t timeout, uint32_t count = 1) {
  zes_device_handle_t device = first_device();
  Heard heard{};
  heard.driver_events = 99;
  heard.result = zesDriverEventListenExt(first_driver(), timeout, count, &device, &heard.devices, &heard.events,
                                         &heard.driver_events);
  return heard;
}

// Registers, checks that nothing has happened, then lets it happen while a listen call is waiting.
void expect_event(zes_event_type_flags_t event, const std::function<void()>& happen) {
  ASSERT_EQ(zesDeviceEventRegister(first_device(), event), ZE_RESULT_SUCCESS);
  const Heard before = listen(0);
  ASSERT_EQ(before.result, ZE_RESULT_SUCCESS);
  ASSERT_EQ(before.devices, 0u);
  ASSERT_EQ(before.events, 0u);
  std::thread outside([&] {
    std::this_thread::sleep_for(milliseconds(20));
    happen();
  });
  const Heard heard = listen(Patience);
  outside.join();
  EXPECT_EQ(heard.result, ZE_RESULT_SUCCESS);
  EXPECT_EQ(heard.devices, 1u);
  EXPECT_EQ(heard.events, event);
  EXPECT_EQ(listen(0).events, 0u) << "an event is reported once";
}

TEST(SysmanEvents, temperature_thresholds_and_the_critical_temperature) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use(Quick);
    const auto sensor = all_of(zesDeviceEnumTemperatureSensors, first_device())[0];
    zes_temp_config_t config{};
    config.stype = ZES_STRUCTURE_TYPE_TEMP_CONFIG;
    config.enableCritical = true;
    config.threshold1 = {true, false, 80};
    config.threshold2 = {false, true, 40};
    ASSERT_EQ(zesTemperatureSetConfig(sensor, &config), ZE_RESULT_SUCCESS);
    const auto heat = [&](const char* value) {
      return [&machine, value] { machine.write("/sys/class/hwmon/hwmon3/temp1_input", value); };
    };
    expect_event(ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD1, heat("81000\n"));
    expect_event(ZES_EVENT_TYPE_FLAG_TEMP_CRITICAL, heat("106000\n"));
    expect_event(ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD2, heat("39000\n"));
    config.threshold1.threshold = 120;
    EXPECT_EQ(zesTemperatureSetConfig(sensor, &config), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "above the critical one";
  });
}

TEST(SysmanEvents, throttling) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use(Quick);
    expect_event(ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED,
                 [&] { machine.write("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "4\n"); });
  });
}

TEST(SysmanEvents, an_energy_threshold_is_cleared_by_its_event) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use(Quick);
    const auto power = all_of(zesDeviceEnumPowerDomains, first_device())[1];
    ASSERT_EQ(zesPowerSetEnergyThreshold(power, 3.0), ZE_RESULT_SUCCESS);
    zes_energy_threshold_t threshold{};
    ASSERT_EQ(zesPowerSetEnergyThreshold(power, 0), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesPowerGetEnergyThreshold(power, &threshold), ZE_RESULT_SUCCESS);
    EXPECT_FALSE(threshold.enable) << "nothing is no threshold";
    ASSERT_EQ(zesPowerSetEnergyThreshold(power, 3.0), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesPowerGetEnergyThreshold(power, &threshold), ZE_RESULT_SUCCESS);
    EXPECT_TRUE(threshold.enable);
    expect_event(ZES_EVENT_TYPE_FLAG_ENERGY_THRESHOLD_CROSSED,
                 [&] { machine.write("/sys/class/powercap/intel-rapl:0/energy_uj", "8000001\n"); });
    ASSERT_EQ(zesPowerGetEnergyThreshold(power, &threshold), ZE_RESULT_SUCCESS);
    EXPECT_FALSE(threshold.enable);
  });
}

TEST(SysmanEvents, health_and_errors_of_memory) {
  in_fresh_process([] {
    const Machine machine("server");
    machine.use(Quick);
    const auto sets = all_of(zesDeviceEnumRasErrorSets, first_device());
    zes_ras_config_t config{};
    config.stype = ZES_STRUCTURE_TYPE_RAS_CONFIG;
    config.totalThreshold = 5;
    ASSERT_EQ(zesRasSetConfig(sets[0], &config), ZE_RESULT_SUCCESS);
    expect_event(ZES_EVENT_TYPE_FLAG_RAS_CORRECTABLE_ERRORS,
                 [&] { machine.write("/sys/devices/system/edac/mc/mc0/ce_count", "9\n"); });
    config.totalThreshold = 1;
    ASSERT_EQ(zesRasSetConfig(sets[1], &config), ZE_RESULT_SUCCESS);
    expect_event(ZES_EVENT_TYPE_FLAG_MEM_HEALTH,
                 [&] { machine.write("/sys/devices/system/edac/mc/mc1/dimm3/dimm_ue_count", "1\n"); });
    expect_event(ZES_EVENT_TYPE_FLAG_RAS_UNCORRECTABLE_ERRORS,
                 [&] { machine.write("/sys/devices/system/edac/mc/mc1/ue_count", "1\n"); });
  });
}

TEST(SysmanEvents, listening_without_events_returns_in_time) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use(Quick);
    zes_device_handle_t device = first_device();
    uint32_t devices = 9;
    zes_event_type_flags_t events = 9;
    const auto start = steady_clock::now();
    EXPECT_EQ(zesDriverEventListen(first_driver(), 50, 0, &device, &devices, &events), ZE_RESULT_SUCCESS);
    EXPECT_GE(steady_clock::now() - start, milliseconds(50));
    EXPECT_EQ(devices, 0u);
    EXPECT_EQ(events, 9u) << "an array of no elements is not written";
    EXPECT_EQ(zesDriverEventListenEx(first_driver(), 0, 1, &device, &devices, &events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(events, 0u);
    zes_device_handle_t other = nullptr;
    EXPECT_EQ(zesDriverEventListenEx(first_driver(), 0, 1, &other, &devices, &events),
              ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  });
}

TEST(SysmanEvents, registration_reaches_a_call_that_is_already_listening) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use(Quick);
    const zes_device_handle_t device = first_device();
    std::thread later([&] {
      std::this_thread::sleep_for(milliseconds(30));
      ASSERT_EQ(zesDeviceEventRegister(device, ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED), ZE_RESULT_SUCCESS);
      machine.write("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "40\n");
    });
    EXPECT_EQ(listen(UINT64_MAX).events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED));
    later.join();
  });
}

TEST(SysmanEvents, taking_back_all_registrations_ends_the_wait) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use(Quick);
    const zes_device_handle_t device = first_device();
    ASSERT_EQ(zesDeviceEventRegister(device, ZES_EVENT_TYPE_FLAG_DEVICE_DETACH), ZE_RESULT_SUCCESS);
    std::thread later([&] {
      std::this_thread::sleep_for(milliseconds(30));
      EXPECT_EQ(zesDeviceEventRegister(device, 0), ZE_RESULT_SUCCESS);
    });
    EXPECT_EQ(listen(UINT64_MAX).events, 0u) << "it would wait for ever";
    later.join();
  });
}

TEST(SysmanEvents, driver_events_have_their_own_registration_and_result) {
  in_fresh_process([] {
    const Machine machine("container");
    std::ofstream(machine.folder() / "log") << "old line\n";
    machine.use("interval: 5, extra_log: " + (machine.folder() / "log").string());
    const zes_driver_handle_t driver = first_driver();
    EXPECT_EQ(zesDriverEventRegisterExt(driver, ZES_EVENT_TYPE_FLAG_MEM_HEALTH), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    ASSERT_EQ(zesDriverEventRegisterExt(driver, ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT),
              ZE_RESULT_SUCCESS);
    EXPECT_EQ(listen(0).driver_events, 0u) << "cleared on entry, and old lines are no news";

    const auto append = [&](const char* line) {
      std::ofstream(machine.folder() / "log", std::ios::app) << line << "\n";
    };
    append("corrected one");
    zes_device_handle_t device = first_device();
    uint32_t devices = 9;
    zes_event_type_flags_t events = 9;
    EXPECT_EQ(zesDriverEventListenEx(driver, 20, 1, &device, &devices, &events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(devices, 0u) << "never reported by listenEx";
    EXPECT_EQ(zesDriverEventListen(driver, 20, 1, &device, &devices, &events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(devices, 0u) << "nor by listen";
    EXPECT_EQ(zesDriverEventListenExt(driver, 0, 1, &device, &devices, &events, nullptr), ZE_RESULT_SUCCESS);
    const Heard heard = listen(Patience, 0);
    EXPECT_EQ(heard.result, ZE_RESULT_SUCCESS);
    EXPECT_EQ(heard.devices, 0u);
    EXPECT_EQ(heard.driver_events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT));

    ASSERT_EQ(zesDriverEventRegisterExt(driver, 0), ZE_RESULT_SUCCESS);
    append("corrected two");
    EXPECT_EQ(listen(20).driver_events, 0u) << "no longer registered";
  });
}

// Lets the source of the driver's events write a line.
class Log {
public:
  explicit Log(const Machine& machine) : file_(machine.folder() / "log") {
    std::ofstream{file_};
    machine.use("interval: 5, extra_log: " + file_.string());
  }
  void append(const char* line) const { std::ofstream(file_, std::ios::app) << line << "\n"; }

private:
  std::filesystem::path file_;
};
constexpr zes_event_type_flags_t Record = ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT;

TEST(SysmanEvents, a_driver_event_that_is_registered_while_another_thread_listens_reaches_it) {
  in_fresh_process([] {
    const Machine machine("container");
    const Log log(machine);
    const zes_driver_handle_t driver = first_driver();
    std::thread later([&] {
      std::this_thread::sleep_for(milliseconds(30));
      ASSERT_EQ(zesDriverEventRegisterExt(driver, Record), ZE_RESULT_SUCCESS);
      log.append("corrected one");
    });
    const Heard heard = listen(UINT64_MAX);
    EXPECT_EQ(heard.driver_events, Record);
    EXPECT_EQ(heard.devices, 0u);
    later.join();
  });
}

TEST(SysmanEvents, one_call_reports_both_kinds_and_counts_those_of_devices_alone) {
  in_fresh_process([] {
    const Machine machine("laptop");
    const Log log(machine);
    ASSERT_EQ(zesDriverEventRegisterExt(first_driver(), Record), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesDeviceEventRegister(first_device(), ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED), ZE_RESULT_SUCCESS);
    log.append("corrected one");
    machine.write("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "9\n");
    const Heard heard = listen(0);
    EXPECT_EQ(heard.result, ZE_RESULT_SUCCESS);
    EXPECT_EQ(heard.devices, 1u);
    EXPECT_EQ(heard.events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED));
    EXPECT_EQ(heard.driver_events, Record);
  });
}

TEST(SysmanEvents, without_room_for_driver_events_their_source_is_not_listened_to) {
  in_fresh_process([] {
    const Machine machine("container");
    const Log log(machine);
    ASSERT_EQ(zesDriverEventRegisterExt(first_driver(), Record), ZE_RESULT_SUCCESS);
    log.append("corrected one");
    zes_device_handle_t device = first_device();
    uint32_t devices = 9;
    zes_event_type_flags_t events = 9;
    const auto start = steady_clock::now();
    EXPECT_EQ(zesDriverEventListenExt(first_driver(), 50, 1, &device, &devices, &events, nullptr), ZE_RESULT_SUCCESS);
    EXPECT_GE(steady_clock::now() - start, milliseconds(50)) << "nothing woke it";
    EXPECT_EQ(devices, 0u);
    EXPECT_EQ(listen(0).driver_events, Record) << "it was not taken";
  });
}

// The devices of the driver behind all others, and that driver.
std::vector<zes_device_handle_t> gpus(zes_driver_handle_t& driver) {
  EXPECT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
  uint32_t count = 2;
  zes_driver_handle_t drivers[2] = {};
  EXPECT_EQ(zesDriverGet(&count, drivers), ZE_RESULT_SUCCESS);
  driver = drivers[1];
  return all_of(zesDeviceGet, driver);
}

TEST(SysmanEvents, an_event_stands_at_the_place_of_its_device) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use(Quick);
    zes_driver_handle_t driver = nullptr;
    auto all = gpus(driver);
    ASSERT_EQ(all.size(), 3u);
    for (const auto gpu : all)
      ASSERT_EQ(zesDeviceEventRegister(gpu, ZES_EVENT_TYPE_FLAG_DEVICE_DETACH), ZE_RESULT_SUCCESS);
    std::filesystem::rename(machine.file("/sys/bus/pci/devices/0000:03:00.0"), machine.folder() / "away");
    uint32_t count = 9;
    zes_event_type_flags_t events[4] = {9, 9, 9, 9};
    ASSERT_EQ(zesDriverEventListenEx(driver, Patience, 3, all.data(), &count, events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(count, 1u);
    EXPECT_EQ(events[0], 0u);
    EXPECT_EQ(events[1], zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_DEVICE_DETACH));
    EXPECT_EQ(events[2], 0u);
    EXPECT_EQ(events[3], 9u) << "beyond the devices nothing is written";
  });
}

TEST(SysmanEvents, a_device_of_another_driver_is_refused) {
  in_fresh_process([] {
    const Machine machine("gpus");
    machine.use(Quick);
    zes_driver_handle_t driver = nullptr;
    zes_device_handle_t gpu = gpus(driver).at(0);
    uint32_t count = 9;
    zes_event_type_flags_t events = 9, driver_events = 9;
    EXPECT_EQ(zesDriverEventListenExt(first_driver(), 0, 1, &gpu, &count, &events, &driver_events),
              ZE_RESULT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(driver_events, 0u) << "cleared on entry";
  });
}

std::size_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(SysmanEvents, nobody_polls_when_nobody_listens) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use(Quick);
    const zes_device_handle_t device = first_device();
    const std::size_t before = threads();
    ASSERT_EQ(zesDeviceEventRegister(device, 0xffff), ZE_RESULT_SUCCESS);
    EXPECT_EQ(threads(), before);
  });
}

} // namespace
