#include "memory.hpp"

#include "../parts/chain.hpp"
#include "../parts/text.hpp"

namespace zeroth::sysman {

MemoryModule::MemoryModule(const ze_handle_t& prefix, MemorySource source)
    : Part(prefix, std::move(source)), seen_health_(known_or(source_.health, ZES_MEM_HEALTH_UNKNOWN)) {}

// The enumeration of memory types has no "unknown"; a value outside of it is how drivers say so.
ze_result_t MemoryModule::get_properties(zes_mem_properties_t* properties) {
  properties->type = source_.type.value_or(ZES_MEM_TYPE_FORCE_UINT32);
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->location = source_.location;
  properties->physicalSize = source_.physical_size.value_or(0); // 0: not known, says the specification
  properties->busWidth = source_.bus_width.value_or(-1);
  properties->numChannels = source_.channels.value_or(-1);
  if (auto* more = in_chain<zes_memory_vendor_info_ext_properties_t>(
          properties->pNext, ZES_STRUCTURE_TYPE_MEMORY_VENDOR_INFO_EXT_PROPERTIES)) {
    const MemoryVendor vendor = source_.vendor.value_or(MemoryVendor{});
    more->vendorId = vendor.id.value_or(UINT32_MAX);
    put_known(more->vendorName, vendor.name);
    more->length = static_cast<uint16_t>(std::strlen(more->vendorName));
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t MemoryModule::get_state(zes_mem_state_t* state) {
  const MemoryState now =
      known(source_.state, "how much of a single module is free: the kernel spreads memory over all");
  state->health = now.health;
  state->free = now.free;
  state->size = now.size;
  return ZE_RESULT_SUCCESS;
}

ze_result_t MemoryModule::get_bandwidth(zes_mem_bandwidth_t* bandwidth) {
  *bandwidth = known(source_.bandwidth, "the traffic of this memory");
  return ZE_RESULT_SUCCESS;
}

zes_event_type_flags_t MemoryModule::happened(zes_event_type_flags_t wanted) noexcept {
  if (!(wanted & ZES_EVENT_TYPE_FLAG_MEM_HEALTH) || !source_.health) return 0;
  const zes_mem_health_t seen = seen_health_.load();
  const zes_mem_health_t now = known_or(source_.health, seen);
  seen_health_.store(now);
  return now != seen ? ZES_EVENT_TYPE_FLAG_MEM_HEALTH : 0;
}

} // namespace zeroth::sysman
