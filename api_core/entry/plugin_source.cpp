#include <entry/plugin_source.hpp>

#include <cstdlib>
#include <tuple>
#include <unistd.h>
#include <utility>

#include <config/load.hpp>
#include <entry/core.hpp>
#include <entry/environment_words.hpp>
#include <entry/host_source.hpp>
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

void tell_wrong_words() {
  static bool told = false; // under the session's lock
  if (std::exchange(told, true)) return;
  for (const std::string& line : wrong_words(::secure_getenv)) log(Level::Warning, "{}", line);
  for (const std::string& line : words_without_effect(::secure_getenv)) log(Level::Warning, "{}", line);
}

Config read_configuration() {
  try {
    Config config = load_config(LoadRequest::of_process());
    log_to(config.log);
    for (const std::string& problem : config.problems) log(Level::Warning, "{}", problem);
    tell_wrong_words();
    if (const char* list = ::secure_getenv("ZE_ENABLE_ALT_DRIVERS"); list && *list)
      use_alternative_drivers(config, list);
    if (config.drivers.empty() && config.zero_drivers != ZeroDrivers::Success)
      log(Level::Warning, "{}: it lists no driver, so init calls fail", config.source);
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

// For `strict: true`: whatever is missing without leave is a failure of init.
void be_strict(const PluginHost& host) {
  if (!host.config().strict) return;
  for (const PluginReport& report : host.reports())
    if (const std::string why = shortcoming(report); !why.empty())
      throw Error(ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, "{} says `strict: true`: {}", host.config().source, why);
}

} // namespace

registry::Found find_plugins(bool) {
  PluginHost& host = plugins();
  be_strict(host);
  return found_in(host);
}

registry::Session& session() {
  static registry::Session& only = *new registry::Session(find_plugins);
  return only;
}

} // namespace zeroth::entry
