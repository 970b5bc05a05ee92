// The configuration as one plain struct, each value with the place it comes from.
//
//     const Config config = load_config(LoadRequest::of_process());
//
// Plain values: built once by `load_config`, then read by any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/tree.hpp"
#include "sdk/log.hpp"

namespace zeroth {

template <class T> struct Setting {
  T value{};
  Origin origin{};
  operator const T&() const { return value; }
};

enum class ReportAs : std::uint8_t { Auto, Cpu, Gpu };
enum class ZeroDrivers : std::uint8_t { Error, Success };

struct Identity {
  Setting<std::string> name;                // empty: the devices' own
  Setting<std::uint32_t> driver_version{0}; // 0: the driver's own
};

// What drivers and overlays have in common.
struct PluginConfig {
  Setting<std::string> name;   // unique among drivers and among overlays
  Setting<std::string> plugin; // plugin name, or a path when it has a slash; empty for a library
  Setting<bool> enabled{true};
  Setting<bool> optional{false};
  Tree options{Type::Map}; // the plugin's own
  Origin origin{};
};

struct DriverConfig : PluginConfig {
  Setting<std::string> library; // another maker's driver: path or soname; empty for a plugin
  Setting<ReportAs> report_as{ReportAs::Auto};
  Setting<std::string> device_mask;
  Identity identity;
  Setting<std::vector<std::string>>
      overlays;            // names, innermost first; already resolved: all enabled ones where not given
  Tree devices{Type::Map}; // options by device number
};

struct OverlayConfig : PluginConfig {};

struct LogConfig {
  Setting<Level> level{Level::Warning};
  Setting<std::string> file; // empty: stderr
};

struct Config {
  Setting<bool> strict{false};
  Setting<ZeroDrivers> zero_drivers{ZeroDrivers::Error};
  Setting<ReportAs> report_as{ReportAs::Auto};
  Setting<std::vector<std::string>> plugin_path; // absolute folders, or as written in the default
  LogConfig log;
  std::vector<DriverConfig> drivers;
  std::vector<OverlayConfig> overlays;

  // How it came to be.
  std::string program;               // file name of the program that profiles were matched with
  std::vector<Origin> profiles;      // those that applied
  std::string source;                // the file in force, or "built-in default"
  std::vector<std::string> searched; // every place that was looked at, with what was found, in order
  std::vector<std::string> problems; // why a file was not used: "file:line:column: message (did you mean …?)"
};

const char* to_string(ReportAs value) noexcept;
const char* to_string(ZeroDrivers value) noexcept;

// What a plugin sees as its options: `options` and, of a driver, `device_mask` and `devices` where they are set.
Tree plugin_options(const DriverConfig& driver);
Tree plugin_options(const OverlayConfig& overlay);

// Every setting in force as "drivers.0.report_as", its value in YAML, and where it comes from: for `zeroth config show`
// and doctor.
struct ExplainedSetting {
  std::string key;
  std::string value;
  std::string origin;
};
std::vector<ExplainedSetting> explain(const Config& config);

} // namespace zeroth
