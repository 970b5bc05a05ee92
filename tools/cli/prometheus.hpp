// Reports of `zeroth sysman` in Prometheus' text format.
#pragma once

#include "cli/console.hpp"

#include <string>
#include <vector>

namespace zeroth::cli {

// One line for each value, with # HELP and # TYPE before the first of each name. Values that were not told are not
// there.
std::string prometheus_text(const std::vector<Json>& devices);

} // namespace zeroth::cli
