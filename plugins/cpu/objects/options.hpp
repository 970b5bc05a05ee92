// What the configuration says about the device, read and judged: a value that means nothing is told in the log with its
// name and taken as if it were not set. Threads: called once, by the plugin's init.
#pragma once
#include "driver.hpp"

struct zeroth_host;

namespace zeroth::cpu {

DriverOptions read_options(const zeroth_host& host);

} // namespace zeroth::cpu
