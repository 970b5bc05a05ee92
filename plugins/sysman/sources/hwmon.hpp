// The kernel's common form of sensors: /sys/class/hwmon/hwmonN with temp1_input, fan1_input, pwm1, power1_input, …
#pragma once

#include "sources.hpp"

#include <string>
#include <vector>

namespace zeroth::sysman {

// A hwmon folder and what its driver calls itself ("coretemp", "amdgpu").
struct Hwmon {
  std::string folder, name;

  // Numbers N for which PREFIXN_SUFFIX exists: sensors("temp", "_input").
  std::vector<int> sensors(const Root& root, std::string_view prefix, std::string_view suffix) const;
  std::string file(std::string_view prefix, int number, std::string_view suffix) const;
};

// Those in a folder such as /sys/class/hwmon or /sys/bus/pci/devices/0000:03:00.0/hwmon.
std::vector<Hwmon> hwmons(const Root& root, std::string_view folder);

TemperatureSource hwmon_temperature(const Root& root, const Hwmon& hwmon, int number, zes_temp_sensors_t type);
FanSource hwmon_fan(const Root& root, const Hwmon& hwmon, int number);

} // namespace zeroth::sysman
