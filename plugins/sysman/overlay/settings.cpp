#include "settings.hpp"

#include <sdk/error.hpp>
#include <sdk/options.hpp>

namespace zeroth::sysman {
namespace {

Settings& current() {
  static Settings& only = *new Settings;
  return only;
}

Fill fill_of(const std::string& text) {
  if (text == "missing") return Fill::Missing;
  if (text == "none") return Fill::None;
  if (text == "all") return Fill::All;
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "option fill is `{}`: it takes missing, none or all", text);
}

} // namespace

Settings read_settings(const zeroth_host* host) {
  const Options options(host);
  Settings settings;
  settings.root = Root(options.text("root", ""));
  settings.fill = fill_of(options.text("fill", "missing"));
  settings.nvml = options.text("nvml", settings.nvml);
  settings.interval = std::chrono::milliseconds(std::max<std::int64_t>(options.integer("interval", 100), 1));
  settings.extra_log = options.text("extra_log", "");
  return settings;
}

const Settings& settings() { return current(); }
void use_settings(Settings settings) { current() = std::move(settings); }

} // namespace zeroth::sysman
