// The four container pointers in front of every object, and the table pointers inside the containers. Other threads may
// read both meanwhile, so every store is atomic.
#pragma once

#include <registry/table_set.hpp>

namespace zeroth::registry {

// How many container pointers an object starts with. Drivers whose DDI handles are of version 1.0 know no runtime
// tables: what follows their third pointer is their own.
enum class PrefixSize { None, Three, Four };

// Points the object at these containers. Does not write what is there already.
void set_prefix(ze_handle_t& object, const ze_handle_t& containers, PrefixSize size);

// Points the table pointers inside the containers of `object` at the tables of `tables`.
void redirect_tables(const ze_handle_t& object, const ze_handle_t& tables);

// True when all four containers are there and are laid out as our version says.
bool has_our_layout(const ze_handle_t& object);

// What a foreign driver says about its objects: it must list ZE_extension_driver_ddi_handles and set the flag in its
// properties. In doubt None, which is always safe.
PrefixSize prefix_of_foreign(const ze_handle_t& own, ze_driver_handle_t driver);

} // namespace zeroth::registry
