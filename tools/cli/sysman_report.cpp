#include "cli/sysman_report.hpp"

#include "cli/level_zero.hpp"

#include <fmt/format.h>
#include <zeroth/api/printers.hpp>

#include <algorithm>
#include <set>

namespace zeroth::cli {
namespace {

std::string lower_words(std::string text, std::string_view prefix) {
  if (text.starts_with(prefix)) text.erase(0, prefix.size());
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c == '_' ? ' ' : std::tolower(c); });
  return text;
}

// Asks on behalf of one device and remembers what it was not told.
class Reader {
public:
  Reader(zes_driver_handle_t driver, zes_device_handle_t device) : driver_(driver), device_(device) {}

  // True when the call gave something. What is simply not there is no fault.
  bool read(const char* what, ze_result_t result) {
    if (result == ZE_RESULT_SUCCESS) return true;
    if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) return false;
    const char* text = nullptr;
    zeDriverGetLastErrorDescription(driver_, &text);
    faults_.insert(fmt::format("{}: {} ({})", what, result_name(result), text && *text ? text : "no reason given"));
    return false;
  }

  template <class Handle> std::vector<Handle> list(ze_result_t (*enumerate)(zes_device_handle_t, uint32_t*, Handle*)) {
    uint32_t count = 0;
    if (!read("enumeration", enumerate(device_, &count, nullptr)) || count == 0) return {};
    std::vector<Handle> handles(count);
    if (!read("enumeration", enumerate(device_, &count, handles.data()))) return {};
    handles.resize(count);
    return handles;
  }

  Json faults() const { return Json(faults_); }
  zes_device_handle_t device() const { return device_; }

private:
  zes_driver_handle_t driver_;
  zes_device_handle_t device_;
  std::set<std::string> faults_;
};

template <class T> T tagged(zes_structure_type_t tag) {
  T value{};
  value.stype = tag;
  return value;
}

void put(Json& to, const char* name, double value, double unknown = -1) {
  if (value != unknown) to[name] = value;
}

Json identity(Reader& reader) {
  auto p = tagged<zes_device_properties_t>(ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES);
  if (!reader.read("properties", zesDeviceGetProperties(reader.device(), &p))) return Json::object();
  Json json = {{"name", std::string(p.core.name)}, {"uuid", uuid_text(p.core.uuid.id)}};
  const auto add = [&](const char* name, const char* text) {
    if (std::string_view(text) != "unknown") json[name] = std::string(text);
  };
  add("model", p.modelName), add("vendor", p.vendorName), add("serial", p.serialNumber), add("driver", p.driverVersion);
  return json;
}

Json powers(Reader& reader) {
  Json list = Json::array();
  for (zes_pwr_handle_t power : reader.list(zesDeviceEnumPowerDomains)) {
    auto domain = tagged<zes_power_ext_properties_t>(ZES_STRUCTURE_TYPE_POWER_EXT_PROPERTIES);
    auto p = tagged<zes_power_properties_t>(ZES_STRUCTURE_TYPE_POWER_PROPERTIES);
    p.pNext = &domain;
    if (!reader.read("power", zesPowerGetProperties(power, &p))) continue;
    Json one = {{"domain", lower_words(to_string(domain.domain), "ZES_POWER_DOMAIN_")}};
    zes_power_energy_counter_t energy{};
    if (reader.read("energy", zesPowerGetEnergyCounter(power, &energy)))
      one["joules"] = static_cast<double>(energy.energy) / 1e6;
    uint32_t now = 0, mean = 0;
    if (reader.read("power", zesPowerGetUsage(power, &now, &mean))) {
      if (now != UINT32_MAX) one["watts"] = now / 1000.0;
      if (mean != UINT32_MAX) one["watts, mean"] = mean / 1000.0;
    }
    uint32_t count = 0;
    zesPowerGetLimitsExt(power, &count, nullptr);
    std::vector<zes_power_limit_ext_desc_t> limits(
        count, tagged<zes_power_limit_ext_desc_t>(ZES_STRUCTURE_TYPE_POWER_LIMIT_EXT_DESC));
    if (count > 0 && reader.read("power limits", zesPowerGetLimitsExt(power, &count, limits.data())))
      for (const auto& limit : limits)
        one["limit, " + lower_words(to_string(limit.level), "ZES_POWER_LEVEL_")] = limit.limit / 1000.0;
    list.push_back(one);
  }
  return list;
}

Json frequencies(Reader& reader) {
  Json list = Json::array();
  for (zes_freq_handle_t frequency : reader.list(zesDeviceEnumFrequencyDomains)) {
    auto p = tagged<zes_freq_properties_t>(ZES_STRUCTURE_TYPE_FREQ_PROPERTIES);
    auto s = tagged<zes_freq_state_t>(ZES_STRUCTURE_TYPE_FREQ_STATE);
    if (!reader.read("frequency", zesFrequencyGetProperties(frequency, &p))) continue;
    Json one = {{"domain", p.type == ZES_FREQ_DOMAIN_MEMORY  ? "memory"
                           : p.type == ZES_FREQ_DOMAIN_MEDIA ? "media"
                                                             : "compute"}};
    put(one, "least MHz", p.min), put(one, "most MHz", p.max);
    if (reader.read("frequency", zesFrequencyGetState(frequency, &s))) {
      put(one, "MHz", s.actual);
      if (s.request >= 0) one["requested MHz"] = s.request;
      if (s.currentVoltage >= 0) one["volts"] = s.currentVoltage;
      if (s.throttleReasons) one["throttled by"] = s.throttleReasons;
    }
    list.push_back(one);
  }
  return list;
}

Json temperatures(Reader& reader) {
  Json list = Json::array();
  for (zes_temp_handle_t sensor : reader.list(zesDeviceEnumTemperatureSensors)) {
    auto p = tagged<zes_temp_properties_t>(ZES_STRUCTURE_TYPE_TEMP_PROPERTIES);
    double celsius = 0;
    if (!reader.read("temperature", zesTemperatureGetProperties(sensor, &p))) continue;
    Json one = {{"sensor", lower_words(to_string(p.type), "ZES_TEMP_SENSORS_")}};
    if (reader.read("temperature", zesTemperatureGetState(sensor, &celsius))) one["celsius"] = celsius;
    put(one, "most", p.maxTemperature);
    list.push_back(one);
  }
  return list;
}

Json engines(Reader& reader) {
  Json list = Json::array();
  for (zes_engine_handle_t engine : reader.list(zesDeviceEnumEngineGroups)) {
    auto p = tagged<zes_engine_properties_t>(ZES_STRUCTURE_TYPE_ENGINE_PROPERTIES);
    zes_engine_stats_t stats{};
    if (!reader.read("engine", zesEngineGetProperties(engine, &p))) continue;
    Json one = {{"group", lower_words(to_string(p.type), "ZES_ENGINE_GROUP_")}};
    if (reader.read("engine", zesEngineGetActivity(engine, &stats))) {
      one["active seconds"] = static_cast<double>(stats.activeTime) / 1e6;
      one["at"] = stats.timestamp;
    }
    list.push_back(one);
  }
  return list;
}

Json memories(Reader& reader) {
  Json list = Json::array();
  for (zes_mem_handle_t memory : reader.list(zesDeviceEnumMemoryModules)) {
    auto p = tagged<zes_mem_properties_t>(ZES_STRUCTURE_TYPE_MEM_PROPERTIES);
    auto s = tagged<zes_mem_state_t>(ZES_STRUCTURE_TYPE_MEM_STATE);
    if (!reader.read("memory", zesMemoryGetProperties(memory, &p))) continue;
    Json one = {{"where", p.location == ZES_MEM_LOC_DEVICE ? "device" : "system"}};
    if (p.type != ZES_MEM_TYPE_FORCE_UINT32) one["type"] = lower_words(to_string(p.type), "ZES_MEM_TYPE_");
    if (p.physicalSize) one["physical bytes"] = p.physicalSize;
    if (reader.read("memory", zesMemoryGetState(memory, &s))) {
      one["bytes"] = s.size, one["free bytes"] = s.free;
      if (s.health != ZES_MEM_HEALTH_UNKNOWN) one["health"] = lower_words(to_string(s.health), "ZES_MEM_HEALTH_");
    }
    list.push_back(one);
  }
  return list;
}

Json fans(Reader& reader) {
  Json list = Json::array();
  for (zes_fan_handle_t fan : reader.list(zesDeviceEnumFans)) {
    Json one = Json::object();
    int32_t speed = 0;
    if (reader.read("fan", zesFanGetState(fan, ZES_FAN_SPEED_UNITS_RPM, &speed))) one["rpm"] = speed;
    if (reader.read("fan", zesFanGetState(fan, ZES_FAN_SPEED_UNITS_PERCENT, &speed))) one["percent"] = speed;
    list.push_back(one);
  }
  return list;
}

Json errors(Reader& reader) {
  Json list = Json::array();
  for (zes_ras_handle_t set : reader.list(zesDeviceEnumRasErrorSets)) {
    auto p = tagged<zes_ras_properties_t>(ZES_STRUCTURE_TYPE_RAS_PROPERTIES);
    uint32_t count = 0;
    if (!reader.read("errors", zesRasGetProperties(set, &p))) continue;
    Json one = {{"kind", p.type == ZES_RAS_ERROR_TYPE_CORRECTABLE ? "corrected" : "uncorrected"}};
    zesRasGetStateExp(set, &count, nullptr);
    std::vector<zes_ras_state_exp_t> states(count);
    if (count > 0 && reader.read("errors", zesRasGetStateExp(set, &count, states.data())))
      for (const auto& state : states)
        one[lower_words(to_string(state.category), "ZES_RAS_ERROR_CATEGORY_EXP_")] = state.errorCounter;
    list.push_back(one);
  }
  return list;
}

Json firmwares(Reader& reader) {
  Json versions = Json::object();
  for (zes_firmware_handle_t firmware : reader.list(zesDeviceEnumFirmwares)) {
    auto p = tagged<zes_firmware_properties_t>(ZES_STRUCTURE_TYPE_FIRMWARE_PROPERTIES);
    if (reader.read("firmware", zesFirmwareGetProperties(firmware, &p))) versions[p.name] = std::string(p.version);
  }
  return versions;
}

Json pci(Reader& reader) {
  auto p = tagged<zes_pci_properties_t>(ZES_STRUCTURE_TYPE_PCI_PROPERTIES);
  if (!reader.read("pci", zesDevicePciGetProperties(reader.device(), &p))) return Json::object();
  const auto& a = p.address;
  Json one = {{"address", fmt::format("{:04x}:{:02x}:{:02x}.{:x}", a.domain, a.bus, a.device, a.function)}};
  put(one, "most generation", p.maxSpeed.gen), put(one, "most lanes", p.maxSpeed.width);
  auto s = tagged<zes_pci_state_t>(ZES_STRUCTURE_TYPE_PCI_STATE);
  if (reader.read("pci", zesDevicePciGetState(reader.device(), &s)))
    put(one, "generation", s.speed.gen), put(one, "lanes", s.speed.width);
  return one;
}

} // namespace

std::vector<SysmanDriver> enumerate_sysman() {
  std::vector<SysmanDriver> drivers;
  if (zesInit(0) != ZE_RESULT_SUCCESS) return drivers;
  const auto all = ask_list<zes_driver_handle_t>(zesDriverGet, "zesDriverGet");
  for (zes_driver_handle_t driver : all) {
    const auto list = [&](uint32_t* count, zes_device_handle_t* devices) {
      return zesDeviceGet(driver, count, devices);
    };
    try {
      drivers.push_back({driver, ask_list<zes_device_handle_t>(list, "zesDeviceGet")});
    } catch (const Failure&) { // a driver without sysman
    }
  }
  return drivers;
}

Json sysman_report(zes_driver_handle_t driver, zes_device_handle_t device) {
  Reader reader(driver, device);
  Json report = identity(reader);
  const auto add = [&](const char* name, Json part) {
    if (!part.empty()) report[name] = std::move(part);
  };
  add("pci", pci(reader)), add("power", powers(reader)), add("temperature", temperatures(reader));
  add("frequency", frequencies(reader)), add("engine", engines(reader)), add("memory", memories(reader));
  add("fan", fans(reader)), add("errors", errors(reader)), add("firmware", firmwares(reader));
  add("unreadable", reader.faults());
  return report;
}

} // namespace zeroth::cli
