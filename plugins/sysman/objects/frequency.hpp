// A frequency domain. Overclocking is refused by rule: no public file of the kernel offers it.
#pragma once

#include "part.hpp"

#include <zeroth/device/sysman/frequency.hpp>

#include <atomic>

namespace zeroth::sysman {

class FrequencyDomain final : public Part<device::sysman::Frequency, FrequencySource>, public Watched {
public:
  FrequencyDomain(const ze_handle_t& prefix, FrequencySource source);

  ze_result_t get_properties(zes_freq_properties_t* properties) override;
  ze_result_t get_available_clocks(uint32_t* count, double* clocks) override;
  ze_result_t get_range(zes_freq_range_t* limits) override;
  ze_result_t set_range(const zes_freq_range_t* limits) override;
  ze_result_t get_state(zes_freq_state_t* state) override;
  ze_result_t get_throttle_time(zes_freq_throttle_time_t* time) override;

  zes_event_type_flags_t happened(zes_event_type_flags_t wanted) noexcept override;

private:
  std::atomic<std::uint64_t> seen_throttles_;
};

} // namespace zeroth::sysman
