#include "frequency.hpp"

#include "../parts/clock.hpp"
#include "../parts/listing.hpp"

#include <algorithm>

namespace zeroth::sysman {
namespace {

constexpr double Unknown = -1.0; // as the specification says for measurements that are not known

} // namespace

FrequencyDomain::FrequencyDomain(const ze_handle_t& prefix, FrequencySource source)
    : Part(prefix, std::move(source)), seen_throttles_(known_or<std::uint64_t>(source_.throttle_count, 0)) {}

ze_result_t FrequencyDomain::get_properties(zes_freq_properties_t* properties) {
  properties->type = source_.type;
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->canControl = bool(source_.set_range);
  properties->isThrottleEventSupported = bool(source_.throttle_count);
  properties->min = source_.lowest.value_or(Unknown);
  properties->max = source_.highest.value_or(Unknown);
  return ZE_RESULT_SUCCESS;
}

ze_result_t FrequencyDomain::get_available_clocks(uint32_t* count, double* clocks) {
  const std::vector<double> all = known(source_.clocks, "its available clocks");
  hand_out(all.size(), count, clocks, [&](double& item, uint32_t i) { item = all[i]; });
  return ZE_RESULT_SUCCESS;
}

ze_result_t FrequencyDomain::get_range(zes_freq_range_t* limits) {
  *limits = known(source_.range, "limits of this frequency");
  return ZE_RESULT_SUCCESS;
}

// A negative bound asks for the hardware's own; beyond it lies nothing.
ze_result_t FrequencyDomain::set_range(const zes_freq_range_t* limits) {
  if (!source_.set_range) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "this frequency has no limits to set");
  if (limits->min < 0 && limits->max < 0 && source_.free_range) return source_.free_range(), ZE_RESULT_SUCCESS;
  zes_freq_range_t wanted = *limits;
  if (wanted.min < 0) wanted.min = source_.lowest.value_or(wanted.min);
  if (wanted.max < 0) wanted.max = source_.highest.value_or(wanted.max);
  if (!(wanted.min <= wanted.max) || wanted.max <= 0)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} to {} MHz is no range", limits->min, limits->max);
  if (source_.lowest) wanted.min = std::max(wanted.min, *source_.lowest);
  if (source_.highest) wanted.max = std::min(wanted.max, *source_.highest);
  source_.set_range(wanted);
  return ZE_RESULT_SUCCESS;
}

ze_result_t FrequencyDomain::get_state(zes_freq_state_t* state) {
  state->actual = known(source_.actual, "the present frequency");
  state->currentVoltage = known_or(source_.volts, Unknown);
  state->request = known_or(source_.requested, Unknown);
  state->tdp = known_or(source_.sustained, Unknown);
  state->efficient = known_or(source_.efficient, Unknown);
  state->throttleReasons = known_or<zes_freq_throttle_reason_flags_t>(source_.throttle_reasons, 0);
  return ZE_RESULT_SUCCESS;
}

ze_result_t FrequencyDomain::get_throttle_time(zes_freq_throttle_time_t* time) {
  time->throttleTime = known(source_.throttled, "for how long this frequency was throttled");
  time->timestamp = microseconds();
  return ZE_RESULT_SUCCESS;
}

zes_event_type_flags_t FrequencyDomain::happened(zes_event_type_flags_t wanted) noexcept {
  if (!(wanted & ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED) || !source_.throttle_count) return 0;
  const std::uint64_t seen = seen_throttles_.load();
  const std::uint64_t now = known_or(source_.throttle_count, seen);
  seen_throttles_.store(now);
  return now > seen ? ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED : 0;
}

} // namespace zeroth::sysman
