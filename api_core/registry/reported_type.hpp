// The type that a device reports, where the configuration lets it differ from the true one (config: report_as).
// The driver's properties functions are replaced by ones that call the true function and then put the reported type.
#pragma once

#include <registry/table_set.hpp>

namespace zeroth::registry {

// The functions that tell the truth; null until replaced.
struct TrueTypes {
  ze_pfnDeviceGetProperties_t core = nullptr;
  zes_pfnDeviceGetProperties_t sysman = nullptr;
};

// Replaces them in `layer` and returns what was there.
TrueTypes replace_properties(TableSet& layer);

} // namespace zeroth::registry
