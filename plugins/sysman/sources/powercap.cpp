// /sys/class/powercap: energy counters and power limits of processor packages. energy_uj is for root alone in kernels
// of today, which is told with the file's name when it is read.
#include "sources.hpp"

#include <algorithm>

namespace zeroth::sysman {
namespace {

constexpr std::string_view Folder = "/sys/class/powercap";

zes_power_domain_t domain_of(std::string_view name) {
  if (name.starts_with("package")) return ZES_POWER_DOMAIN_PACKAGE;
  if (name == "psys") return ZES_POWER_DOMAIN_CARD; // all of the platform
  if (name == "dram") return ZES_POWER_DOMAIN_MEMORY;
  if (name == "uncore") return ZES_POWER_DOMAIN_GPU; // the kernel's name for the graphics next to the cores
  return ZES_POWER_DOMAIN_UNKNOWN;
}

zes_power_level_t level_of(std::string_view name) {
  if (name == "long_term") return ZES_POWER_LEVEL_SUSTAINED;
  if (name == "short_term") return ZES_POWER_LEVEL_BURST;
  if (name == "peak_power") return ZES_POWER_LEVEL_PEAK;
  return ZES_POWER_LEVEL_UNKNOWN;
}

// Limits are one microwatt a unit in the files and one milliwatt in the API.
Setter<std::int32_t> setter(const SharedFile& file) {
  if (!file) return {};
  return [file](std::int32_t value) { file->write(std::int64_t{value} * 1000); };
}

std::optional<PowerLimit> limit(const Root& root, const std::string& start) {
  const auto name = root.text(start + "_name");
  const SharedFile power = find_file(root, start + "_power_limit_uw");
  if (!name || !power) return std::nullopt;
  const SharedFile window = find_file(root, start + "_time_window_us");
  PowerLimit limit;
  limit.level = level_of(*name);
  limit.milliwatts = divided<std::int32_t>(power, 1000);
  limit.set_milliwatts = setter(power);
  limit.interval = divided<std::int32_t>(window, 1000);
  limit.set_interval = setter(window);
  limit.factory = positive(root, start + "_max_power_uw", 1000);
  return limit;
}

void add_switch(const SharedFile& enabled, PowerLimit& limit) {
  if (!enabled) return;
  limit.enabled = [enabled] { return enabled->integer() != 0; };
  limit.set_enabled = [enabled](bool on) { enabled->write(on ? 1 : 0); };
}

void add_zone(const Root& root, const std::string& zone, Found& found) {
  const std::string folder = std::string(Folder) + "/" + zone;
  const auto name = root.text(folder + "/name");
  const SharedFile energy = find_file(root, folder + "/energy_uj");
  if (!name || !energy) return;
  PowerSource power;
  power.domain = domain_of(*name);
  power.microjoules = unwrapped(multiplied<std::uint64_t>(energy, 1),
                                static_cast<std::uint64_t>(root.number(folder + "/max_energy_range_uj").value_or(0)));
  const SharedFile enabled = find_file(root, folder + "/enabled");
  for (int i = 0; i < 8; ++i)
    if (auto one = limit(root, folder + "/constraint_" + std::to_string(i))) {
      if (one->level == ZES_POWER_LEVEL_SUSTAINED) add_switch(enabled, *one);
      power.limits.push_back(std::move(*one));
    }
  found.powers.push_back(std::move(power));
}

} // namespace

// intel-rapl-mmio repeats the zones of intel-rapl.
void find_powercap(const Root& root, Found& found) {
  for (const std::string& zone : root.names(Folder))
    if (zone.starts_with("intel-rapl:")) add_zone(root, zone, found);
  std::stable_partition(found.powers.begin(), found.powers.end(),
                        [](const PowerSource& power) { return power.domain == ZES_POWER_DOMAIN_CARD; });
}

} // namespace zeroth::sysman
