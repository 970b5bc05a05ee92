// /sys/class/power_supply: what feeds the machine. Batteries of mice and headsets have the scope "Device" and are not
// it.
#include "sources.hpp"

#include <algorithm>
#include <array>

namespace zeroth::sysman {
namespace {

zes_psu_voltage_status_t voltage_of(std::string_view health) {
  if (health == "Good") return ZES_PSU_VOLTAGE_STATUS_NORMAL;
  return health == "Over voltage" ? ZES_PSU_VOLTAGE_STATUS_OVER : ZES_PSU_VOLTAGE_STATUS_UNKNOWN;
}

// Online, or present, says that a supply is there; whether its voltage is right is told by some of them alone.
Reader<zes_psu_voltage_status_t> voltage(const Root& root, const std::string& folder) {
  SharedFile state = find_file(root, folder + "/online");
  if (!state) state = find_file(root, folder + "/present");
  if (!state) return {};
  return [state, health = find_file(root, folder + "/health")] {
    std::array<char, 64> buffer;
    const bool feeds = state->integer() > 0;
    return feeds && health ? voltage_of(health->read(buffer)) : ZES_PSU_VOLTAGE_STATUS_UNKNOWN;
  };
}

// What is drawn from it; a battery that is charged has a current below 0.
Reader<std::int32_t> amperes(SharedFile file) {
  if (!file) return {};
  return [file] { return fitting<std::int32_t>(std::max<std::int64_t>(file->integer(), 0) / 1'000'000, *file); };
}

} // namespace

void find_power_supplies(const Root& root, Found& found) {
  const std::string all = "/sys/class/power_supply/";
  for (const std::string& name : root.names(all)) {
    const std::string folder = all + name;
    const auto type = root.text(folder + "/type");
    if (!type || root.text(folder + "/scope") == "Device") continue;
    PowerSupplySource supply;
    supply.voltage = voltage(root, folder);
    supply.celsius = divided<std::int32_t>(find_file(root, folder + "/temp"), 10);
    supply.amperes = amperes(find_file(root, folder + "/current_now"));
    supply.most_amperes = positive(root, folder + "/current_max", 1'000'000);
    if (supply.voltage) found.power_supplies.push_back(std::move(supply));
  }
}

} // namespace zeroth::sysman
