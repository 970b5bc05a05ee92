#include "place.hpp"

#include "gpu.hpp"
#include "sources.hpp"

#include <fmt/format.h>

#include <mutex>

namespace zeroth::sysman {

std::string pci_text(const zes_pci_address_t& address) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", address.domain, address.bus, address.device, address.function);
}

namespace {

void look_at_host(const Root& root, Found& found) {
  find_powercap(root, found);
  find_host_hwmon(root, found);
  find_thermal_zones(root, found);
  find_cpufreq(root, found);
  find_proc_stat(root, found);
  find_host_memory(root, found);
  find_edac(root, found);
  find_memory_makers(root, found);
  find_machine_checks(root, found);
  find_power_supplies(root, found);
  find_leds(root, found);
  find_host_firmware(root, found);
  find_pstate(root, found);
  find_host_processes(root, found);
}

void look_at_gpu(const Gpu& gpu, const std::string& nvml, Found& found) {
  find_pci(gpu, found);
  if (gpu.driver == "amdgpu") find_amd_gpu(gpu, found);
  if (gpu.driver == "i915" || gpu.driver == "xe") find_intel_gpu(gpu, found);
  if (gpu.driver == "nvidia") find_nvidia(gpu, nvml, found);
  find_gpu_hwmon(gpu, found);
  find_drm_clients(gpu, found);
}

} // namespace

Found look(const Root& root, const Place& place, const std::string& nvml) {
  Found found;
  if (place.kind == Place::Kind::Host) look_at_host(root, found);
  if (place.kind == Place::Kind::Pci && root.exists(place.folder()))
    look_at_gpu({root, place.pci, place.folder(), root.link(place.folder() + "/driver").value_or("")}, nvml, found);
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
