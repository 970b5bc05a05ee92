// Where the core's log goes: the configuration, unless the log variables of the standard loader ask for something else.
//
//   ZEL_ENABLE_LOADER_LOGGING=1             the variables below count
//   ZEL_LOADER_LOGGING_LEVEL                trace, debug, info, warn, error, critical, off; default warn
//   ZEL_LOADER_LOG_DIR, ZEL_LOADER_LOG_FILE default $HOME/.oneapi_logs and ze_loader.log
//   ZEL_LOADER_LOG_CONSOLE=1                to standard error instead of the file
//   ZEL_LOADER_LOG_PATTERN                  %v text, %l level, %t thread, %P process, %n name, %Y %m %d %H %M %S %e, %%
//   ZE_ENABLE_LOADER_DEBUG_TRACE=1          everything, to standard error, whatever else is said
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <sdk/log.hpp>

namespace zeroth::entry {

struct LogTarget {
  Level level = Level::Warning;
  std::string file;    // empty: standard error
  std::string pattern; // empty: the log's own form
  bool operator==(const LogTarget&) const = default;
};

// The value of a variable, or null.
using Environment = std::function<const char*(const char*)>;

LogTarget log_target(LogTarget configured, const Environment& environment);

// One line by a pattern, without its end.
std::string formatted_line(std::string_view pattern, Level level, std::string_view text);

// Sends this process's log there; the caller serialises. A file that cannot be opened is one line on standard error,
// where the log then goes.
void install_log(const LogTarget& target);

} // namespace zeroth::entry
