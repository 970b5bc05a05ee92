// A power domain: energy, limits, and the event of an energy threshold.
#pragma once

#include "part.hpp"

#include <zeroth/device/sysman/power.hpp>

#include <mutex>

namespace zeroth::sysman {

class PowerDomain final : public Part<device::sysman::Power, PowerSource>, public Watched {
public:
  using Part::Part;

  ze_result_t get_properties(zes_power_properties_t* properties) override;
  ze_result_t get_energy_counter(zes_power_energy_counter_t* energy) override;
  ze_result_t get_limits(zes_power_sustained_limit_t* sustained, zes_power_burst_limit_t* burst,
                         zes_power_peak_limit_t* peak) override;
  ze_result_t set_limits(const zes_power_sustained_limit_t* sustained, const zes_power_burst_limit_t* burst,
                         const zes_power_peak_limit_t* peak) override;
  ze_result_t get_limits_ext(uint32_t* count, zes_power_limit_ext_desc_t* limits) override;
  ze_result_t set_limits_ext(uint32_t* count, zes_power_limit_ext_desc_t* limits) override;
  ze_result_t get_limits_ext2(uint32_t* limit) override;
  ze_result_t set_limits_ext2(const uint32_t limit) override;
  ze_result_t get_energy_threshold(zes_energy_threshold_t* threshold) override;
  ze_result_t set_energy_threshold(double threshold) override;
  ze_result_t get_usage(uint32_t* instant, uint32_t* average) override;

  zes_event_type_flags_t happened(zes_event_type_flags_t wanted) noexcept override;

private:
  const PowerLimit* limit(zes_power_level_t level) const;
  const PowerLimit& limit_to_set(zes_power_level_t level) const;
  bool can_control() const;

  mutable std::mutex mutex_;        // guards the threshold
  std::optional<double> threshold_; // joules, counted from start_
  std::uint64_t start_ = 0;
};

} // namespace zeroth::sysman
