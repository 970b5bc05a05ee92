#include "device.hpp"

#include "../parts/chain.hpp"
#include "../parts/listing.hpp"
#include "../parts/text.hpp"
#include "backing.hpp"

#include <algorithm>
#include <cstring>

namespace zeroth::sysman {
namespace {

template <class P, class S> void make(Parts::List<P>& parts, const ze_handle_t& prefix, const std::vector<S>& sources) {
  for (const S& source : sources) parts.push_back(std::make_unique<P>(prefix, source));
}

std::unique_ptr<Parts> make_parts(Found found, const ze_handle_t& prefix) {
  auto parts = std::make_unique<Parts>();
  make(parts->powers, prefix, found.powers);
  make(parts->frequencies, prefix, found.frequencies);
  make(parts->temperatures, prefix, found.temperatures);
  make(parts->engines, prefix, found.engines);
  make(parts->memories, prefix, found.memories);
  make(parts->fans, prefix, found.fans);
  make(parts->ras, prefix, found.ras);
  make(parts->power_supplies, prefix, found.power_supplies);
  make(parts->leds, prefix, found.leds);
  make(parts->firmwares, prefix, found.firmwares);
  make(parts->performance, prefix, found.performance);
  make(parts->standby, prefix, found.standby);
  make(parts->schedulers, prefix, found.schedulers);
  parts->found = std::move(found);
  if (parts->found.pci) parts->link = std::make_unique<LinkHealth>(*parts->found.pci);
  return parts;
}

// The specification reserves no value of a process's sizes for "not known"; no process has as much.
constexpr std::uint64_t NotTold = UINT64_MAX;

zes_device_type_t type_of(ze_device_type_t type) { return static_cast<zes_device_type_t>(type); }

} // namespace

std::vector<Watched*> Parts::watched() const {
  std::vector<Watched*> all;
  const auto add = [&](const auto& list) {
    for (const auto& part : list) all.push_back(part.get());
  };
  add(powers), add(frequencies), add(temperatures), add(memories), add(ras);
  if (link) all.push_back(link.get());
  return all;
}

ze_device_properties_t DevicePart::core_properties() const { return backing_.properties(handle_); }

ze_result_t DevicePart::get_properties(ze_device_properties_t* properties) {
  void* const next = properties->pNext;
  *properties = core_properties();
  properties->pNext = next;
  return ZE_RESULT_SUCCESS;
}

const Place& DevicePart::place() {
  std::call_once(placed_, [this] { place_ = backing_.place(handle_); });
  return place_;
}

const Parts& DevicePart::parts() {
  std::call_once(looked_, [this] {
    parts_ = make_parts(look(settings().root, place(), settings().nvml), backing_.prefix_like(handle_));
  });
  return *parts_;
}

std::vector<ze_device_handle_t> DevicePart::sub_devices() const { return backing_.sub_devices(handle_); }

ze_result_t DevicePart::zes_get_properties(zes_device_properties_t* properties) {
  const ze_device_properties_t core = core_properties();
  const Identity& identity = parts().found.identity;
  void* const core_next = properties->core.pNext;
  properties->core = core;
  properties->core.pNext = core_next;
  properties->numSubdevices = static_cast<uint32_t>(sub_devices().size());
  put_known(properties->serialNumber, identity.serial);
  put_known(properties->boardNumber, identity.board);
  put_known(properties->brandName, identity.brand);
  put_known(properties->modelName, identity.model.empty() ? core.name : identity.model);
  put_known(properties->vendorName, identity.vendor);
  put_known(properties->driverVersion, identity.driver);
  if (auto* more = in_chain<zes_device_ext_properties_t>(properties->pNext, ZES_STRUCTURE_TYPE_DEVICE_EXT_PROPERTIES)) {
    std::memcpy(more->uuid.id, core.uuid.id, sizeof more->uuid.id);
    more->type = type_of(core.type);
    more->flags = core.flags & 0xfu; // the two families' flags are the same bits
  }
  return ZE_RESULT_SUCCESS;
}

void DevicePart::must_be_present() {
  const Reader<bool>& present = parts().found.present;
  if (present && !present()) throw Error(ZE_RESULT_ERROR_DEVICE_LOST, "the device at {} is gone", place().pci);
}

ze_result_t DevicePart::zes_get_state(zes_device_state_t* state) {
  must_be_present();
  const bool wedged = known_or(parts().found.wedged, false), surviving = known_or(parts().found.survival, false);
  state->reset = wedged ? ZES_RESET_REASON_FLAG_WEDGED : 0;
  state->repaired = ZES_REPAIR_STATUS_UNSUPPORTED;
  if (auto* more = in_chain<zes_device_ext_state_t>(state->pNext, ZES_STRUCTURE_TYPE_DEVICE_EXT_STATE))
    more->flags = (wedged ? ZES_DEVICE_STATE_EXT_FLAG_WEDGED : 0) |
                  (surviving ? ZES_DEVICE_STATE_EXT_FLAG_SURVIVABILITY : 0) |
                  (wedged || surviving ? 0 : ZES_DEVICE_STATE_EXT_FLAG_NORMAL);
  return ZE_RESULT_SUCCESS;
}

// Other than for enumerations, the specification refuses a count that is too small, since processes come and go.
ze_result_t DevicePart::zes_processes_get_state(uint32_t* count, zes_process_state_t* processes) {
  const std::vector<ProcessUse> all = known(parts().found.processes, "which processes use the device");
  const auto total = static_cast<uint32_t>(all.size());
  const bool asked = processes == nullptr || *count == 0;
  if (!asked && *count < total) {
    const uint32_t room = std::exchange(*count, total);
    throw Error(ZE_RESULT_ERROR_INVALID_SIZE, "{} processes, room for {}", total, room);
  }
  *count = total;
  for (uint32_t i = 0; !asked && i < total; ++i) {
    processes[i].processId = all[i].id;
    processes[i].memSize = all[i].memory.value_or(NotTold);
    processes[i].sharedSize = all[i].shared.value_or(NotTold);
    processes[i].engines = all[i].engines;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t DevicePart::zes_get_sub_device_properties_exp(uint32_t* count, zes_subdevice_exp_properties_t* properties) {
  const auto all = sub_devices();
  hand_out(all.size(), count, properties, [&](zes_subdevice_exp_properties_t& item, uint32_t i) {
    const ze_device_properties_t core = backing_.properties(all[i]);
    item.subdeviceId = core.subdeviceId;
    std::memcpy(item.uuid.id, core.uuid.id, sizeof item.uuid.id);
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t DevicePart::zes_ecc_available(ze_bool_t* available) {
  known(parts().found.ecc, "whether its memory corrects errors"); // what can be switched off is there
  *available = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t DevicePart::zes_ecc_configurable(ze_bool_t* configurable) {
  known(parts().found.ecc, "whether its memory corrects errors");
  *configurable = false;
  return ZE_RESULT_SUCCESS;
}

ze_result_t DevicePart::zes_get_ecc_state(zes_device_ecc_properties_t* state) {
  const bool on = known(parts().found.ecc, "whether its memory corrects errors");
  state->currentState = state->pendingState = on ? ZES_DEVICE_ECC_STATE_ENABLED : ZES_DEVICE_ECC_STATE_DISABLED;
  state->pendingAction = ZES_DEVICE_ACTION_NONE;
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::sysman
