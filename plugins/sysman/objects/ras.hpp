// A set of error counters, correctable or not, with thresholds that belong to this process.
#pragma once

#include "part.hpp"

#include <zeroth/device/sysman/ras.hpp>

#include <array>
#include <map>
#include <mutex>

namespace zeroth::sysman {

class RasSet final : public Part<device::sysman::Ras, RasSource>, public Watched {
public:
  RasSet(const ze_handle_t& prefix, RasSource source);

  ze_result_t get_properties(zes_ras_properties_t* properties) override;
  ze_result_t get_config(zes_ras_config_t* config) override;
  ze_result_t set_config(const zes_ras_config_t* config) override;
  ze_result_t get_state(ze_bool_t clear, zes_ras_state_t* state) override;
  ze_result_t get_state_exp(uint32_t* count, zes_ras_state_exp_t* state) override;
  ze_result_t clear_state_exp(zes_ras_error_category_exp_t category) override;
  ze_result_t get_supported_categories_exp(uint32_t* count, zes_ras_error_category_exp_t* categories) override;
  ze_result_t get_state_exp2(const uint32_t count, const zes_ras_error_category_exp_t* categories,
                             zes_ras_state_exp2_t* state) override;
  ze_result_t get_config_exp(const uint32_t count, zes_ras_config_exp_t* config) override;
  ze_result_t set_config_exp(const uint32_t count, const zes_ras_config_exp_t* config) override;

  zes_event_type_flags_t happened(zes_event_type_flags_t wanted) noexcept override;

private:
  using Category = zes_ras_error_category_exp_t;
  std::uint64_t count_of(Category category) const;
  std::map<Category, std::uint64_t> counts() const;
  bool above_threshold(const std::map<Category, std::uint64_t>& now) const;
  void must_have(Category category) const;
  void clear_counters(std::optional<Category> only);

  std::vector<Category> categories_;
  std::mutex mutex_;                  // guards what follows
  std::uint64_t total_threshold_ = 0; // 0: none
  std::array<std::uint64_t, ZES_MAX_RAS_ERROR_CATEGORY_COUNT> base_thresholds_{};
  std::map<Category, std::uint64_t> thresholds_;
  std::map<Category, std::uint64_t> seen_;
};

} // namespace zeroth::sysman
