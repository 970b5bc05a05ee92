// The PCI functions of a device, from the kernel's folder of it.
#include "../parts/chain.hpp"
#include "../parts/clock.hpp"
#include "../parts/listing.hpp"
#include "device.hpp"

namespace zeroth::sysman {
namespace {

constexpr zes_pci_speed_t UnknownSpeed{-1, -1, -1};

} // namespace

const PciSource& DevicePart::pci() {
  const auto& found = parts().found.pci;
  if (!found) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the device is not on a PCI bus");
  return *found;
}

ze_result_t DevicePart::zes_pci_get_properties(zes_pci_properties_t* properties) {
  const PciSource& source = pci();
  properties->address = source.address;
  properties->maxSpeed = source.fastest;
  properties->haveBandwidthCounters = properties->havePacketCounters = false;
  properties->haveReplayCounters = bool(source.replays);
  return ZE_RESULT_SUCCESS;
}

ze_result_t DevicePart::zes_pci_get_state(zes_pci_state_t* state) {
  const PciSource& source = pci();
  state->speed = known(source.speed, "the speed of its link");
  const LinkHealth::Verdict verdict =
      parts().link->look(state->speed); // idle links run slowly by design: slow is no issue by itself
  state->status = verdict.status;
  state->qualityIssues = verdict.quality;
  state->stabilityIssues = verdict.stability;
  return ZE_RESULT_SUCCESS;
}

ze_result_t DevicePart::zes_pci_get_bars(uint32_t* count, zes_pci_bar_properties_t* bars) {
  const auto all = known(pci().bars, "its memory windows");
  hand_out(all.size(), count, bars, [&](zes_pci_bar_properties_t& item, uint32_t i) {
    item.type = all[i].type;
    item.index = all[i].index;
    item.base = all[i].base;
    item.size = all[i].size;
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t DevicePart::zes_pci_get_stats(zes_pci_stats_t* stats) {
  const PciSource& source = pci();
  stats->replayCounter = known(source.replays, "any counter of its link");
  stats->packetCounter = stats->rxCounter = stats->txCounter = 0; // the properties say that these are not counted
  stats->speed = known_or(source.speed, UnknownSpeed);
  stats->timestamp = microseconds();
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::sysman
