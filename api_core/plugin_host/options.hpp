// Are a plugin's configured options ones that it knows? Against the list in its descriptor.
#pragma once

#include <string>
#include <vector>

#include "config/tree.hpp"
#include "plugin_host/report.hpp"
#include "sdk/zeroth_plugin.h"

namespace zeroth {

// The plugin's own list.
std::vector<PluginOption> options_of(const zeroth_plugin& plugin);

// One line per unknown key or value of the wrong type, with place and nearest valid key. Empty when the plugin gives no
// list.
std::vector<std::string> check_options(const Tree& options, const zeroth_plugin& plugin);

} // namespace zeroth
