// Sysman's functions before sysman was initialised.
#pragma once

#include <registry/table_set.hpp>

namespace zeroth::registry {

// Every sysman function of the layer answers ZE_RESULT_ERROR_UNINITIALIZED.
void close_sysman(TableSet& layer);

} // namespace zeroth::registry
