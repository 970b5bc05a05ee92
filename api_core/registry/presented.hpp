// What a driver and its devices say about themselves where the configuration lets it differ from the truth: the device
// type (report_as), the device name and the driver version (identity). The driver's properties functions are replaced
// by ones that ask the true function and then put what the configuration says.
#pragma once

#include <registry/table_set.hpp>

namespace zeroth::registry {

// The functions that tell the truth; null until replaced.
struct TrueProperties {
  ze_pfnDriverGetProperties_t driver = nullptr;
  ze_pfnDeviceGetProperties_t device = nullptr;
  zes_pfnDeviceGetProperties_t sysman_device = nullptr;
};

// Replaces them in `layer` and returns what was there.
TrueProperties replace_properties(TableSet& layer);

} // namespace zeroth::registry
