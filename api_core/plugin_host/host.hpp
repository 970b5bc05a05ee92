// Finds, checks, loads and keeps the plugins that a configuration asks for.
//
//     static auto& host = *new PluginHost(config, HostSettings::of_process());   // for ever, see below
//     for (const auto& driver : host.drivers()) …
//
// Each fault of a plugin is one log line and one report; the others are loaded all the same. A plugin's descriptor is
// judged from its file before anything of it runs.
//
// Ownership: plugins are shared with those who use them; a process keeps its PluginHost to its end, a tool may drop it.
// Threading: construction and `fail` by one thread at a time; everything else by any thread in between.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "plugin_host/plugin.hpp"
#include "plugin_host/report.hpp"
#include "plugin_host/system_libraries.hpp"

namespace zeroth {

struct HostSettings {
  bool privileged = false;
  std::vector<std::string> plugin_folders; // searched after the configuration's plugin_path
  // Every plugin is a new instance with globals of its own: what a forked child needs, where the parent's threads are
  // gone.
  bool fresh_copies = false;
  // Overlays of sysman alone are not loaded before wake() asks for them.
  bool sysman_waits = false;

  static HostSettings of_process();
};

class PluginHost {
public:
  using Plugins = std::vector<std::shared_ptr<LoadedPlugin>>;

  PluginHost(Config config, HostSettings settings);
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  const Config& config() const { return *config_; }

  const Plugins& drivers() const { return drivers_; } // devices and other makers' drivers, in the configuration's order
  const Plugins& overlays() const { return overlays_; } // in the configuration's order

  // The number of an overlay that waits for sysman; none when it was loaded, or cannot be.
  std::optional<std::uint32_t> waiting(const std::string& overlay) const;
  // Loads it, or gives it when it is loaded already; null when it cannot be: its report says why. Not by two threads at
  // once.
  std::shared_ptr<LoadedPlugin> wake(const std::string& overlay);

  // The plugin turned out not to serve: out of the list, one log line, and its report says why.
  void fail(const LoadedPlugin& plugin, PluginFault fault, const std::string& reason, const std::string& advice);

  // The overlay could not be put over that driver: one log line, and its report says why. It stays for the others.
  void refused(const LoadedPlugin& overlay, const std::string& driver, const Library::Failure& failure);

  // One for every configured entry, drivers first, in order.
  const std::vector<PluginReport>& reports() const { return reports_; }

private:
  // One configured entry on its way in.
  struct Entry;

  std::shared_ptr<LoadedPlugin> load(Entry entry);
  std::shared_ptr<LoadedPlugin> load_overlay(std::uint32_t number);
  bool load_steps(Entry& entry);
  bool find(Entry& entry);
  bool check_file(Entry& entry);
  bool start(Entry& entry);

  std::shared_ptr<const Config> config_;
  HostSettings settings_;
  Plugins drivers_;
  Plugins overlays_;
  std::vector<std::uint32_t> waiting_; // numbers of overlays
  std::vector<PluginReport> reports_;
  SystemLibraries system_libraries_;
  std::vector<std::string> folders_;      // searched for plugins, in order
  std::vector<std::string> loaded_paths_; // resolved, to notice a file that is used twice
};

// Lets the drivers that ZE_ENABLE_ALT_DRIVERS lists (separated by commas) stand in for the configured ones. A
// configured entry for the same plugin lends its options.
void use_alternative_drivers(Config& config, std::string_view list);

} // namespace zeroth
