#include "power.hpp"

#include "../parts/chain.hpp"
#include "../parts/clock.hpp"
#include "../parts/listing.hpp"

#include <algorithm>
#include <unistd.h>

namespace zeroth::sysman {
namespace {

constexpr std::int32_t Unknown = -1;

void describe(const PowerLimit& limit, zes_power_limit_ext_desc_t& to) {
  to.level = limit.level;
  to.source = limit.source;
  to.limitUnit = ZES_LIMIT_UNIT_POWER;
  to.enabledStateLocked = !limit.set_enabled;
  to.enabled = known_or<bool>(limit.enabled, true);
  to.intervalValueLocked = !limit.set_interval;
  to.interval = known_or(limit.interval, Unknown);
  to.limitValueLocked = !limit.set_milliwatts;
  to.limit = known(limit.milliwatts, "this power limit");
}

} // namespace

const PowerLimit* PowerDomain::limit(zes_power_level_t level) const {
  const auto& all = source_.limits;
  const auto place = std::find_if(all.begin(), all.end(), [&](const PowerLimit& one) { return one.level == level; });
  return place == all.end() ? nullptr : &*place;
}

const PowerLimit& PowerDomain::limit_to_set(zes_power_level_t level) const {
  if (const PowerLimit* found = limit(level)) return *found;
  throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the domain has no limit of level {}", static_cast<int>(level));
}

bool PowerDomain::can_control() const {
  return std::any_of(source_.limits.begin(), source_.limits.end(),
                     [](const PowerLimit& one) { return bool(one.set_milliwatts); });
}

ze_result_t PowerDomain::get_properties(zes_power_properties_t* properties) {
  const PowerLimit* sustained = limit(ZES_POWER_LEVEL_SUSTAINED);
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  properties->canControl = can_control();
  properties->isEnergyThresholdSupported = bool(source_.microjoules);
  properties->defaultLimit = sustained ? sustained->factory.value_or(Unknown) : Unknown;
  properties->minLimit = source_.lowest_limit.value_or(Unknown);
  properties->maxLimit = source_.highest_limit.value_or(Unknown);
  if (auto* more = in_chain<zes_power_ext_properties_t>(properties->pNext, ZES_STRUCTURE_TYPE_POWER_EXT_PROPERTIES)) {
    more->domain = source_.domain;
    if (more->defaultLimit) {
      const auto level = sustained ? ZES_POWER_LEVEL_SUSTAINED : ZES_POWER_LEVEL_UNKNOWN;
      *more->defaultLimit = {more->defaultLimit->stype,
                             more->defaultLimit->pNext,
                             level,
                             ZES_POWER_SOURCE_ANY,
                             ZES_LIMIT_UNIT_POWER,
                             true,
                             true,
                             true,
                             Unknown,
                             true,
                             properties->defaultLimit};
    }
  }
  if (auto* more = in_chain<zes_power_domain_exp_properties_t>(properties->pNext,
                                                               ZES_STRUCTURE_TYPE_POWER_DOMAIN_EXP_PROPERTIES))
    more->powerDomain = source_.domain;
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::get_energy_counter(zes_power_energy_counter_t* energy) {
  energy->energy = known(source_.microjoules, "the energy of this domain");
  energy->timestamp = microseconds();
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::get_limits(zes_power_sustained_limit_t* sustained, zes_power_burst_limit_t* burst,
                                    zes_power_peak_limit_t* peak) {
  if (source_.limits.empty()) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the domain has no power limits");
  const PowerLimit* found = nullptr;
  if (sustained) {
    found = limit(ZES_POWER_LEVEL_SUSTAINED);
    *sustained = {found != nullptr && known_or<bool>(found->enabled, true),
                  found ? known(found->milliwatts, "the sustained limit") : Unknown,
                  found ? known_or<std::int32_t>(found->interval, Unknown) : Unknown};
  }
  if (burst) {
    found = limit(ZES_POWER_LEVEL_BURST);
    *burst = {found != nullptr && known_or<bool>(found->enabled, true),
              found ? known(found->milliwatts, "the burst limit") : Unknown};
  }
  if (peak) {
    found = limit(ZES_POWER_LEVEL_PEAK);
    *peak = {found ? known(found->milliwatts, "the peak limit") : Unknown, Unknown};
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::set_limits(const zes_power_sustained_limit_t* sustained, const zes_power_burst_limit_t* burst,
                                    const zes_power_peak_limit_t* peak) {
  if (sustained) {
    const PowerLimit& mine = limit_to_set(ZES_POWER_LEVEL_SUSTAINED);
    change(mine.set_milliwatts, "the sustained limit", sustained->power);
    if (mine.set_interval && sustained->interval > 0) mine.set_interval(sustained->interval);
    if (mine.set_enabled) mine.set_enabled(sustained->enabled);
  }
  if (burst) {
    const PowerLimit& mine = limit_to_set(ZES_POWER_LEVEL_BURST);
    change(mine.set_milliwatts, "the burst limit", burst->power);
    if (mine.set_enabled) mine.set_enabled(burst->enabled);
  }
  if (peak) change(limit_to_set(ZES_POWER_LEVEL_PEAK).set_milliwatts, "the peak limit", peak->powerAC);
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::get_limits_ext(uint32_t* count, zes_power_limit_ext_desc_t* limits) {
  hand_out(source_.limits.size(), count, limits, [&](auto& item, uint32_t i) { describe(source_.limits[i], item); });
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::set_limits_ext(uint32_t* count, zes_power_limit_ext_desc_t* limits) {
  if (limits == nullptr && *count > 0) throw Error(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "no limits were given");
  for (uint32_t i = 0; i < *count; ++i) {
    const PowerLimit& mine = limit_to_set(limits[i].level);
    change(mine.set_milliwatts, "the power limit", limits[i].limit);
    if (mine.set_interval && limits[i].interval > 0) mine.set_interval(limits[i].interval);
    if (mine.set_enabled) mine.set_enabled(limits[i].enabled);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::get_limits_ext2(uint32_t* limit_value) {
  const PowerLimit& mine = limit_to_set(ZES_POWER_LEVEL_SUSTAINED);
  *limit_value = static_cast<uint32_t>(known(mine.milliwatts, "the power limit"));
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::set_limits_ext2(const uint32_t value) {
  if (value > INT32_MAX) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} mW is no limit", value);
  change(limit_to_set(ZES_POWER_LEVEL_SUSTAINED).set_milliwatts, "the power limit", static_cast<std::int32_t>(value));
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::get_usage(uint32_t* instant, uint32_t* average) {
  if (!source_.milliwatts_now && !source_.milliwatts_average)
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "this machine counts the domain's energy, not its power");
  constexpr uint32_t NotKnown = UINT32_MAX;
  *instant = source_.milliwatts_now ? source_.milliwatts_now() : NotKnown;
  *average = source_.milliwatts_average ? source_.milliwatts_average() : NotKnown;
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::get_energy_threshold(zes_energy_threshold_t* threshold) {
  if (!source_.microjoules) throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the domain's energy is not counted");
  const std::lock_guard lock(mutex_);
  *threshold = {threshold_.has_value(), threshold_.value_or(0),
                threshold_ ? static_cast<uint32_t>(::getpid()) : UINT32_MAX};
  return ZE_RESULT_SUCCESS;
}

ze_result_t PowerDomain::set_energy_threshold(double threshold) {
  if (!(threshold >= 0)) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} J is no threshold", threshold);
  const std::uint64_t start = known(source_.microjoules, "the energy of this domain");
  const std::lock_guard lock(mutex_);
  threshold_ = threshold > 0 ? std::optional(threshold) : std::nullopt; // nothing is no threshold
  start_ = start;
  return ZE_RESULT_SUCCESS;
}

// The specification clears the threshold when its event is raised.
zes_event_type_flags_t PowerDomain::happened(zes_event_type_flags_t wanted) noexcept {
  if (!(wanted & ZES_EVENT_TYPE_FLAG_ENERGY_THRESHOLD_CROSSED)) return 0;
  const std::lock_guard lock(mutex_);
  if (!threshold_) return 0;
  const std::uint64_t now = known_or(source_.microjoules, start_);
  if (static_cast<double>(now - start_) < *threshold_ * 1e6) return 0;
  threshold_.reset();
  return ZES_EVENT_TYPE_FLAG_ENERGY_THRESHOLD_CROSSED;
}

} // namespace zeroth::sysman
