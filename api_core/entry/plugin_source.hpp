// Where the session gets its drivers from: the plugin host, as configuration and environment say.
#pragma once

#include <registry/plugin_source.hpp>

namespace zeroth::entry {

// In a forked child the parent's instances are of no use: their threads are gone.
registry::Found find_plugins(bool forked);

} // namespace zeroth::entry
