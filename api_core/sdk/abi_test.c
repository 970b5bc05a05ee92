/* The ABI headers are C: this file is compiled as C99 with every warning, and pins what may never change. */
#include "zeroth_command.h"
#include "zeroth_plugin.h"

#define PIN(name, condition) typedef char pin_##name[(condition) ? 1 : -1]

PIN(abi_version, offsetof(zeroth_plugin, abi_version) == 0);
PIN(struct_size, offsetof(zeroth_plugin, struct_size) == 4);
PIN(kind, offsetof(zeroth_plugin, kind) == 8);
PIN(api_version, offsetof(zeroth_plugin, api_version) == 12);
#if UINTPTR_MAX > 0xffffffffu
PIN(plugin, sizeof(zeroth_plugin) == 96);
PIN(host, sizeof(zeroth_host) == 88);
PIN(watch_log, offsetof(zeroth_host, watch_log) == 80); /* where the first hosts ended */
PIN(target, sizeof(zeroth_overlay_target) == 48);
PIN(command, sizeof(zeroth_command) == 40);
PIN(kernel, sizeof(zeroth_recorded_kernel) == 48);
#endif

int zeroth_abi_headers_compile_as_c(void);
int zeroth_abi_headers_compile_as_c(void) { return (int)ZEROTH_PLUGIN_ABI_VERSION; }
