// A temperature sensor with its thresholds. The thresholds are this process's own: they are compared while it listens.
#pragma once

#include "part.hpp"

#include <zeroth/device/sysman/temperature.hpp>

#include <mutex>

namespace zeroth::sysman {

class TemperatureSensor final : public Part<device::sysman::Temperature, TemperatureSource>, public Watched {
public:
  using Part::Part;

  ze_result_t get_properties(zes_temp_properties_t* properties) override;
  ze_result_t get_config(zes_temp_config_t* config) override;
  ze_result_t set_config(const zes_temp_config_t* config) override;
  ze_result_t get_state(double* temperature) override;

  zes_event_type_flags_t happened(zes_event_type_flags_t wanted) noexcept override;

private:
  struct Threshold {
    bool rising = false, falling = false;
    double celsius = 0;
    bool crossed(double before, double now) const {
      return (rising && before < celsius && now >= celsius) || (falling && before >= celsius && now < celsius);
    }
  };
  Threshold checked(const zes_temp_threshold_t& wanted) const;

  std::mutex mutex_; // guards what follows
  Threshold critical_, first_, second_;
  std::optional<double> last_; // reading that events were last decided by
};

} // namespace zeroth::sysman
