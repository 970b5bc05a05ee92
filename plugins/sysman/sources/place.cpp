#include "place.hpp"

#include "sources.hpp"

#include <fmt/format.h>

#include <mutex>

namespace zeroth::sysman {

std::string pci_text(const zes_pci_address_t& address) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", address.domain, address.bus, address.device, address.function);
}

Found look(const Root& root, const Place& place, const std::string&) {
  Found found;
  if (place.kind == Place::Kind::Host) {
    find_powercap(root, found);
    find_host_hwmon(root, found);
    find_thermal_zones(root, found);
    find_cpufreq(root, found);
    find_proc_stat(root, found);
    find_host_memory(root, found);
  }
  return found;
}

Reader<std::uint64_t> unwrapped(Reader<std::uint64_t> count, std::uint64_t range) {
  struct State {
    std::mutex mutex;
    std::uint64_t last = 0, turns = 0;
  };
  auto state = std::make_shared<State>();
  return [count = std::move(count), range, state] {
    const std::lock_guard lock(state->mutex); // two readers must not take each other's order for a turn
    const std::uint64_t now = count();
    if (now < state->last) state->turns += range;
    state->last = now;
    return state->turns + now;
  };
}

} // namespace zeroth::sysman
