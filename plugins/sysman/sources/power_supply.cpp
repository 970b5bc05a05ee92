// /sys/class/power_supply: what feeds the machine. Batteries of mice and headsets have the scope "Device" and are not
// it.
#include "sources.hpp"

namespace zeroth::sysman {
namespace {

// Online or not is what a mains adapter tells; a battery feeds unless it is absent.
Reader<zes_psu_voltage_status_t> voltage(const Root& root, const std::string& folder) {
  SharedFile state = find_file(root, folder + "/online");
  if (!state) state = find_file(root, folder + "/present");
  if (!state) return {};
  return [state] { return state->integer() > 0 ? ZES_PSU_VOLTAGE_STATUS_NORMAL : ZES_PSU_VOLTAGE_STATUS_UNKNOWN; };
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
    supply.amperes = divided<std::int32_t>(find_file(root, folder + "/current_now"), 1'000'000);
    if (const auto most = root.number(folder + "/current_max"); most && *most > 0)
      supply.most_amperes = static_cast<std::int32_t>(*most / 1'000'000);
    if (supply.voltage) found.power_supplies.push_back(std::move(supply));
  }
}

} // namespace zeroth::sysman
