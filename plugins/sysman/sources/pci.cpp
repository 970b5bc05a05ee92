// PCI facts of any device.
#include "gpu.hpp"

#include "../events/notices.hpp"
#include "../parse/aer.hpp"
#include "../parse/numbers.hpp"
#include "../parse/pci.hpp"

#include <algorithm>
#include <array>

namespace zeroth::sysman {
namespace {

zes_pci_speed_t speed(std::optional<std::int32_t> generation, std::optional<std::int64_t> lanes) {
  const std::int32_t width = lanes && *lanes > 0 && *lanes <= 32 ? static_cast<std::int32_t>(*lanes) : -1;
  return {generation.value_or(-1), width, parse::pci_bandwidth(generation.value_or(-1), width)};
}

zes_pci_speed_t fastest(const Gpu& gpu) {
  return speed(parse::pci_generation(gpu.root.text(gpu.file("max_link_speed")).value_or("")),
               gpu.root.number(gpu.file("max_link_width")));
}

// The kernel's folder of the bridge above is the parent of the device's.
std::optional<std::int32_t> lanes_of_both_ends(const Gpu& gpu) {
  const auto own = gpu.root.number(gpu.file("max_link_width")), other = gpu.root.number(gpu.file("../max_link_width"));
  if (!own || !other || *own <= 0 || *own > 32 || *other <= 0 || *other > 32) return std::nullopt;
  return static_cast<std::int32_t>(std::min(*own, *other));
}

Reader<LinkErrors> link_errors(const Gpu& gpu) {
  const SharedFile file = gpu.open("aer_dev_correctable");
  if (!file || !parse::link_errors(gpu.root.text(gpu.file("aer_dev_correctable")).value_or(""))) return {};
  return [file] {
    std::array<char, 1024> buffer;
    const auto now = parse::link_errors(file->read(buffer));
    if (!now) throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "{} counts no errors", file->path());
    return LinkErrors{now->replays, now->retrainings};
  };
}

void add_standby(const Gpu& gpu, Found& found) {
  const SharedFile control = gpu.open("power/control");
  if (control) {
    StandbySource standby;
    standby.mode = [control] {
      std::array<char, 32> buffer;
      return control->read(buffer) == "auto" ? ZES_STANDBY_PROMO_MODE_DEFAULT : ZES_STANDBY_PROMO_MODE_NEVER;
    };
    standby.set_mode = [control](zes_standby_promo_mode_t mode) {
      control->write(mode == ZES_STANDBY_PROMO_MODE_DEFAULT ? "auto" : "on");
    };
    found.standby.push_back(std::move(standby));
  }
  if (const SharedFile status = gpu.open("power/runtime_status"))
    found.asleep = [status] {
      std::array<char, 32> buffer;
      return status->read(buffer) == "suspended";
    };
}

} // namespace

void find_pci(const Gpu& gpu, Found& found) {
  const auto address = parse::pci_address(gpu.pci);
  if (!address) return;
  PciSource pci;
  pci.address = *address;
  pci.fastest = fastest(gpu);
  if (const SharedFile now = gpu.open("current_link_speed"), width = gpu.open("current_link_width"); now && width)
    pci.speed = [now, width] {
      std::array<char, 64> buffer;
      return speed(parse::pci_generation(now->read(buffer)), width->integer());
    };
  pci.lanes = lanes_of_both_ends(gpu);
  pci.errors = link_errors(gpu);
  pci.replays = multiplied<std::uint64_t>(gpu.open("pcie_replay_count"), 1);
  if (const SharedFile resource = gpu.open("resource"))
    pci.bars = [resource] { return parse::pci_bars(resource->read_long()); };
  found.pci = std::move(pci);
  found.present = [root = gpu.root, folder = gpu.folder] { return root.exists(folder); };
  found.wedged = [address = gpu.pci] { return notices().is_wedged(address); };
  if (const std::string file = gpu.file("survivability_mode"); gpu.driver == "xe")
    found.survival = [root = gpu.root, file] { return root.exists(file); };
  add_standby(gpu, found);
  found.identity.driver = gpu.driver;
}

} // namespace zeroth::sysman
