// How an API function that nothing implements answers. Used by the default tables and by the default methods of the
// device classes. Threading: any thread; one relaxed flag per function.
#pragma once

#include <cstdint>
#include <level_zero/ze_api.h>

namespace zeroth {

/// Called once per function and shared object, the first time the function is refused. Defined by the core for the
/// loader library, by the device glue for plugins.
void note_unsupported(const char* function) noexcept;

/// Notes the function of this slot (its number in zeroth/api/slots.inc) and returns its unsupported code.
ze_result_t refuse(uint32_t slot) noexcept;

} // namespace zeroth
