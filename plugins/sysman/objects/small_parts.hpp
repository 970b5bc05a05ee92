// Parts with little to say: power supplies, lights, firmware, performance factors, standby and schedulers.
#pragma once

#include "part.hpp"

#include <zeroth/device/sysman/firmware.hpp>
#include <zeroth/device/sysman/led.hpp>
#include <zeroth/device/sysman/performance_factor.hpp>
#include <zeroth/device/sysman/psu.hpp>
#include <zeroth/device/sysman/scheduler.hpp>
#include <zeroth/device/sysman/standby.hpp>

namespace zeroth::sysman {

class PowerSupply final : public Part<device::sysman::Psu, PowerSupplySource> {
public:
  using Part::Part;
  ze_result_t get_properties(zes_psu_properties_t* properties) override;
  ze_result_t get_state(zes_psu_state_t* state) override;
};

class Light final : public Part<device::sysman::Led, LedSource> {
public:
  using Part::Part;
  ze_result_t get_properties(zes_led_properties_t* properties) override;
  ze_result_t get_state(zes_led_state_t* state) override;
  ze_result_t set_state(ze_bool_t enable) override;
  ze_result_t set_color(const zes_led_color_t* color) override;
};

// Flashing is refused by rule: the runtime writes no firmware.
class FirmwarePart final : public Part<device::sysman::Firmware, FirmwareSource> {
public:
  using Part::Part;
  ze_result_t get_properties(zes_firmware_properties_t* properties) override;
};

class PerformanceDomain final : public Part<device::sysman::PerformanceFactor, PerformanceSource> {
public:
  using Part::Part;
  ze_result_t get_properties(zes_perf_properties_t* properties) override;
  ze_result_t get_config(double* factor) override;
  ze_result_t set_config(double factor) override;
};

class StandbyDomain final : public Part<device::sysman::Standby, StandbySource> {
public:
  using Part::Part;
  ze_result_t get_properties(zes_standby_properties_t* properties) override;
  ze_result_t get_mode(zes_standby_promo_mode_t* mode) override;
  ze_result_t set_mode(zes_standby_promo_mode_t mode) override;
};

// The kernel's own scheduler of an engine: time slices with a watchdog. Its two values are what can be set.
class SchedulerPart final : public Part<device::sysman::Scheduler, SchedulerSource> {
public:
  using Part::Part;
  ze_result_t get_properties(zes_sched_properties_t* properties) override;
  ze_result_t get_current_mode(zes_sched_mode_t* mode) override;
  ze_result_t get_timeout_mode_properties(ze_bool_t defaults, zes_sched_timeout_properties_t* config) override;
  ze_result_t get_timeslice_mode_properties(ze_bool_t defaults, zes_sched_timeslice_properties_t* config) override;
  ze_result_t set_timeout_mode(zes_sched_timeout_properties_t* properties, ze_bool_t* needs_reload) override;
  ze_result_t set_timeslice_mode(zes_sched_timeslice_properties_t* properties, ze_bool_t* needs_reload) override;
};

} // namespace zeroth::sysman
