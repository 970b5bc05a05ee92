// A fan.
#pragma once

#include "part.hpp"

#include <zeroth/device/sysman/fan.hpp>

namespace zeroth::sysman {

class FanPart final : public Part<device::sysman::Fan, FanSource> {
public:
  using Part::Part;
  ze_result_t get_properties(zes_fan_properties_t* properties) override;
  ze_result_t get_config(zes_fan_config_t* config) override;
  ze_result_t set_default_mode() override;
  ze_result_t set_fixed_speed_mode(const zes_fan_speed_t* speed) override;
  ze_result_t get_state(zes_fan_speed_units_t units, int32_t* speed) override;

private:
  std::int32_t percent_of(const zes_fan_speed_t& speed) const;
};

} // namespace zeroth::sysman
