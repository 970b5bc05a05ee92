// What an exported function answers when its object is null. Called by the generated entry points, off the fast path.
#pragma once

#include <level_zero/ze_api.h>
#include <zeroth/api/table_info.hpp>

namespace zeroth::entry {

// UNINITIALIZED comes before every other fault: until the family was initialised, else INVALID_NULL_HANDLE.
[[gnu::cold, gnu::noinline]] ze_result_t null_handle(Family family) noexcept;

} // namespace zeroth::entry
