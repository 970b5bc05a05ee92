// Where the session gets its drivers from: the plugin host, as configuration and environment say.
#pragma once

#include <registry/plugin_source.hpp>

namespace zeroth::entry {

registry::Found find_plugins();

} // namespace zeroth::entry
