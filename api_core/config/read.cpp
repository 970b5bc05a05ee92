#include "config/read.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fnmatch.h>

#include "config/nearest.hpp"

namespace zeroth {
namespace {

void convert(const Tree& tree, std::string& value) { value = tree.text; }
void convert(const Tree& tree, bool& value) { value = tree.text[0] == 't' || tree.text[0] == 'T'; }
void convert(const Tree& tree, Level& value) { value = level_from_name(tree.text).value_or(Level::Warning); }
void convert(const Tree& tree, std::uint32_t& value) { parse_driver_version(tree.text, value); }
void convert(const Tree& tree, ReportAs& value) {
  value = tree.text == "cpu" ? ReportAs::Cpu : tree.text == "gpu" ? ReportAs::Gpu : ReportAs::Auto;
}
void convert(const Tree& tree, ZeroDrivers& value) {
  value = tree.text == "success" ? ZeroDrivers::Success : ZeroDrivers::Error;
}
void convert(const Tree& tree, std::vector<std::string>& value) {
  value.clear();
  if (tree.type != Type::List) value.push_back(tree.text);
  for (const Tree& item : tree.items) value.push_back(item.text);
}

template <class T> bool take(const Tree& map, std::string_view key, Setting<T>& setting) {
  const Tree* tree = map.find(key);
  if (!tree) return false;
  convert(*tree, setting.value);
  setting.origin = tree->origin;
  return true;
}

void take_map(const Tree& map, std::string_view key, Tree& tree) {
  if (const Tree* found = map.find(key)) tree = *found;
}

bool is_set(const Origin& origin) { return origin.source != nullptr; }

std::string absolute(const std::string& path, const std::string& folder) {
  return path.empty() || path[0] == '/' || folder.empty() ? path : folder + "/" + path;
}

void read_common(PluginConfig& plugin, const Tree& tree, const std::string& folder) {
  plugin.origin = tree.origin;
  for (Setting<bool>* flag : {&plugin.enabled, &plugin.optional}) flag->origin = tree.origin;
  if (tree.type == Type::String) {
    plugin.plugin = {tree.text, tree.origin};
  } else {
    take(tree, "name", plugin.name);
    take(tree, "plugin", plugin.plugin);
    take(tree, "enabled", plugin.enabled);
    take(tree, "optional", plugin.optional);
    take_map(tree, "options", plugin.options);
  }
  std::string& file = plugin.plugin.value;
  if (file.find('/') != std::string::npos) file = absolute(file, folder);
}

DriverConfig read_driver(const Tree& tree, const std::string& folder) {
  DriverConfig driver;
  read_common(driver, tree, folder);
  driver.device_mask.origin = driver.identity.name.origin = driver.identity.driver_version.origin = tree.origin;
  take(tree, "library", driver.library);
  std::string& library = driver.library.value;
  if (library.find('/') != std::string::npos) library = absolute(library, folder);
  take(tree, "report_as", driver.report_as);
  take(tree, "device_mask", driver.device_mask);
  take(tree, "overlays", driver.overlays);
  take_map(tree, "devices", driver.devices);
  if (const Tree* identity = tree.find("identity")) {
    take(*identity, "name", driver.identity.name);
    take(*identity, "driver_version", driver.identity.driver_version);
  }
  return driver;
}

OverlayConfig read_overlay(const Tree& tree, const std::string& folder) {
  OverlayConfig overlay;
  read_common(overlay, tree, folder);
  return overlay;
}

// The keys that the top and a profile share.
void read_shared(Config& config, const Tree& map, const std::string& folder) {
  take(map, "zero_drivers", config.zero_drivers);
  take(map, "report_as", config.report_as);
  if (take(map, "plugin_path", config.plugin_path))
    for (std::string& path : config.plugin_path.value) path = absolute(path, folder);
  if (const Tree* log = map.find("log")) {
    take(*log, "level", config.log.level);
    if (take(*log, "file", config.log.file)) config.log.file.value = absolute(config.log.file.value, folder);
  }
  if (const Tree* drivers = map.find("drivers")) {
    config.drivers.clear();
    for (const Tree& item : drivers->items) config.drivers.push_back(read_driver(item, folder));
  }
  if (const Tree* overlays = map.find("overlays")) {
    config.overlays.clear();
    for (const Tree& item : overlays->items) config.overlays.push_back(read_overlay(item, folder));
  }
}

bool profile_matches(const Tree& profile, const std::vector<std::string>& program) {
  Setting<std::vector<std::string>> patterns;
  take(profile, "program", patterns);
  for (const std::string& pattern : patterns.value)
    for (const std::string& name : program)
      if (!name.empty() && ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return true;
  return false;
}

void apply_profile(Config& config, const Tree& profile, const std::string& folder) {
  read_shared(config, profile, folder);
  config.profiles.push_back(profile.origin);
  if (profile.find("report_as"))
    for (DriverConfig& driver : config.drivers) driver.report_as = config.report_as;
}

// The file's name without folder, "lib" and everything from ".so" on: /opt/libze_x.so.1 → ze_x.
std::string stem(std::string_view file) {
  if (const auto slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  if (file.starts_with("lib")) file.remove_prefix(3);
  if (file.starts_with("zeroth_")) file.remove_prefix(7);
  return std::string(file.substr(0, file.find(".so")));
}

// Entries that a user did not name get their file's name, with a number where that is taken.
template <class List> void resolve_names(List& list, const char* kind, const Problems& problem) {
  std::set<std::string> taken;
  for (auto& entry : list)
    if (is_set(entry.name.origin) && !taken.insert(entry.name.value).second)
      problem(entry.name.origin, fmt::format("two {} are called `{}`", kind, entry.name.value));
  for (auto& entry : list) {
    if (is_set(entry.name.origin)) continue;
    std::string file = entry.plugin.value;
    if constexpr (requires { entry.library; })
      if (file.empty()) file = entry.library.value;
    const std::string base = stem(file);
    std::string name = base;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}-{}", base, i);
    entry.name = {name, entry.origin};
  }
}

// One that is to work twice says so by two names, or by other options.
void check_listed_once(const std::vector<OverlayConfig>& overlays, const Problems& problem) {
  std::set<std::string> seen;
  for (const OverlayConfig& overlay : overlays)
    if (!is_set(overlay.name.origin) && !seen.insert(overlay.plugin.value + overlay.options.to_json()).second)
      problem(overlay.origin, fmt::format("overlay `{}` is listed twice", overlay.plugin.value));
}

void resolve_overlays(Config& config, const Problems& problem) {
  std::vector<std::string> enabled;
  std::vector<std::string_view> known;
  for (const OverlayConfig& overlay : config.overlays) {
    known.push_back(overlay.name.value);
    if (overlay.enabled) enabled.push_back(overlay.name);
  }
  for (DriverConfig& driver : config.drivers) {
    if (!is_set(driver.overlays.origin)) {
      driver.overlays = {enabled, driver.origin};
      continue;
    }
    for (const std::string& name : driver.overlays.value)
      if (std::find(known.begin(), known.end(), name) == known.end())
        problem(driver.overlays.origin, fmt::format("driver `{}` names the unknown overlay `{}`{}", driver.name.value,
                                                    name, suggestion(name, known)));
    std::erase_if(driver.overlays.value, [&](const std::string& name) {
      return std::find(enabled.begin(), enabled.end(), name) == enabled.end();
    });
  }
}

void check_entries(const Tree* list, bool library_allowed, const Problems& problem) {
  if (!list) return;
  for (const Tree& item : list->items) {
    if (item.type == Type::String && item.text.empty()) problem(item.origin, "a plugin's name is empty");
    if (item.type != Type::Map) continue;
    const int named = (item.find("plugin") != nullptr) + (item.find("library") != nullptr);
    if (!library_allowed && !item.find("plugin"))
      problem(item.origin, "an overlay needs `plugin`");
    else if (library_allowed && named != 1)
      problem(item.origin, "a driver needs one of `plugin` and `library`");
  }
}

} // namespace

void check_required(const Tree& root, const Problems& problem) {
  check_entries(root.find("drivers"), true, problem);
  check_entries(root.find("overlays"), false, problem);
  const Tree* profiles = root.find("profiles");
  for (const Tree& profile : profiles ? profiles->items : std::vector<Tree>()) {
    if (!profile.find("program")) problem(profile.origin, "a profile needs `program`");
    check_entries(profile.find("drivers"), true, problem);
    check_entries(profile.find("overlays"), false, problem);
  }
}

void apply_tree(Config& config, const Tree& root, const std::string& folder, const std::vector<std::string>& program) {
  take(root, "strict", config.strict);
  read_shared(config, root, folder);
  const Tree* profiles = root.find("profiles");
  if (!profiles) return;
  for (const Tree& profile : profiles->items)
    if (profile_matches(profile, program)) apply_profile(config, profile, folder);
}

void resolve(Config& config, const Problems& problem) {
  check_listed_once(config.overlays, problem);
  resolve_names(config.drivers, "drivers", problem);
  resolve_names(config.overlays, "overlays", problem);
  for (DriverConfig& driver : config.drivers)
    if (!is_set(driver.report_as.origin)) driver.report_as = config.report_as;
  resolve_overlays(config, problem);
}

} // namespace zeroth
