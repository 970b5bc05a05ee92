// What a plugin host has loaded, as the registry wants it. For the loader library, and for `zeroth doctor`, which goes
// the same way to see what programs would.
#pragma once

#include <plugin_host/host.hpp>
#include <registry/plugin_source.hpp>

namespace zeroth::entry {

// The host must outlive the session that uses this; overlays that refuse a driver are told to it.
registry::Found found_in(PluginHost& host);

} // namespace zeroth::entry
