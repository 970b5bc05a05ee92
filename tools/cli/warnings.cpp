#include "cli/warnings.hpp"

#include "plugin_host/log_watchers.hpp"

#include <algorithm>
#include <string_view>

namespace zeroth::cli {
namespace {

// The option that a plugin's line is about: "plugin cpu: option threads: `many` …" → "threads".
std::string_view option_of(std::string_view line) {
  const size_t at = line.find("option ");
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + std::string_view("option ").size());
  return line.substr(0, line.find(':'));
}

bool noted(const PluginReport& report, std::string_view line) {
  const std::string_view option = option_of(line);
  const std::string quoted = "`" + std::string(option) + "`";
  return !option.empty() && std::any_of(report.notes.begin(), report.notes.end(), [&](const std::string& note) {
    return note.find(quoted) != std::string::npos;
  });
}

} // namespace

std::vector<std::string> own_warnings(const PluginReport& report) {
  std::vector<std::string> lines = report.warnings;
  std::erase_if(lines, [&](const std::string& line) { return noted(report, line); });
  return lines;
}

Warnings::Warnings() {
  const auto keep = [](void* self, zeroth_log_level, const char* text, size_t size) {
    auto& mine = *static_cast<Warnings*>(self);
    const std::lock_guard lock(mine.mutex_);
    mine.lines_.emplace_back(text, size);
  };
  set_log_watcher_of({this, ZEROTH_LOG_WARNING, keep, this});
}

Warnings::~Warnings() { remove_log_watcher(this); }

std::vector<std::string> Warnings::of(const PluginReport& report) const {
  const std::string mark = report.name + ": ";
  std::vector<std::string> found;
  const std::lock_guard lock(mutex_);
  for (const std::string& line : lines_) {
    if (!line.starts_with(mark) || noted(report, line)) continue;
    const std::string words = line.substr(mark.size());
    if (std::find(found.begin(), found.end(), words) == found.end()) found.push_back(words);
  }
  return found;
}

} // namespace zeroth::cli
