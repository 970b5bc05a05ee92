#include "clock_list.hpp"

#include "numbers.hpp"

#include <algorithm>

namespace zeroth::sysman::parse {

ClockList clock_list(std::string_view text) {
  ClockList list;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto clock = decimal(line.substr(colon + 1));
    if (!clock || *clock < 0) continue;
    list.clocks.push_back(*clock);
    if (line.find('*') != std::string_view::npos) list.present = clock;
  }
  std::sort(list.clocks.begin(), list.clocks.end());
  return list;
}

} // namespace zeroth::sysman::parse
