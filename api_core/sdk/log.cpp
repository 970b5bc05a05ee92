#include "log.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "zeroth_plugin.h"

namespace zeroth {
namespace {

constexpr std::array<const char*, 6> level_names{"off", "error", "warning", "info", "debug", "trace"};

std::atomic<const LogSink*> installed_sink{nullptr};
std::atomic<const LogSink*> installed_watcher{nullptr};
thread_local bool watching = false; // this thread runs the watcher

std::int32_t level_of(const LogSink* sink) noexcept { return sink ? static_cast<std::int32_t>(sink->level) : 0; }

// The plugin's copy of what the host offered; the host keeps itself alive until fini has returned.
LogSink host_sink;

void write_to_host(void* context, Level level, std::string_view text) noexcept {
  const auto* host = static_cast<const zeroth_host*>(context);
  host->log(host, static_cast<zeroth_log_level>(level), text.data(), text.size());
}

std::int32_t threshold_from_environment() noexcept {
  const char* value = ::secure_getenv("ZEROTH_LOG");
  const auto level = value ? level_from_name(value) : std::nullopt;
  return static_cast<std::int32_t>(level.value_or(Level::Off));
}

// Of the sink alone: what the watcher wants on top is not written.
std::int32_t sink_level() noexcept {
  const LogSink* sink = installed_sink.load(std::memory_order_acquire);
  return sink ? level_of(sink) : threshold_from_environment();
}

void update_threshold() noexcept {
  const std::int32_t watched = level_of(installed_watcher.load(std::memory_order_acquire));
  detail::log_threshold.store(std::max(sink_level(), watched), std::memory_order_relaxed);
}

void write_to_sink(Level level, std::string_view line) noexcept {
  if (static_cast<std::int32_t>(level) > sink_level()) return;
  const LogSink* sink = installed_sink.load(std::memory_order_acquire);
  if (sink && sink->write)
    sink->write(sink->context, level, line);
  else
    write_to_stderr(level, line);
}

void show_watcher(Level level, std::string_view line) noexcept {
  const LogSink* watcher = installed_watcher.load(std::memory_order_acquire);
  if (watching || static_cast<std::int32_t>(level) > level_of(watcher)) return;
  watching = true;
  watcher->write(watcher->context, level, line);
  watching = false;
}

} // namespace

const char* level_name(Level level) noexcept {
  const auto index = static_cast<std::size_t>(level);
  return index < level_names.size() ? level_names[index] : "unknown";
}

std::optional<Level> level_from_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < level_names.size(); ++i)
    if (name == level_names[i]) return static_cast<Level>(i);
  return std::nullopt;
}

void set_log_sink(const LogSink* sink) noexcept {
  installed_sink.store(sink, std::memory_order_release);
  update_threshold();
}

void set_log_watcher(const LogSink* watcher) noexcept {
  installed_watcher.store(watcher, std::memory_order_release);
  update_threshold();
}

void use_host_log(const zeroth_host* host) noexcept {
  if (!host || !host->log) return set_log_sink(nullptr);
  host_sink = {static_cast<Level>(host->log_level), write_to_host, const_cast<zeroth_host*>(host)};
  set_log_sink(&host_sink);
}

void write_to_stderr(Level level, std::string_view text) noexcept {
  try {
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "zeroth: {}: {}\n", level_name(level), text);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  } catch (...) { // a line that cannot be built is dropped
  }
}

namespace detail {

constinit std::atomic<std::int32_t> log_threshold{-1};

std::int32_t read_log_threshold() noexcept {
  std::int32_t unread = -1;
  log_threshold.compare_exchange_strong(unread, threshold_from_environment(), std::memory_order_relaxed);
  return log_threshold.load(std::memory_order_relaxed);
}

void write_log(Level level, fmt::string_view format, fmt::format_args arguments) noexcept {
  try {
    fmt::memory_buffer text;
    fmt::vformat_to(std::back_inserter(text), format, arguments);
    const std::string_view line(text.data(), text.size());
    write_to_sink(level, line);
    show_watcher(level, line);
  } catch (...) { // a line that cannot be formatted is dropped
  }
}

} // namespace detail
} // namespace zeroth
