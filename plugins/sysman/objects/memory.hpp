// A memory module, or the memory of one NUMA node or GPU.
#pragma once

#include "part.hpp"

#include <zeroth/device/sysman/memory.hpp>

#include <atomic>

namespace zeroth::sysman {

class MemoryModule final : public Part<device::sysman::Memory, MemorySource>, public Watched {
public:
  MemoryModule(const ze_handle_t& prefix, MemorySource source);
  ze_result_t get_properties(zes_mem_properties_t* properties) override;
  ze_result_t get_state(zes_mem_state_t* state) override;
  ze_result_t get_bandwidth(zes_mem_bandwidth_t* bandwidth) override;

  zes_event_type_flags_t happened(zes_event_type_flags_t wanted) noexcept override;

private:
  std::atomic<zes_mem_health_t> seen_health_;
};

} // namespace zeroth::sysman
