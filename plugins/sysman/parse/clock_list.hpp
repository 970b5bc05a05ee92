// AMD's lists of clocks (pp_dpm_sclk): "0: 500Mhz", "1: 2525Mhz *"; the star marks the present one.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace zeroth::sysman::parse {

struct ClockList {
  std::vector<double> clocks; // MHz
  std::optional<double> present;
};
ClockList clock_list(std::string_view text);

} // namespace zeroth::sysman::parse
