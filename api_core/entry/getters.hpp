// The loader's own table getters: how upstream's static loader, which SYCL's adapters carry, takes the exported
// functions.
#pragma once

#include <cstdint>

#include <level_zero/ze_api.h>

namespace zeroth::entry {

// Writes the exported entry points into the first entries of `table`: those that the version asked for has, no byte
// more. `index` is the table's place in all_tables. Needs no init. INVALID_NULL_POINTER when table is null.
ze_result_t fill_exported(std::uint32_t index, ze_api_version_t version, void* table) noexcept;

} // namespace zeroth::entry
