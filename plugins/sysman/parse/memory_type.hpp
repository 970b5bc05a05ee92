// Names of kinds of memory, as EDAC and firmware write them.
#pragma once

#include <level_zero/zes_api.h>

#include <optional>
#include <string_view>

namespace zeroth::sysman::parse {

// "Registered-DDR4", "Unbuffered-DDR5", "LPDDR4", "HBM2"; absent for others.
std::optional<zes_mem_type_t> memory_type(std::string_view text);

} // namespace zeroth::sysman::parse
