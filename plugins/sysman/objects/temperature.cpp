#include "temperature.hpp"

namespace zeroth::sysman {

ze_result_t TemperatureSensor::get_properties(zes_temp_properties_t* properties) {
  properties->type = source_.type;
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->maxTemperature = source_.maximum.value_or(-1.0);
  properties->isCriticalTempSupported = source_.critical.has_value();
  properties->isThreshold1Supported = properties->isThreshold2Supported = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t TemperatureSensor::get_config(zes_temp_config_t* config) {
  const std::lock_guard lock(mutex_);
  const auto show = [](const Threshold& from) { return zes_temp_threshold_t{from.rising, from.falling, from.celsius}; };
  config->enableCritical = critical_.rising;
  config->threshold1 = show(first_);
  config->threshold2 = show(second_);
  return ZE_RESULT_SUCCESS;
}

TemperatureSensor::Threshold TemperatureSensor::checked(const zes_temp_threshold_t& wanted) const {
  const Threshold threshold{bool(wanted.enableLowToHigh), bool(wanted.enableHighToLow), wanted.threshold};
  const bool used = threshold.rising || threshold.falling;
  if (used && source_.critical && threshold.celsius > *source_.critical)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} degrees lie above the critical {}", threshold.celsius,
                *source_.critical);
  return threshold;
}

ze_result_t TemperatureSensor::set_config(const zes_temp_config_t* config) {
  if (config->enableCritical && !source_.critical)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the sensor does not tell its critical temperature");
  const Threshold first = checked(config->threshold1), second = checked(config->threshold2);
  const double now = known(source_.celsius, "this temperature");
  const std::lock_guard lock(mutex_);
  critical_ = {bool(config->enableCritical), false, source_.critical.value_or(0)};
  first_ = first;
  second_ = second;
  last_ = now;
  return ZE_RESULT_SUCCESS;
}

ze_result_t TemperatureSensor::get_state(double* temperature) {
  *temperature = known(source_.celsius, "this temperature");
  return ZE_RESULT_SUCCESS;
}

zes_event_type_flags_t TemperatureSensor::happened(zes_event_type_flags_t wanted) noexcept {
  constexpr zes_event_type_flags_t Mine =
      ZES_EVENT_TYPE_FLAG_TEMP_CRITICAL | ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD1 | ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD2;
  const std::lock_guard lock(mutex_);
  if (!(wanted & Mine) || !last_) return 0; // no threshold was ever set
  const double before = *last_, now = known_or(source_.celsius, before);
  last_ = now;
  zes_event_type_flags_t events = 0;
  if (critical_.crossed(before, now)) events |= ZES_EVENT_TYPE_FLAG_TEMP_CRITICAL;
  if (first_.crossed(before, now)) events |= ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD1;
  if (second_.crossed(before, now)) events |= ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD2;
  return events & wanted;
}

} // namespace zeroth::sysman
