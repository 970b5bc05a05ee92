// An overlay that counts launches. It runs over any driver; the count is logged when a context is destroyed, and
// printed when the option `print` asks for it.
#include <atomic>
#include <cstdio>

#include <options.hpp>
#include <overlay.hpp>
#include <plugin.hpp>

using namespace zeroth;

namespace {

std::atomic<unsigned long> launches{0};
bool print = false;

constexpr auto count = [](ze_command_list_handle_t, auto...) { launches.fetch_add(1, std::memory_order_relaxed); };

constexpr auto tell = [](ze_context_handle_t) {
  const unsigned long so_far = launches;
  log(Level::Info, "{} launches so far", so_far);
  if (print) std::printf("launches: %lu\n", so_far);
};

void start(const zeroth_host* host) {
  overlay::start(host);
  print = Options(host).boolean("print", false);
}

template <auto... Slots> void count_calls_of(const zeroth_overlay_target& target) {
  (overlay::before<&ze_dditable_driver_t::CommandList, Slots, count>(target), ...);
}

void apply(const zeroth_overlay_target& target) {
  using Lists = ze_command_list_dditable_t;
  count_calls_of<&Lists::pfnAppendLaunchKernel, &Lists::pfnAppendLaunchCooperativeKernel,
                 &Lists::pfnAppendLaunchKernelIndirect, &Lists::pfnAppendLaunchMultipleKernelsIndirect,
                 &Lists::pfnAppendLaunchKernelWithParameters, &Lists::pfnAppendLaunchKernelWithArguments>(target);
  overlay::before<&ze_dditable_driver_t::Context, &ze_context_dditable_t::pfnDestroy, tell>(target);
}

constexpr zeroth_option options[] = {{"print", "boolean", "false", "print the count as well"}};

} // namespace

ZEROTH_PLUGIN_EXPORT constinit const zeroth_plugin zeroth_plugin_descriptor =
    overlay_plugin({.name = "count",
                    .version = "1.0.0",
                    .description = "counts launches",
                    .options = options,
                    .init = starting<start>,
                    .apply = applying<apply>});
