#include "small_parts.hpp"

#include "../parts/text.hpp"

namespace zeroth::sysman {

ze_result_t PowerSupply::get_properties(zes_psu_properties_t* properties) {
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->haveFan = source_.has_fan;
  properties->ampLimit = source_.most_amperes.value_or(-1);
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerSupply::get_state(zes_psu_state_t* state) {
  state->voltStatus = known(source_.voltage, "the state of this power supply");
  state->fanFailed = false;
  state->temperature = known_or<std::int32_t>(source_.celsius, -1);
  state->current = known_or<std::int32_t>(source_.amperes, -1);
  return ZE_RESULT_SUCCESS;
}

ze_result_t Light::get_properties(zes_led_properties_t* properties) {
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->canControl = bool(source_.set_on);
  properties->haveRGB = bool(source_.color);
  return ZE_RESULT_SUCCESS;
}

ze_result_t Light::get_state(zes_led_state_t* state) {
  state->isOn = known(source_.on, "whether this light is on");
  state->color = source_.color ? source_.color() : zes_led_color_t{0, 0, 0}; // the properties say that it has none
  return ZE_RESULT_SUCCESS;
}

ze_result_t Light::set_state(ze_bool_t enable) {
  change(source_.set_on, "this light", bool(enable));
  return ZE_RESULT_SUCCESS;
}

ze_result_t Light::set_color(const zes_led_color_t* color) {
  change(source_.set_color, "the colour of this light", *color);
  return ZE_RESULT_SUCCESS;
}

ze_result_t FirmwarePart::get_properties(zes_firmware_properties_t* properties) {
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->canControl = false;
  put_text(properties->name, source_.name);
  put_known(properties->version, known(source_.version, "this firmware's version"));
  return ZE_RESULT_SUCCESS;
}

ze_result_t PerformanceDomain::get_properties(zes_perf_properties_t* properties) {
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->engines = source_.engines;
  return ZE_RESULT_SUCCESS;
}

ze_result_t PerformanceDomain::get_config(double* factor) {
  *factor = known(source_.factor, "the performance factor");
  return ZE_RESULT_SUCCESS;
}

ze_result_t PerformanceDomain::set_config(double factor) {
  if (!(factor >= 0 && factor <= 100))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} lies outside of 0 to 100", factor);
  change(source_.set_factor, "the performance factor", factor);
  return ZE_RESULT_SUCCESS;
}

ze_result_t StandbyDomain::get_properties(zes_standby_properties_t* properties) {
  properties->type = ZES_STANDBY_TYPE_GLOBAL;
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t StandbyDomain::get_mode(zes_standby_promo_mode_t* mode) {
  *mode = known(source_.mode, "the standby mode");
  return ZE_RESULT_SUCCESS;
}

ze_result_t StandbyDomain::set_mode(zes_standby_promo_mode_t mode) {
  change(source_.set_mode, "the standby mode", mode);
  return ZE_RESULT_SUCCESS;
}

ze_result_t SchedulerPart::get_properties(zes_sched_properties_t* properties) {
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->canControl = source_.set_timeslice || source_.set_watchdog;
  properties->engines = source_.engines;
  properties->supportedModes =
      (source_.watchdog ? 1u << ZES_SCHED_MODE_TIMEOUT : 0) | (source_.timeslice ? 1u << ZES_SCHED_MODE_TIMESLICE : 0);
  return ZE_RESULT_SUCCESS;
}

ze_result_t SchedulerPart::get_current_mode(zes_sched_mode_t* mode) {
  const bool slices = source_.timeslice && source_.timeslice() > 0;
  if (!slices) known(source_.watchdog, "how its engine is scheduled");
  *mode = slices ? ZES_SCHED_MODE_TIMESLICE : ZES_SCHED_MODE_TIMEOUT;
  return ZE_RESULT_SUCCESS;
}

ze_result_t SchedulerPart::get_timeout_mode_properties(ze_bool_t defaults, zes_sched_timeout_properties_t* config) {
  if (defaults && !source_.default_watchdog)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the default of this watchdog is not told");
  config->watchdogTimeout = defaults ? *source_.default_watchdog : known(source_.watchdog, "this engine's watchdog");
  return ZE_RESULT_SUCCESS;
}

ze_result_t SchedulerPart::get_timeslice_mode_properties(ze_bool_t defaults, zes_sched_timeslice_properties_t* config) {
  if (defaults && (!source_.default_timeslice || !source_.default_preemption))
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the defaults of these time slices are not told");
  config->interval = defaults ? *source_.default_timeslice : known(source_.timeslice, "this engine's time slice");
  config->yieldTimeout = defaults ? *source_.default_preemption : known(source_.preemption, "its preemption limit");
  return ZE_RESULT_SUCCESS;
}

ze_result_t SchedulerPart::set_timeout_mode(zes_sched_timeout_properties_t* properties, ze_bool_t* needs_reload) {
  change(source_.set_watchdog, "this engine's watchdog", properties->watchdogTimeout);
  if (source_.timeslice) change(source_.set_timeslice, "this engine's time slice", 0); // it is the other mode
  *needs_reload = false;
  return ZE_RESULT_SUCCESS;
}

ze_result_t SchedulerPart::set_timeslice_mode(zes_sched_timeslice_properties_t* properties, ze_bool_t* needs_reload) {
  change(source_.set_timeslice, "this engine's time slice", properties->interval);
  change(source_.set_preemption, "its preemption limit", properties->yieldTimeout);
  *needs_reload = false;
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::sysman
