// Where plugins are looked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zeroth {

// The plugin folder that belongs to the installed library this code is part of: `lib/zeroth` beside the shared object,
// or
// `../lib/zeroth` from a program's folder when this code is linked into one. Relocatable: nothing is compiled in.
std::string own_plugin_folder();

struct FoundPlugin {
  std::string path;                  // empty: not found
  std::vector<std::string> searched; // paths that were tried
};

// The file of a plugin: `name` with a slash is a path, otherwise zeroth_<name>.so in the first folder that has it.
FoundPlugin find_plugin(const std::string& name, const std::vector<std::string>& folders);

// Names of all plugins in the folders, in order, each once.
std::vector<std::string> available_plugins(const std::vector<std::string>& folders);

} // namespace zeroth
