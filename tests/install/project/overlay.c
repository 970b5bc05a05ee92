/* The smallest overlay: it looks at a driver's tables and leaves them as they are. */
#include <zeroth_plugin.h>

static ze_result_t apply(const zeroth_host* host, const zeroth_overlay_target* target) {
  (void)host;
  return target->above ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_NULL_POINTER;
}

ZEROTH_PLUGIN_EXPORT const zeroth_plugin zeroth_plugin_descriptor = {
    .abi_version = ZEROTH_PLUGIN_ABI_VERSION,
    .struct_size = sizeof(zeroth_plugin),
    .kind = ZEROTH_PLUGIN_OVERLAY,
    .api_version = ZE_API_VERSION_CURRENT,
    .name = "outside_overlay",
    .version = "1.0",
    .apply = apply,
};
