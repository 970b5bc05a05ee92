// What the registry needs to know of each driver that it shall offer. The plugin host provides it; tests provide fakes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <sdk/zeroth_plugin.h>

namespace zeroth::registry {

// A capability interface by name, at least of that version; null when there is none.
using FindInterface = std::function<const void*(const char* name, std::uint32_t version)>;

// What the configuration lets a driver say about itself and its devices.
struct Presented {
  enum class Type { Auto, True, Gpu };
  Type type = Type::Auto;
  std::string device_name;          // empty: the device's own
  std::uint32_t driver_version = 0; // 0: the driver's own
};

// A loaded overlay plugin; it lives as long as the process.
struct FoundOverlay {
  std::uint32_t number = 0; // zeroth_host::overlay_number
  // False when it refused the driver, and has said so in the log.
  std::function<bool(const zeroth_overlay_target&)> apply;
  FindInterface find_interface;
  bool for_sysman = false; // applied when sysman starts, outside of the others
};

// A loaded device plugin or foreign driver library. It is never unloaded.
struct FoundDriver {
  std::string name;
  bool foreign = false;
  std::function<void*(const char*)> symbol; // address of an exported function, or null
  FindInterface find_interface;             // may be empty
  Presented presented;
  std::vector<FoundOverlay> overlays;                    // innermost first
  std::function<void(const std::string& reason)> failed; // told why it cannot serve; may be empty
};

struct Found {
  std::vector<FoundDriver> drivers;  // in the order of the configuration
  bool no_driver_is_success = false; // what the first init call answers when there is none
};

// Finds and loads; called under the session's lock, again in a forked child. May throw zeroth::Error.
using PluginSource = std::function<Found(bool forked)>;

} // namespace zeroth::registry
