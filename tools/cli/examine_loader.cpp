#include "cli/findings.hpp"

#include "plugin_host/finder.hpp"
#include "sdk/file_of_code.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <level_zero/loader/ze_loader.h>

#include <cstdlib>

namespace zeroth::cli {
namespace {

namespace fs = std::filesystem;

// Of whatever loader is in use, an old one too: the functions are asked by name.
std::string version_in_use() {
  const auto ask = reinterpret_cast<decltype(&zelLoaderGetVersions)>(dlsym(RTLD_DEFAULT, "zelLoaderGetVersions"));
  size_t count = 0;
  if (!ask || ask(&count, nullptr) != ZE_RESULT_SUCCESS) return "";
  std::vector<zel_component_version_t> components(count);
  if (ask(&count, components.data()) != ZE_RESULT_SUCCESS) return "";
  for (const zel_component_version_t& component : components)
    if (std::string_view(component.component_name) == "loader")
      return fmt::format("{}.{}.{}", component.component_lib_version.major, component.component_lib_version.minor,
                         component.component_lib_version.patch);
  return "";
}

fs::path canonical(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::canonical(path, error);
  return error ? path : found;
}

// The file's own name tells the version of those that do not.
std::string in_use(const std::string& file) {
  const std::string version = version_in_use();
  return canonical(file).string() + (version.empty() ? "" : " " + version);
}

} // namespace

Findings examine_loader() {
  const void* init = dlsym(RTLD_DEFAULT, "zeInit");
  const std::string file = init ? file_of_code(init) : "";
  if (file.empty()) return {};
  Finding finding{Finding::Level::Good, "loader", "", in_use(file), ""};
  const fs::path ours = canonical(own_plugin_folder()).parent_path();
  if (canonical(file).parent_path() == ours) return {finding};
  const char* drivers = std::getenv("ZE_ENABLE_ALT_DRIVERS"); // the way to use our devices with it
  finding.level = drivers && *drivers ? Finding::Level::Note : Finding::Level::Problem;
  finding.text += " is in use, not Zeroth's";
  finding.advice = fmt::format("LD_LIBRARY_PATH={}", ours.string());
  return {finding};
}

} // namespace zeroth::cli
