// What sources find out about one device: plain descriptions with functions that read and set. A source (sources/*.cpp)
// adds to Found what it knows; the objects that programs see (objects/*.hpp) answer the API from it.
//
// An empty function or optional means that the machine does not tell: the API then says "unknown" or "not supported",
// never a number. Readers and setters throw Error with the exact code; any thread may call them at any time, and they
// live as long as the process.
#pragma once

#include <level_zero/zes_api.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace zeroth::sysman {

template <class T> using Reader = std::function<T()>;
template <class T> using Setter = std::function<void(T)>;

struct PowerLimit {
  zes_power_level_t level = ZES_POWER_LEVEL_UNKNOWN;
  zes_power_source_t source = ZES_POWER_SOURCE_ANY;
  Reader<std::int32_t> milliwatts;
  Setter<std::int32_t> set_milliwatts;
  Reader<std::int32_t> interval; // milliseconds
  Setter<std::int32_t> set_interval;
  Reader<bool> enabled;
  Setter<bool> set_enabled;
  std::optional<std::int32_t> factory; // milliwatts
};

struct PowerSource {
  zes_power_domain_t domain = ZES_POWER_DOMAIN_UNKNOWN;
  Reader<std::uint64_t> microjoules; // grows, never wraps
  Reader<std::uint32_t> milliwatts_now, milliwatts_average;
  std::vector<PowerLimit> limits;
  std::optional<std::int32_t> lowest_limit, highest_limit; // milliwatts
};

struct FrequencySource {
  zes_freq_domain_t type = ZES_FREQ_DOMAIN_GPU;
  std::optional<double> lowest, highest; // MHz, of the hardware
  Reader<double> actual, requested, efficient, sustained, volts;
  Reader<zes_freq_range_t> range;
  Setter<zes_freq_range_t> set_range;
  std::function<void()> free_range; // where that is more than setting the hardware's bounds
  Reader<std::vector<double>> clocks;
  Reader<zes_freq_throttle_reason_flags_t> throttle_reasons;
  Reader<std::uint64_t> throttled; // microseconds, all of the time since start
  Reader<std::uint64_t> throttle_count;
};

struct TemperatureSource {
  zes_temp_sensors_t type = ZES_TEMP_SENSORS_GLOBAL;
  Reader<double> celsius;
  std::optional<double> maximum, critical;
};

struct EngineSource {
  zes_engine_group_t type = ZES_ENGINE_GROUP_ALL;
  Reader<zes_engine_stats_t> activity;
};

struct MemoryState {
  zes_mem_health_t health = ZES_MEM_HEALTH_UNKNOWN;
  std::uint64_t free = 0, size = 0;
};

struct MemoryVendor {
  std::string name;
  std::optional<std::uint32_t> id; // JEDEC's
};

struct MemorySource {
  std::optional<zes_mem_type_t> type;
  zes_mem_loc_t location = ZES_MEM_LOC_SYSTEM;
  std::optional<std::uint64_t> physical_size;
  std::optional<std::int32_t> bus_width, channels;
  Reader<MemoryState> state;
  Reader<zes_mem_health_t> health; // where it may change
  Reader<zes_mem_bandwidth_t> bandwidth;
  std::optional<MemoryVendor> vendor;
  std::string label; // the firmware's name of a module's place; empty when there is none
};

struct FanSource {
  Reader<std::int32_t> rpm, percent;
  std::optional<std::int32_t> highest_rpm;
  Reader<zes_fan_speed_mode_t> mode;
  Setter<std::int32_t> set_percent;
  std::function<void()> set_automatic;
};

struct RasCounter {
  zes_ras_error_category_exp_t category;
  Reader<std::uint64_t> count;
  std::function<void()> clear{}; // sets it to zero
};

struct RasSource {
  zes_ras_error_type_t type = ZES_RAS_ERROR_TYPE_CORRECTABLE;
  std::vector<RasCounter> counters;
};

struct PowerSupplySource {
  bool has_fan = false;
  std::optional<std::int32_t> most_amperes;
  Reader<zes_psu_voltage_status_t> voltage;
  Reader<std::int32_t> celsius, amperes;
};

struct LedSource {
  Reader<bool> on;
  Setter<bool> set_on;
  Reader<zes_led_color_t> color; // with it, the light has colours
  Setter<zes_led_color_t> set_color;
};

struct FirmwareSource {
  std::string name;
  Reader<std::string> version;
};

struct PerformanceSource {
  zes_engine_type_flags_t engines = 0;
  Reader<double> factor;
  Setter<double> set_factor;
};

struct StandbySource {
  Reader<zes_standby_promo_mode_t> mode;
  Setter<zes_standby_promo_mode_t> set_mode;
};

struct SchedulerSource {
  zes_engine_type_flags_t engines = 0;
  Reader<std::uint64_t> watchdog, timeslice, preemption; // microseconds
  std::optional<std::uint64_t> default_watchdog, default_timeslice, default_preemption;
  Setter<std::uint64_t> set_watchdog, set_timeslice, set_preemption;
};

// Counts that only grow.
struct LinkErrors {
  std::uint64_t replays = 0, retrainings = 0;
};

struct PciSource {
  zes_pci_address_t address{};
  zes_pci_speed_t fastest{};
  Reader<zes_pci_speed_t> speed;
  std::optional<std::int32_t> lanes; // that both ends of the link have
  Reader<std::uint64_t> replays;
  Reader<LinkErrors> errors;
  Reader<std::vector<zes_pci_bar_properties_t>> bars;
};

struct ProcessUse {
  std::uint32_t id = 0;
  std::optional<std::uint64_t> memory, shared;
  zes_engine_type_flags_t engines = 0;
};

// Empty texts are unknown.
struct Identity {
  std::string serial, board, brand, model, vendor, driver;
};

struct Found {
  Identity identity;
  std::vector<PowerSource> powers;
  std::vector<FrequencySource> frequencies;
  std::vector<TemperatureSource> temperatures;
  std::vector<EngineSource> engines;
  std::vector<MemorySource> memories;
  std::vector<FanSource> fans;
  std::vector<RasSource> ras;
  std::vector<PowerSupplySource> power_supplies;
  std::vector<LedSource> leds;
  std::vector<FirmwareSource> firmwares;
  std::vector<PerformanceSource> performance;
  std::vector<StandbySource> standby;
  std::vector<SchedulerSource> schedulers;
  std::optional<PciSource> pci;
  Reader<std::vector<ProcessUse>> processes;
  Reader<bool> ecc; // on or off
  Reader<bool> asleep;
  Reader<bool> present;  // false: unplugged
  Reader<bool> wedged;   // its driver gave it up: it needs a reset
  Reader<bool> survival; // it runs firmware that only lets itself be repaired
};

} // namespace zeroth::sysman
