// Asks a driver, through its own tables, which driver handles it has for which types of device.
#pragma once

#include <vector>

#include <registry/driver_types.hpp>
#include <registry/table_set.hpp>

namespace zeroth::registry {

struct TypedDriver {
  ze_driver_handle_t handle;
  Types types;
};

// Initialises the driver (zeInitDrivers, else zeInit + zeDriverGet). Empty when it has nothing to offer.
std::vector<TypedDriver> ask_drivers(const ze_handle_t& own);

// Initialises its sysman part; empty when it has none.
std::vector<zes_driver_handle_t> ask_sysman_drivers(const ze_handle_t& own);

} // namespace zeroth::registry
