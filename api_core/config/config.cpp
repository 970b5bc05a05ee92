#include "config/config.hpp"

#include <fmt/format.h>

namespace zeroth {
namespace {

// One line of YAML: quoted where a plain word would not do.
std::string yaml_text(std::string_view text) {
  const bool plain = !text.empty() && plain_scalar_type(text) == Type::String &&
                     text.find_first_of(":#{}[],&*!|>'\"%@`\n\t ") == std::string_view::npos && text[0] != '-';
  if (plain) return std::string(text);
  Tree quoted{Type::String};
  quoted.text = text;
  return quoted.to_json();
}

std::string yaml_text(const std::vector<std::string>& list) {
  std::string out = "[";
  for (const std::string& item : list) out += (out.size() > 1 ? ", " : "") + yaml_text(item);
  return out + "]";
}

std::string yaml_text(bool value) { return value ? "true" : "false"; }
std::string yaml_text(std::uint32_t value) { return std::to_string(value); }
std::string yaml_text(ReportAs value) { return to_string(value); }
std::string yaml_text(ZeroDrivers value) { return to_string(value); }
std::string yaml_text(Level value) { return level_name(value); }

class Explainer {
public:
  std::vector<ExplainedSetting> take() { return std::move(out_); }

  template <class T> void add(const std::string& key, const Setting<T>& setting) {
    out_.push_back({key, yaml_text(setting.value), setting.origin.text()});
  }

  void add_tree(const std::string& key, const Tree& tree) {
    for (const auto& [name, origin, value] : tree.members)
      out_.push_back({key + "." + name, value.to_json(), value.origin.text()});
  }

  void add_common(const std::string& at, const PluginConfig& plugin) {
    add(at + ".name", plugin.name);
    if (!plugin.plugin.value.empty()) add(at + ".plugin", plugin.plugin);
    add(at + ".enabled", plugin.enabled);
    add(at + ".optional", plugin.optional);
  }

  void add_driver(const std::string& at, const DriverConfig& driver) {
    add_common(at, driver);
    if (!driver.library.value.empty()) add(at + ".library", driver.library);
    add(at + ".report_as", driver.report_as);
    add(at + ".device_mask", driver.device_mask);
    add(at + ".identity.name", driver.identity.name);
    add(at + ".identity.driver_version", driver.identity.driver_version);
    add(at + ".overlays", driver.overlays);
    add_tree(at + ".devices", driver.devices);
    add_tree(at + ".options", driver.options);
  }

private:
  std::vector<ExplainedSetting> out_;
};

} // namespace

const char* to_string(ReportAs value) noexcept {
  return value == ReportAs::Cpu ? "cpu" : value == ReportAs::Gpu ? "gpu" : "auto";
}

const char* to_string(ZeroDrivers value) noexcept { return value == ZeroDrivers::Success ? "success" : "error"; }

Tree plugin_options(const OverlayConfig& overlay) { return overlay.options; }

Tree plugin_options(const DriverConfig& driver) {
  Tree options = driver.options;
  if (!driver.devices.members.empty()) options.members.push_back({"devices", driver.devices.origin, driver.devices});
  if (!driver.device_mask.value.empty()) {
    Tree mask{Type::String};
    mask.text = driver.device_mask;
    mask.origin = driver.device_mask.origin;
    options.members.push_back({"device_mask", mask.origin, mask});
  }
  return options;
}

std::vector<ExplainedSetting> explain(const Config& config) {
  Explainer out;
  out.add("strict", config.strict);
  out.add("zero_drivers", config.zero_drivers);
  out.add("report_as", config.report_as);
  out.add("plugin_path", config.plugin_path);
  out.add("log.level", config.log.level);
  out.add("log.file", config.log.file);
  for (std::size_t i = 0; i < config.drivers.size(); ++i)
    out.add_driver(fmt::format("drivers.{}", i), config.drivers[i]);
  for (std::size_t i = 0; i < config.overlays.size(); ++i) {
    out.add_common(fmt::format("overlays.{}", i), config.overlays[i]);
    out.add_tree(fmt::format("overlays.{}.options", i), config.overlays[i].options);
  }
  return out.take();
}

} // namespace zeroth
