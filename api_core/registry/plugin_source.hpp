// What the registry needs to know of each driver that it shall offer. The plugin host provides it; tests provide fakes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sdk/zeroth_plugin.h>

namespace zeroth::registry {

// What a device that is no GPU says about its type (config: report_as).
enum class ReportAs { Auto, Cpu, Gpu };

// A loaded overlay plugin. Both pointers live as long as the process.
struct FoundOverlay {
  const zeroth_plugin* descriptor = nullptr;
  const zeroth_host* host = nullptr;
};

// A loaded device plugin or foreign driver library. It is never unloaded.
struct FoundDriver {
  std::string name;
  std::function<void*(const char*)> symbol;  // address of an exported function, or null
  const zeroth_plugin* descriptor = nullptr; // null: a foreign driver
  ReportAs report_as = ReportAs::Auto;
  std::vector<FoundOverlay> overlays; // innermost first
};

struct Found {
  std::vector<FoundDriver> drivers;  // in the order of the configuration
  bool no_driver_is_success = false; // what the first init call answers when there is none
};

// Finds and loads; called under the session's lock, again in a forked child. May throw zeroth::Error.
using PluginSource = std::function<Found()>;

} // namespace zeroth::registry
