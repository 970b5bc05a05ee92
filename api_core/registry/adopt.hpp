// Adoption: objects that a driver made with a prefix of its own get the core's containers, when a function hands them
// out.
#pragma once

#include <registry/table_set.hpp>

namespace zeroth::registry {

// Puts functions that adopt what they hand out in place of the driver's own, where it has them.
void adopt_in(TableSet& layer);

} // namespace zeroth::registry
