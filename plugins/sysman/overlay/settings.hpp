// The options of this plugin (`options` of its entry in the configuration).
#pragma once

#include "../files/root.hpp"

#include <chrono>
#include <string>

struct zeroth_host;

namespace zeroth::sysman {

// Which functions of a driver are replaced: those that it does not serve, none, or all.
enum class Fill { Missing, None, All };

struct Settings {
  Root root;
  Fill fill = Fill::Missing;
  std::string nvml = "libnvidia-ml.so.1";  // empty: NVIDIA's library is not opened
  std::chrono::milliseconds interval{100}; // between two looks at readings, while somebody listens for events
  std::string extra_log;                   // a file or pipe whose lines become info-log records
};

// Throws Error for a wrong value.
Settings read_settings(const zeroth_host* host);

// Those of the process: set once by the plugin's init, before any call.
const Settings& settings();
void use_settings(Settings settings);

} // namespace zeroth::sysman
