// The log: one line per event, usable by the core and by plugins.
//
//     zeroth::log(Level::Warning, "plugin {}: {}", name, reason);   // format checked at compile time
//
// A call whose level is off costs one load and one compare: nothing is formatted or allocated. Each shared object has
// one sink. The core installs its own from the config; a plugin gets the core's through `zeroth_host` (use_host_log).
// With no sink installed, as under the upstream loader, lines go to stderr when the environment asks for it:
// ZEROTH_LOG=error|warning|info|debug|trace (ignored in privileged processes).
//
// Threading: every function may be called from any thread; sinks must bear that. Nothing here throws.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/core.h>

struct zeroth_host;

namespace zeroth {

// Values are part of the plugin ABI (zeroth_log_level).
enum class Level : std::int32_t { Off = 0, Error = 1, Warning = 2, Info = 3, Debug = 4, Trace = 5 };

const char* level_name(Level level) noexcept;
std::optional<Level> level_from_name(std::string_view name) noexcept;

// Where lines go. `text` is one line without its newline, not null-terminated, valid for the call.
struct LogSink {
  Level level = Level::Off;
  void (*write)(void* context, Level level, std::string_view text) noexcept = nullptr;
  void* context = nullptr;
};

// Installs a sink for this shared object, kept by address: it must stay alive until replaced and until no thread logs.
// nullptr returns to stderr by environment.
void set_log_sink(const LogSink* sink) noexcept;

// A second reader of this shared object's lines, up to a level of its own, whatever the sink keeps. Kept by address for
// ever; nullptr ends it. Lines that the watcher itself logs while it is called do not come back to it.
void set_log_watcher(const LogSink* watcher) noexcept;

// For plugins: sends this shared object's lines to the host's log. Call from init.
void use_host_log(const zeroth_host* host) noexcept;

// Writes "zeroth: warning: text\n" to stderr in one write call.
void write_to_stderr(Level level, std::string_view text) noexcept;

namespace detail {
// Highest level that anybody wants; -1 until the environment was read.
extern std::atomic<std::int32_t> log_threshold;
std::int32_t read_log_threshold() noexcept;
void write_log(Level level, fmt::string_view format, fmt::format_args arguments) noexcept;
} // namespace detail

inline bool log_enabled(Level level) noexcept {
  std::int32_t threshold = detail::log_threshold.load(std::memory_order_relaxed);
  if (threshold < 0) threshold = detail::read_log_threshold();
  return static_cast<std::int32_t>(level) <= threshold;
}

template <class... Arguments>
void log(Level level, fmt::format_string<Arguments...> format, Arguments&&... arguments) noexcept {
  if (log_enabled(level)) detail::write_log(level, format, fmt::make_format_args(arguments...));
}

} // namespace zeroth
