// The last-error text: zeDriverGetLastErrorDescription tells what this overlay has to say of the calling thread's last
// failure, when that is newer than the driver's own text.
#pragma once

#include <level_zero/zes_api.h>
#include <sdk/zeroth_plugin.h>

namespace zeroth::sysman {

class Site;

// Hands a result of ours through. A failure makes our text the one to show; `site` may be null.
ze_result_t noted(Site* site, ze_result_t result) noexcept;

// Puts our function into the driver's slot.
void show_own_errors(const zeroth_overlay_target& target);

} // namespace zeroth::sysman
