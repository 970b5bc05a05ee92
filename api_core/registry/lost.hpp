// Tables for the handles of a parent process: whatever is called on them answers ZE_RESULT_ERROR_DEVICE_LOST.
#pragma once

#include <registry/table_set.hpp>

namespace zeroth::registry {

// Built on the first call, which may throw std::bad_alloc; lives as long as the process. Call it before a fork.
const ze_handle_t& lost_tables();

// True when the containers of this object lead to the tables above.
bool is_lost(const ze_handle_t& object);

} // namespace zeroth::registry
