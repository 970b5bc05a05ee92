#include "ras.hpp"

#include "../parts/listing.hpp"

#include <algorithm>
#include <numeric>

namespace zeroth::sysman {
namespace {

// The seven categories of the first version have the same numbers; what came later is an error outside of compute.
std::size_t base_category(zes_ras_error_category_exp_t category) {
  const auto number = static_cast<std::size_t>(category);
  constexpr std::size_t Others = ZES_RAS_ERROR_CAT_NON_COMPUTE_ERRORS;
  return number < ZES_MAX_RAS_ERROR_CATEGORY_COUNT ? number : Others;
}

std::uint64_t sum(const std::map<zes_ras_error_category_exp_t, std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                         [](std::uint64_t total, const auto& one) { return total + one.second; });
}

} // namespace

RasSet::RasSet(const ze_handle_t& prefix, RasSource source) : Part(prefix, std::move(source)) {
  for (const RasCounter& counter : source_.counters)
    if (std::find(categories_.begin(), categories_.end(), counter.category) == categories_.end())
      categories_.push_back(counter.category);
  try {
    seen_ = counts();
  } catch (const Error&) { // the first event is decided against nothing
  }
}

std::uint64_t RasSet::count_of(Category category) const {
  std::uint64_t total = 0;
  for (const RasCounter& counter : source_.counters)
    if (counter.category == category) total += counter.count();
  return total;
}

std::map<RasSet::Category, std::uint64_t> RasSet::counts() const {
  std::map<Category, std::uint64_t> now;
  for (Category category : categories_) now[category] = count_of(category);
  return now;
}

void RasSet::must_have(Category category) const {
  if (std::find(categories_.begin(), categories_.end(), category) == categories_.end())
    throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "errors of category {} are not counted here",
                static_cast<int>(category));
}

ze_result_t RasSet::get_properties(zes_ras_properties_t* properties) {
  properties->type = source_.type;
  properties->onSubdevice = false;
  properties->subdeviceId = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t RasSet::get_state(ze_bool_t clear, zes_ras_state_t* state) {
  std::array<std::uint64_t, ZES_MAX_RAS_ERROR_CATEGORY_COUNT> totals{};
  for (const auto& [category, count] : counts()) totals[base_category(category)] += count;
  if (clear) clear_counters(std::nullopt);
  std::copy(totals.begin(), totals.end(), state->category);
  return ZE_RESULT_SUCCESS;
}

ze_result_t RasSet::get_state_exp(uint32_t* count, zes_ras_state_exp_t* state) {
  hand_out(categories_.size(), count, state, [&](zes_ras_state_exp_t& item, uint32_t i) {
    item.category = categories_[i];
    item.errorCounter = count_of(categories_[i]);
  });
  return ZE_RESULT_SUCCESS;
}

// All of a category or none: a counter that cannot be cleared is found before the first one is.
void RasSet::clear_counters(std::optional<Category> only) {
  for (const RasCounter& counter : source_.counters)
    if ((!only || counter.category == *only) && !counter.clear)
      throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "the kernel does not clear the counter of category {}",
                  static_cast<int>(counter.category));
  for (const RasCounter& counter : source_.counters)
    if (!only || counter.category == *only) counter.clear();
}

ze_result_t RasSet::clear_state_exp(zes_ras_error_category_exp_t category) {
  must_have(category);
  clear_counters(category);
  return ZE_RESULT_SUCCESS;
}

ze_result_t RasSet::get_supported_categories_exp(uint32_t* count, zes_ras_error_category_exp_t* categories) {
  hand_out(categories_.size(), count, categories, [&](Category& item, uint32_t i) { item = categories_[i]; });
  return ZE_RESULT_SUCCESS;
}

ze_result_t RasSet::get_state_exp2(const uint32_t count, const zes_ras_error_category_exp_t* categories,
                                   zes_ras_state_exp2_t* state) {
  for (uint32_t i = 0; i < count; ++i) must_have(categories[i]);
  for (uint32_t i = 0; i < count; ++i) state[i].errorCounter = count_of(categories[i]);
  return ZE_RESULT_SUCCESS;
}

ze_result_t RasSet::get_config(zes_ras_config_t* config) {
  const std::lock_guard lock(mutex_);
  config->totalThreshold = total_threshold_;
  std::copy(base_thresholds_.begin(), base_thresholds_.end(), config->detailedThresholds.category);
  return ZE_RESULT_SUCCESS;
}

ze_result_t RasSet::set_config(const zes_ras_config_t* config) {
  const std::lock_guard lock(mutex_);
  total_threshold_ = config->totalThreshold;
  std::copy_n(config->detailedThresholds.category, base_thresholds_.size(), base_thresholds_.begin());
  return ZE_RESULT_SUCCESS;
}

ze_result_t RasSet::get_config_exp(const uint32_t count, zes_ras_config_exp_t* config) {
  for (uint32_t i = 0; i < count; ++i) must_have(config[i].category);
  const std::lock_guard lock(mutex_);
  for (uint32_t i = 0; i < count; ++i) config[i].threshold = thresholds_[config[i].category];
  return ZE_RESULT_SUCCESS;
}

ze_result_t RasSet::set_config_exp(const uint32_t count, const zes_ras_config_exp_t* config) {
  for (uint32_t i = 0; i < count; ++i) must_have(config[i].category);
  const std::lock_guard lock(mutex_);
  for (uint32_t i = 0; i < count; ++i) thresholds_[config[i].category] = config[i].threshold;
  return ZE_RESULT_SUCCESS;
}

bool RasSet::above_threshold(const std::map<Category, std::uint64_t>& now) const {
  if (total_threshold_ != 0 && sum(now) > total_threshold_) return true;
  std::array<std::uint64_t, ZES_MAX_RAS_ERROR_CATEGORY_COUNT> base{};
  for (const auto& [category, count] : now) {
    const auto own = thresholds_.find(category);
    if (own != thresholds_.end() && own->second != 0 && count > own->second) return true;
    base[base_category(category)] += count;
  }
  for (std::size_t i = 0; i < base.size(); ++i)
    if (base_thresholds_[i] != 0 && base[i] > base_thresholds_[i]) return true;
  return false;
}

// A set above its threshold raises its event once for each growth, not for ever.
zes_event_type_flags_t RasSet::happened(zes_event_type_flags_t wanted) noexcept try {
  const zes_event_type_flags_t mine = source_.type == ZES_RAS_ERROR_TYPE_CORRECTABLE
                                          ? ZES_EVENT_TYPE_FLAG_RAS_CORRECTABLE_ERRORS
                                          : ZES_EVENT_TYPE_FLAG_RAS_UNCORRECTABLE_ERRORS;
  if (!(wanted & mine)) return 0;
  const auto now = counts();
  const std::lock_guard lock(mutex_);
  const bool grown = sum(now) > sum(seen_);
  seen_ = now;
  return grown && above_threshold(now) ? mine : 0;
} catch (...) {
  return 0;
}

} // namespace zeroth::sysman
