// Sensors of a GPU in the kernel's common form.
#include "gpu.hpp"
#include "hwmon.hpp"

#include <algorithm>

namespace zeroth::sysman {
namespace {

zes_temp_sensors_t type_of(std::string_view label) {
  if (label == "mem" || label == "vram") return ZES_TEMP_SENSORS_MEMORY;
  if (label == "junction" || label == "edge") return ZES_TEMP_SENSORS_GPU;
  if (label.starts_with("pcie")) return ZES_TEMP_SENSORS_GPU_BOARD;
  return ZES_TEMP_SENSORS_GLOBAL; // "pkg", or a driver with one sensor
}

SharedFile first_of(const Root& root, const Hwmon& hwmon, int number,
                    std::initializer_list<std::string_view> suffixes) {
  for (const std::string_view suffix : suffixes)
    if (SharedFile file = find_file(root, hwmon.file("power", number, suffix))) return file;
  return nullptr;
}

// A lowest limit of 0 is one.
std::optional<std::int32_t> lowest(const Root& root, const std::string& file) {
  return root.number(file) == 0 ? 0 : positive(root, file, 1000);
}

void add_limit(const Root& root, const Hwmon& hwmon, int number, PowerSource& power) {
  const SharedFile cap = first_of(root, hwmon, number, {"_cap", "_max"});
  if (!cap) return;
  PowerLimit limit;
  limit.level = ZES_POWER_LEVEL_SUSTAINED;
  limit.milliwatts = divided<std::int32_t>(cap, 1000);
  limit.set_milliwatts = [cap](std::int32_t value) { cap->write(std::int64_t{value} * 1000); };
  limit.factory = positive(root, hwmon.file("power", number, "_cap_default"), 1000);
  if (!limit.factory) limit.factory = positive(root, hwmon.file("power", number, "_rated_max"), 1000);
  power.lowest_limit = lowest(root, hwmon.file("power", number, "_cap_min"));
  power.highest_limit = positive(root, hwmon.file("power", number, "_cap_max"), 1000);
  power.limits.push_back(std::move(limit));
}

// The first meter is that of the card; a second one (xe) is that of the package.
void add_power(const Root& root, const Hwmon& hwmon, int number, Found& found) {
  PowerSource power;
  power.domain = number == 1 ? ZES_POWER_DOMAIN_CARD : ZES_POWER_DOMAIN_PACKAGE;
  power.milliwatts_now = divided<std::uint32_t>(find_file(root, hwmon.file("power", number, "_input")), 1000);
  power.milliwatts_average = divided<std::uint32_t>(find_file(root, hwmon.file("power", number, "_average")), 1000);
  power.microjoules = multiplied<std::uint64_t>(find_file(root, hwmon.file("energy", number, "_input")), 1);
  add_limit(root, hwmon, number, power);
  const bool tells = power.milliwatts_now || power.milliwatts_average || power.microjoules || !power.limits.empty();
  if (tells) found.powers.push_back(std::move(power));
}

} // namespace

void find_gpu_hwmon(const Gpu& gpu, Found& found) {
  for (const Hwmon& hwmon : hwmons(gpu.root, gpu.file("hwmon"))) {
    for (const int number : hwmon.sensors(gpu.root, "temp", "_input")) {
      const std::string label = gpu.root.text(hwmon.file("temp", number, "_label")).value_or("");
      found.temperatures.push_back(hwmon_temperature(gpu.root, hwmon, number, type_of(label)));
    }
    for (const int number : hwmon.sensors(gpu.root, "fan", "_input"))
      found.fans.push_back(hwmon_fan(gpu.root, hwmon, number));
    for (int number = 1; number <= 4; ++number) add_power(gpu.root, hwmon, number, found);
    const SharedFile millivolts = find_file(gpu.root, hwmon.folder + "/in0_input");
    for (FrequencySource& clock : found.frequencies)
      if (clock.type == ZES_FREQ_DOMAIN_GPU && !clock.volts) clock.volts = scaled(millivolts, 0.001);
  }
}

} // namespace zeroth::sysman
