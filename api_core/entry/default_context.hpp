// The context that zerGetDefaultContext hands out: the default context of the first driver that the program asked for.
#pragma once

#include <level_zero/ze_api.h>

namespace zeroth::entry {

// The driver's own answer is the same each time. Throws Error when there is no driver or it has no default context.
ze_context_handle_t default_context();

} // namespace zeroth::entry
