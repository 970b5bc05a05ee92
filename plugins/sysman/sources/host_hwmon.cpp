// Sensors of the processor, its memory and its board. GPUs and disks have hwmon folders too; those are not the host's.
#include "hwmon.hpp"

#include <algorithm>
#include <array>

namespace zeroth::sysman {
namespace {

using std::string_view;

template <std::size_t N> bool one_of(string_view name, const std::array<string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<string_view, 6> Processors = {"coretemp", "k10temp",      "zenpower",
                                                   "k8temp",   "fam15h_power", "cpu_thermal"};
constexpr std::array<string_view, 2> MemoryModules = {"jc42", "spd5118"};
constexpr std::array<string_view, 8> Others = {"amdgpu", "nouveau", "radeon",    "i915",
                                               "xe",     "nvme",    "drivetemp", "iwlwifi_1"};

// What covers the whole processor comes first: the package of coretemp, the control value of k10temp.
bool covers_processor(string_view label) {
  return label.empty() || label.starts_with("Package") || label == "Tctl" || label == "Tdie";
}

void add_temperatures(const Root& root, const Hwmon& hwmon, Found& found) {
  const bool memory = one_of(hwmon.name, MemoryModules);
  if (!memory && !one_of(hwmon.name, Processors)) return;
  for (const int number : hwmon.sensors(root, "temp", "_input")) {
    const std::string label = root.text(hwmon.file("temp", number, "_label")).value_or("");
    const zes_temp_sensors_t type = memory                    ? ZES_TEMP_SENSORS_MEMORY
                                    : covers_processor(label) ? ZES_TEMP_SENSORS_GLOBAL
                                                              : ZES_TEMP_SENSORS_GPU; // "of the compute part"
    found.temperatures.push_back(hwmon_temperature(root, hwmon, number, type));
  }
}

void add_fans(const Root& root, const Hwmon& hwmon, Found& found) {
  for (const int number : hwmon.sensors(root, "fan", "_input")) found.fans.push_back(hwmon_fan(root, hwmon, number));
}

// AMD's family 15h to 19h: power of the socket, or energy of socket and cores.
void add_meters(const Root& root, const Hwmon& hwmon, Found& found) {
  if (hwmon.name != "fam15h_power" && hwmon.name != "zenpower" && hwmon.name != "amd_energy") return;
  for (const int number : hwmon.sensors(root, "power", "_input")) {
    PowerSource power;
    power.domain = ZES_POWER_DOMAIN_PACKAGE;
    power.milliwatts_now = divided<std::uint32_t>(find_file(root, hwmon.file("power", number, "_input")), 1000);
    power.milliwatts_average = divided<std::uint32_t>(find_file(root, hwmon.file("power", number, "_average")), 1000);
    found.powers.push_back(std::move(power));
  }
  for (const int number : hwmon.sensors(root, "energy", "_input")) {
    if (!root.text(hwmon.file("energy", number, "_label")).value_or("").starts_with("Esocket")) continue;
    PowerSource power;
    power.domain = ZES_POWER_DOMAIN_PACKAGE;
    power.microjoules = divided<std::uint64_t>(find_file(root, hwmon.file("energy", number, "_input")), 1);
    found.powers.push_back(std::move(power));
  }
}

} // namespace

void find_host_hwmon(const Root& root, Found& found) {
  const auto all = hwmons(root, "/sys/class/hwmon");
  const bool counted = !found.powers.empty(); // powercap tells the same and more
  for (const Hwmon& hwmon : all) {
    if (one_of(hwmon.name, Others)) continue;
    add_temperatures(root, hwmon, found);
    add_fans(root, hwmon, found);
    if (!counted) add_meters(root, hwmon, found);
  }
  std::stable_sort(found.temperatures.begin(), found.temperatures.end(),
                   [](const auto& left, const auto& right) { return left.type < right.type; });
}

// A machine without a sensor driver may still have the firmware's own view (tablets, Arm boards, virtual machines).
void find_thermal_zones(const Root& root, Found& found) {
  if (!found.temperatures.empty()) return;
  constexpr std::array<string_view, 4> Known = {"x86_pkg_temp", "cpu-thermal", "cpu_thermal", "acpitz"};
  const std::string folder = "/sys/class/thermal/";
  for (const std::string& zone : root.names(folder)) {
    if (!one_of(root.text(folder + zone + "/type").value_or(""), Known)) continue;
    TemperatureSource sensor;
    sensor.celsius = scaled(find_file(root, folder + zone + "/temp"), 0.001);
    for (int trip = 0; trip < 16; ++trip) {
      const std::string start = folder + zone + "/trip_point_" + std::to_string(trip);
      if (root.text(start + "_type") != "critical") continue;
      if (const auto value = root.number(start + "_temp"); value && *value > 0)
        sensor.maximum = sensor.critical = static_cast<double>(*value) / 1000;
    }
    if (sensor.celsius) found.temperatures.push_back(std::move(sensor));
  }
}

} // namespace zeroth::sysman
