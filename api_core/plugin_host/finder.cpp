#include "plugin_host/finder.hpp"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include <sdk/file_of_code.hpp>

namespace zeroth {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "zeroth_";
constexpr std::string_view suffix = ".so";

// The shared object that holds this code; empty when it is part of the program itself.
fs::path own_shared_object() {
  std::error_code error;
  const fs::path file = fs::canonical(file_of_code(reinterpret_cast<const void*>(&own_plugin_folder)), error);
  return file == fs::read_symlink("/proc/self/exe", error) ? fs::path() : file;
}

} // namespace

std::string own_plugin_folder() {
  if (const fs::path object = own_shared_object(); !object.empty()) return object.parent_path() / "zeroth";
  std::error_code ignored;
  const fs::path root = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  const fs::path installed = root / ZEROTH_LIBRARY_FOLDER / "zeroth";
  return fs::is_directory(installed, ignored) ? installed : root / "lib" / "zeroth";
}

FoundPlugin find_plugin(const std::string& name, const std::vector<std::string>& folders) {
  FoundPlugin found;
  const auto exists = [&](const std::string& path) {
    found.searched.push_back(path);
    if (::access(path.c_str(), F_OK) != 0) return false;
    found.path = path;
    return true;
  };
  if (name.find('/') != std::string::npos) {
    exists(name);
    return found;
  }
  for (const std::string& folder : folders)
    if (exists(folder + "/" + std::string(prefix) + name + std::string(suffix))) break;
  return found;
}

std::vector<std::string> available_plugins(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      std::string file = entry.path().filename();
      if (!file.starts_with(prefix) || !file.ends_with(suffix)) continue;
      file = file.substr(prefix.size(), file.size() - prefix.size() - suffix.size());
      if (std::find(names.begin(), names.end(), file) == names.end()) names.push_back(file);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace zeroth
