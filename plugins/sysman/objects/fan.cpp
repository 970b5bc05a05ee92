#include "fan.hpp"

namespace zeroth::sysman {
namespace {

constexpr uint32_t bit(int enumerator) { return 1u << enumerator; }

} // namespace

ze_result_t FanPart::get_properties(zes_fan_properties_t* properties) {
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->canControl = bool(source_.set_percent);
  properties->supportedModes = (source_.set_automatic ? bit(ZES_FAN_SPEED_MODE_DEFAULT) : 0) |
                               (source_.set_percent ? bit(ZES_FAN_SPEED_MODE_FIXED) : 0);
  properties->supportedUnits =
      (source_.rpm ? bit(ZES_FAN_SPEED_UNITS_RPM) : 0) | (source_.percent ? bit(ZES_FAN_SPEED_UNITS_PERCENT) : 0);
  properties->maxRPM = source_.highest_rpm.value_or(-1);
  properties->maxPoints = -1; // no fan here takes a table
  return ZE_RESULT_SUCCESS;
}

ze_result_t FanPart::get_config(zes_fan_config_t* config) {
  config->mode = known(source_.mode, "who controls this fan");
  config->speedFixed = {-1, ZES_FAN_SPEED_UNITS_PERCENT};
  if (config->mode == ZES_FAN_SPEED_MODE_FIXED) config->speedFixed.speed = known(source_.percent, "this fan's setting");
  config->speedTable.numPoints = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t FanPart::set_default_mode() {
  change(source_.set_automatic, "the mode of this fan");
  return ZE_RESULT_SUCCESS;
}

std::int32_t FanPart::percent_of(const zes_fan_speed_t& speed) const {
  if (speed.units == ZES_FAN_SPEED_UNITS_PERCENT) return speed.speed;
  if (!source_.highest_rpm || *source_.highest_rpm <= 0)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the fan's highest speed is not known: give a percentage");
  return static_cast<std::int32_t>(std::int64_t{speed.speed} * 100 / *source_.highest_rpm);
}

ze_result_t FanPart::set_fixed_speed_mode(const zes_fan_speed_t* speed) {
  const std::int32_t percent = percent_of(*speed);
  if (percent < 0 || percent > 100) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} % is no fan speed", percent);
  change(source_.set_percent, "the speed of this fan", percent);
  return ZE_RESULT_SUCCESS;
}

ze_result_t FanPart::get_state(zes_fan_speed_units_t units, int32_t* speed) {
  *speed = units == ZES_FAN_SPEED_UNITS_RPM ? known(source_.rpm, "the turns of this fan")
                                            : known(source_.percent, "the setting of this fan");
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::sysman
