// The four container pointers in front of every object, and the table pointers inside the containers. Other threads may
// read both meanwhile, so every store is atomic.
#pragma once

#include <registry/table_set.hpp>

namespace zeroth::registry {

// Points the object at these containers. Does not write when it points there already.
void set_prefix(ze_handle_t& object, const ze_handle_t& containers);

// Points the table pointers inside the containers of `object` at the tables of `tables`.
void redirect_tables(const ze_handle_t& object, const ze_handle_t& tables);

// True when all four containers are there and are laid out as our version says.
bool has_our_layout(const ze_handle_t& object);

// True when the driver says that its objects start with a prefix (ZE_extension_driver_ddi_handles).
bool has_ddi_handles(const ze_handle_t& own, ze_driver_handle_t driver);

} // namespace zeroth::registry
