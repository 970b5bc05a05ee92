// What sysman tells about devices, as JSON and as flat samples. A value that cannot be read is left out, and the reason
// (file and missing right, in the driver's words) goes to "unreadable". One thread; asks nothing but the public API.
#pragma once

#include "cli/console.hpp"

#include <level_zero/zes_api.h>

#include <string>
#include <vector>

namespace zeroth::cli {

struct SysmanDriver {
  zes_driver_handle_t handle;
  std::vector<zes_device_handle_t> devices;
};

// zesInit, then all drivers with their devices. An empty list when there is nothing.
std::vector<SysmanDriver> enumerate_sysman();

// Everything about one device.
Json sysman_report(zes_driver_handle_t driver, zes_device_handle_t device);

} // namespace zeroth::cli
