// What drivers and devices say of themselves, as one JSON document (the same one that `info --json` prints).
#pragma once

#include "cli/bytes_text.hpp"
#include "cli/console.hpp"
#include "cli/level_zero.hpp"

namespace zeroth::cli {

// The facts a person looks for first, and everything. A query that a driver does not answer leaves its part out.
Json device_summary(ze_device_handle_t device);
Json device_report(ze_device_handle_t device);
// Versions, identity and extensions, without devices.
Json driver_report(ze_driver_handle_t driver);

} // namespace zeroth::cli
