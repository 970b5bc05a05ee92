#include <entry/plugin_source.hpp>

#include <cstdlib>
#include <tuple>
#include <unistd.h>

#include <config/load.hpp>
#include <entry/core.hpp>
#include <entry/log_target.hpp>
#include <plugin_host/host.hpp>
#include <sdk/error.hpp>
#include <sdk/log.hpp>

namespace zeroth::entry {
namespace {

// A target once installed is kept for ever, so the same one is not installed again.
void log_to(const LogConfig& config) {
  static LogTarget& installed = *new LogTarget{Level::Off, {}, "none"}; // under the session's lock
  LogTarget target = log_target({config.level, config.file, {}}, ::secure_getenv);
  const bool same = std::tie(target.level, target.file, target.pattern) ==
                    std::tie(installed.level, installed.file, installed.pattern);
  if (!same) install_log(installed = std::move(target));
}

Config read_configuration() {
  try {
    Config config = load_config(LoadRequest::of_process());
    log_to(config.log);
    for (const std::string& problem : config.problems) log(Level::Warning, "{}", problem);
    if (const char* list = ::secure_getenv("ZE_ENABLE_ALT_DRIVERS"); list && *list)
      use_alternative_drivers(config, list);
    if (const char* null = ::secure_getenv("ZE_ENABLE_NULL_DRIVER"); null && *null == '1')
      log(Level::Info, "ZE_ENABLE_NULL_DRIVER is set, but Zeroth has no null driver");
    return config;
  } catch (const ConfigError& error) {
    log_to({});
    log(Level::Error, "{}", error.what());
    throw Error(ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, "{}", error.what());
  }
}

// The plugins of this process, never unloaded. They stay the same once a driver is among them; a process that found
// none looks again at its next init, when the user may have changed something. A forked child gets instances of its
// own, since the parent's threads are not there to serve it, and keeps the parent's for the old handles.
PluginHost& plugins() {
  static auto& hosts = *new std::vector<std::unique_ptr<PluginHost>>; // both under the session's lock
  static pid_t owner = 0;
  const bool forked = owner != 0 && owner != ::getpid();
  if (!forked && !hosts.empty() && !hosts.back()->drivers().empty()) return *hosts.back();
  if (!forked && !hosts.empty()) hosts.pop_back();
  HostSettings settings = HostSettings::of_process();
  settings.fresh_copies = forked;
  settings.sysman_waits = true;
  Config config = forked && !hosts.empty() ? hosts.back()->config() : read_configuration();
  owner = ::getpid();
  return *hosts.emplace_back(std::make_unique<PluginHost>(std::move(config), std::move(settings)));
}

registry::Presented presented(const DriverConfig& driver) {
  using Type = registry::Presented::Type;
  const ReportAs as = driver.report_as;
  const Type type = as == ReportAs::Cpu ? Type::True : as == ReportAs::Gpu ? Type::Gpu : Type::Auto;
  return {type, driver.identity.name, driver.identity.driver_version};
}

registry::FindInterface finder(std::shared_ptr<LoadedPlugin> plugin) {
  return [plugin](const char* name, std::uint32_t version) { return plugin->find_interface(name, version); };
}

registry::FoundOverlay found_overlay(PluginHost& host, const std::shared_ptr<LoadedPlugin>& overlay) {
  const auto apply = [&host, overlay](const zeroth_overlay_target& target) {
    Library::Failure failure;
    if (overlay->apply(target, failure)) return true;
    host.refused(*overlay, target.driver_name, failure);
    return false;
  };
  return {overlay->host()->overlay_number, apply, finder(overlay), false};
}

// An overlay that is loaded when sysman is first initialised: under the session's lock, as all loading.
registry::FoundOverlay waiting_overlay(PluginHost& host, const std::string& name, std::uint32_t number) {
  const auto apply = [&host, name](const zeroth_overlay_target& target) {
    const auto overlay = host.wake(name);
    return overlay && found_overlay(host, overlay).apply(target);
  };
  const auto find = [&host, name](const char* interface, std::uint32_t version) -> const void* {
    for (const auto& overlay : host.overlays())
      if (overlay->name() == name) return overlay->find_interface(interface, version);
    return nullptr;
  };
  return {number, apply, find, true};
}

registry::FoundDriver found_driver(PluginHost& host, const std::shared_ptr<LoadedPlugin>& plugin) {
  registry::FoundDriver driver;
  driver.name = plugin->name();
  driver.foreign = plugin->foreign();
  driver.symbol = [plugin](const char* name) { return plugin->symbol(name); };
  driver.find_interface = finder(plugin);
  driver.presented = presented(*plugin->driver_config());
  for (const std::string& name : plugin->driver_config()->overlays.value) {
    for (const auto& overlay : host.overlays())
      if (overlay->name() == name) driver.overlays.push_back(found_overlay(host, overlay));
    if (const auto number = host.waiting(name)) driver.overlays.push_back(waiting_overlay(host, name, *number));
  }
  driver.failed = [&host, plugin](const std::string& reason) {
    host.fail(*plugin, PluginFault::NoDevices, reason, "check that its hardware is there and may be opened");
  };
  return driver;
}

} // namespace

registry::Found find_plugins(bool) {
  PluginHost& host = plugins();
  registry::Found found;
  found.no_driver_is_success = host.config().zero_drivers == ZeroDrivers::Success;
  for (const auto& plugin : host.drivers()) found.drivers.push_back(found_driver(host, plugin));
  return found;
}

registry::Session& session() {
  static registry::Session& only = *new registry::Session(find_plugins);
  return only;
}

} // namespace zeroth::entry
