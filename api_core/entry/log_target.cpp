#include <entry/log_target.hpp>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace zeroth::entry {
namespace {

constexpr std::string_view UpstreamDirectory = "/.oneapi_logs";
constexpr std::string_view UpstreamFile = "ze_loader.log";

// Empty when not set.
std::string value(const Environment& environment, const char* name) {
  const char* text = environment(name);
  return text == nullptr ? std::string() : text;
}

Level upstream_level(std::string_view name) {
  if (name == "warn" || name.empty()) return Level::Warning;
  if (name == "critical") return Level::Error;
  return level_from_name(name).value_or(Level::Warning);
}

std::string upstream_file(const Environment& environment) {
  std::string directory = value(environment, "ZEL_LOADER_LOG_DIR");
  if (directory.empty()) directory = value(environment, "HOME").append(UpstreamDirectory);
  const std::string file = value(environment, "ZEL_LOADER_LOG_FILE");
  return directory + "/" + (file.empty() ? std::string(UpstreamFile) : file);
}

// Empty for a letter that stands for nothing.
std::string timestamp_part(char letter, const std::tm& time, int milliseconds) {
  char text[8] = {};
  if (letter == 'e') std::snprintf(text, sizeof(text), "%03d", milliseconds);
  const char pattern[] = {'%', letter, '\0'};
  if (std::string_view("YmdHMS").find(letter) != std::string_view::npos)
    std::strftime(text, sizeof(text), pattern, &time);
  return text;
}

struct Sink {
  LogSink sink;
  int file;
  LogTarget target;
};

// Never freed: threads may log until the process is gone.
std::vector<std::unique_ptr<Sink>>& sinks() {
  static auto& all = *new std::vector<std::unique_ptr<Sink>>;
  return all;
}

void write_line(void* context, Level level, std::string_view text) noexcept try {
  const Sink& sink = *static_cast<Sink*>(context);
  if (sink.file < 0 && sink.target.pattern.empty()) return write_to_stderr(level, text);
  const std::string_view pattern =
      sink.target.pattern.empty() ? "%Y-%m-%d %H:%M:%S.%e %l %v" : std::string_view(sink.target.pattern);
  const std::string line = formatted_line(pattern, level, text) + "\n";
  [[maybe_unused]] const auto written = write(sink.file < 0 ? STDERR_FILENO : sink.file, line.data(), line.size());
} catch (...) {
  write_to_stderr(level, text);
}

int open_for_log(const std::string& file) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), ignored);
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) write_to_stderr(Level::Warning, "the log file " + file + " cannot be opened");
  return descriptor;
}

} // namespace

LogTarget log_target(LogTarget configured, const Environment& environment) {
  if (value(environment, "ZE_ENABLE_LOADER_DEBUG_TRACE") == "1") return {Level::Trace, {}, {}};
  if (value(environment, "ZEL_ENABLE_LOADER_LOGGING") != "1") return configured;
  LogTarget target{
      upstream_level(value(environment, "ZEL_LOADER_LOGGING_LEVEL")), {}, value(environment, "ZEL_LOADER_LOG_PATTERN")};
  if (value(environment, "ZEL_LOADER_LOG_CONSOLE") != "1") target.file = upstream_file(environment);
  return target;
}

std::string formatted_line(std::string_view pattern, Level level, std::string_view text) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto since_epoch = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  std::tm time{};
  localtime_r(&seconds, &time);
  std::string line;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%' || i + 1 == pattern.size()) {
      line += pattern[i];
      continue;
    }
    switch (const char letter = pattern[++i]) {
    case 'v':
      line += text;
      break;
    case 'l':
      line += level_name(level);
      break;
    case 't':
      line += std::to_string(gettid());
      break;
    case 'P':
      line += std::to_string(getpid());
      break;
    case 'n':
      line += "ze_loader";
      break;
    case '%':
      line += '%';
      break;
    default:
      line += timestamp_part(letter, time, static_cast<int>(since_epoch % 1000));
      break;
    }
  }
  return line;
}

void install_log(const LogTarget& target) {
  if (!sinks().empty() && sinks().back()->target == target) return;
  auto sink = std::make_unique<Sink>(Sink{{target.level, write_line, nullptr}, -1, target});
  if (!target.file.empty()) sink->file = open_for_log(target.file);
  sink->sink.context = sink.get();
  set_log_sink(&sinks().emplace_back(std::move(sink))->sink);
}

} // namespace zeroth::entry
