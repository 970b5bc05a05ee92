// A configuration in words and as JSON, for `zeroth config show` and `zeroth doctor`.
#pragma once

#include "cli/console.hpp"

#include "config/config.hpp"

namespace zeroth::cli {

Json config_report(const Config& config);
// Where it comes from, its problems, and one line for each setting with its origin.
void print_config(const Console& console, const Config& config);

} // namespace zeroth::cli
