#include "plugin_host/host.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "config/nearest.hpp"
#include "config/trust.hpp"
#include "plugin_host/elf_probe.hpp"
#include "plugin_host/finder.hpp"
#include "plugin_host/judge.hpp"
#include "plugin_host/options.hpp"
#include "sdk/log.hpp"

namespace zeroth {
namespace {

namespace fs = std::filesystem;

void set_failure(PluginReport& report, const Library::Failure& failure) {
  report.state = PluginState::Failed;
  report.fault = failure.fault;
  report.reason = failure.reason;
  report.advice = failure.advice;
}

// Those that could stand in the same place.
std::vector<std::string> fitting_plugins(const std::vector<std::string>& folders, Wanted wanted) {
  std::vector<std::string> all = available_plugins(folders);
  std::erase_if(all, [&](const std::string& name) {
    Library::Failure ignored;
    return !judge(probe_elf(find_plugin(name, folders).path), wanted, ignored);
  });
  return all;
}

std::string not_found_advice(const std::string& name, const std::vector<std::string>& folders, Wanted wanted) {
  if (name.find('/') != std::string::npos) return "correct the path";
  const auto available = fitting_plugins(folders, wanted);
  const std::vector<std::string_view> names(available.begin(), available.end());
  if (const auto near = nearest(name, names); !near.empty()) return fmt::format("`{}`", near);
  return names.empty() ? "install a plugin or set `plugin_path`" : fmt::format("one of: {}", fmt::join(names, ", "));
}

// The plugin name that a file name stands for: /x/zeroth_NAME.so → NAME.
std::string plugin_name_of(std::string_view file) {
  file = file.substr(file.rfind('/') + 1);
  if (!file.starts_with("zeroth_") || !file.ends_with(".so")) return {};
  return std::string(file.substr(7, file.size() - 10));
}

std::string trim(std::string_view text) {
  const auto start = text.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string()
                                         : std::string(text.substr(start, text.find_last_not_of(" \t") - start + 1));
}

} // namespace

HostSettings HostSettings::of_process() {
  HostSettings settings;
  settings.privileged = process_is_privileged();
  settings.plugin_folders = {own_plugin_folder()};
  return settings;
}

struct PluginHost::Entry {
  const PluginConfig& config;
  LoadedPlugin::Identity identity;
  PluginReport& report;
  std::shared_ptr<LoadedPlugin> plugin{};
  Library::Failure failure{};
  bool second_instance = false;
  bool waits = false; // for sysman

  const std::string& library() const {
    static const std::string none;
    return identity.driver ? identity.driver->library.value : none;
  }
  Wanted wanted() const {
    if (!library().empty()) return Wanted::AnyDriver;
    return identity.overlay ? Wanted::Overlay : Wanted::Device;
  }
  bool refuse(PluginFault fault, std::string reason, std::string advice) {
    failure = {fault, std::move(reason), std::move(advice)};
    return false;
  }
};

PluginHost::PluginHost(Config config, HostSettings settings)
    : config_(std::make_shared<const Config>(std::move(config))), settings_(std::move(settings)),
      folders_(config_->plugin_path) {
  folders_.insert(folders_.end(), settings_.plugin_folders.begin(), settings_.plugin_folders.end());
  reports_.reserve(config_->drivers.size() + config_->overlays.size());
  for (const DriverConfig& driver : config_->drivers) {
    PluginReport& report = reports_.emplace_back();
    report.kind = driver.library.value.empty() ? "device" : "driver";
    LoadedPlugin::Identity identity{driver.name, plugin_options(driver), 0, config_, &driver, nullptr};
    if (auto plugin = load({driver, std::move(identity), report})) drivers_.push_back(std::move(plugin));
  }
  for (std::uint32_t number = 0; number < config_->overlays.size(); ++number) {
    reports_.emplace_back().kind = "overlay";
    if (auto plugin = load_overlay(number)) overlays_.push_back(std::move(plugin));
  }
  settings_.sysman_waits = false; // the next time that they are asked for they are needed
}

std::shared_ptr<LoadedPlugin> PluginHost::load_overlay(std::uint32_t number) {
  const OverlayConfig& overlay = config_->overlays[number];
  PluginReport& report = reports_[config_->drivers.size() + number];
  LoadedPlugin::Identity identity{overlay.name, plugin_options(overlay), number, config_, nullptr, &overlay};
  return load({overlay, std::move(identity), report});
}

std::optional<std::uint32_t> PluginHost::waiting(const std::string& overlay) const {
  for (const std::uint32_t number : waiting_)
    if (config_->overlays[number].name.value == overlay) return number;
  return std::nullopt;
}

std::shared_ptr<LoadedPlugin> PluginHost::wake(const std::string& overlay) {
  if (const auto number = waiting(overlay)) {
    std::erase(waiting_, *number);
    if (auto plugin = load_overlay(*number)) overlays_.push_back(std::move(plugin));
  }
  for (const auto& plugin : overlays_)
    if (plugin->name() == overlay) return plugin;
  return nullptr;
}

std::shared_ptr<LoadedPlugin> PluginHost::load(Entry entry) {
  PluginReport& report = entry.report;
  report.name = entry.config.name;
  if (!entry.config.enabled) {
    report.state = PluginState::Disabled;
    report.reason = "the configuration leaves it out: " + entry.config.enabled.origin.text();
    return nullptr;
  }
  if (load_steps(entry)) {
    if (!entry.plugin) return nullptr; // it waits
    log(Level::Info, "{} {}: loaded from {}", report.kind, report.name, report.path);
    return entry.plugin;
  }
  set_failure(report, entry.failure);
  if (report.fault == PluginFault::NotFound && entry.config.optional)
    report.state = PluginState::Absent;
  else
    log(Level::Warning, "{}", log_line(report));
  return nullptr;
}

bool PluginHost::load_steps(Entry& entry) {
  if (!find(entry) || !check_file(entry)) return false;
  if (entry.waits) {
    waiting_.push_back(entry.identity.overlay_number);
    loaded_paths_.pop_back();
    return true;
  }
  auto library = Library::load(entry.report.path, entry.second_instance, entry.failure);
  if (!library) return false;
  entry.report.path = library->path();
  entry.plugin = std::make_shared<LoadedPlugin>(std::move(library), std::move(entry.identity));
  return start(entry);
}

// Sets the report's path: a file, or a bare name for the system's library search.
bool PluginHost::find(Entry& entry) {
  const std::string& library = entry.library();
  const bool bare = !library.empty() && library.find('/') == std::string::npos;
  if (bare) {
    entry.report.path = library;
    for (const std::string& folder : folders_)
      if (const std::string file = folder + "/" + library; ::access(file.c_str(), F_OK) == 0)
        return entry.report.path = file, true;
    return system_libraries_.may_have(library) ||
           entry.refuse(PluginFault::NotFound, "the system's library search does not find it",
                        "install it, or give its path");
  }
  const std::string& name = library.empty() ? entry.config.plugin.value : library;
  const FoundPlugin found = find_plugin(name, folders_);
  entry.report.path = found.path;
  if (!found.path.empty()) return true;
  return entry.refuse(PluginFault::NotFound, fmt::format("no such file: {}", fmt::join(found.searched, ", ")),
                      not_found_advice(name, folders_, entry.wanted()));
}

// What can be known before anything of the file runs.
bool PluginHost::check_file(Entry& entry) {
  std::string& path = entry.report.path;
  if (path.find('/') ==
      std::string::npos) { // whatever the system finds; its folders are as trusted as the program's own libraries
    return true;
  }
  std::error_code error;
  if (fs::path resolved = fs::canonical(path, error); !error) path = resolved;
  if (settings_.privileged)
    if (std::string reason = untrusted_reason(path); !reason.empty())
      return entry.refuse(PluginFault::Untrusted, reason, "let only root write it and the folders above it");
  const ElfProbe probe = probe_elf(path);
  if (!judge(probe, entry.wanted(), entry.failure)) return false;
  entry.waits = settings_.sysman_waits && probe.descriptor && (*probe.descriptor)[2] == ZEROTH_PLUGIN_SYSMAN_OVERLAY;
  entry.second_instance =
      settings_.fresh_copies || std::find(loaded_paths_.begin(), loaded_paths_.end(), path) != loaded_paths_.end();
  loaded_paths_.push_back(path);
  return true;
}

bool PluginHost::start(Entry& entry) {
  if (const zeroth_plugin* descriptor = entry.plugin->descriptor()) {
    PluginReport& report = entry.report;
    report.version = descriptor->version ? descriptor->version : "";
    report.options = options_of(*descriptor);
    report.notes = check_options(entry.plugin->options(), *descriptor);
    for (const std::string& note : report.notes) log(Level::Warning, "{} {}: {}", report.kind, report.name, note);
  }
  const bool started = entry.plugin->initialise(entry.failure);
  entry.report.warnings = entry.plugin->warnings_of_start();
  return started;
}

void PluginHost::fail(const LoadedPlugin& plugin, PluginFault fault, const std::string& reason,
                      const std::string& advice) {
  for (Plugins* list : {&drivers_, &overlays_}) {
    const auto found = std::find_if(list->begin(), list->end(), [&](const auto& p) { return p.get() == &plugin; });
    if (found == list->end()) continue;
    const bool overlay = list == &overlays_;
    for (PluginReport& report : reports_) {
      if (report.name != plugin.name() || (report.kind == "overlay") != overlay) continue;
      set_failure(report, {fault, reason, advice});
      log(Level::Warning, "{}", log_line(report));
    }
    list->erase(found);
    return;
  }
}

void PluginHost::refused(const LoadedPlugin& overlay, const std::string& driver, const Library::Failure& failure) {
  for (PluginReport& report : reports_) {
    if (report.name != overlay.name() || report.kind != "overlay") continue;
    set_failure(report, failure);
    report.reason = fmt::format("over driver {}: {}", driver, failure.reason);
    log(Level::Warning, "{}", log_line(report));
  }
}

void use_alternative_drivers(Config& config, std::string_view list) {
  const std::vector<DriverConfig> configured = std::move(config.drivers);
  config.drivers.clear();
  const Origin origin{std::make_shared<const std::string>("environment variable ZE_ENABLE_ALT_DRIVERS"), 0, 0};
  while (!list.empty()) {
    const auto comma = list.find(',');
    const std::string file = trim(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    if (file.empty()) continue;
    DriverConfig driver;
    driver.report_as = config.report_as;
    const std::string plugin = plugin_name_of(file);
    for (const DriverConfig& known : configured)
      if (!plugin.empty() && known.plugin.value == plugin) driver = known;
    driver.library = {file, origin};
    driver.plugin.value.clear();
    driver.enabled = {true, origin};
    driver.optional = {false, origin};
    driver.name = {fmt::format("alt-{}", config.drivers.size()), origin};
    if (!plugin.empty())
      driver.name.value = plugin + (config.drivers.empty() ? "" : fmt::format("-{}", config.drivers.size() + 1));
    config.drivers.push_back(std::move(driver));
  }
}

} // namespace zeroth
