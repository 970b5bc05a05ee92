// Does a loaded driver have devices? Asks it as a program would, which may take as long as its discovery does: for
// reports, not for init.
#pragma once

#include <cstdint>
#include <string>

#include "plugin_host/host.hpp"

namespace zeroth {

struct DeviceCount {
  std::uint32_t drivers = 0;
  std::uint32_t devices = 0;
  std::string problem; // why there are none
};

DeviceCount count_devices(const LoadedPlugin& plugin);

// Fails every driver that has no device.
void check_devices(PluginHost& host);

} // namespace zeroth
