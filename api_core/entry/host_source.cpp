#include <entry/host_source.hpp>

namespace zeroth::entry {
namespace {

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

registry::Found found_in(PluginHost& host) {
  registry::Found found;
  found.no_driver_is_success = host.config().zero_drivers == ZeroDrivers::Success;
  for (const auto& plugin : host.drivers()) found.drivers.push_back(found_driver(host, plugin));
  return found;
}

} // namespace zeroth::entry
