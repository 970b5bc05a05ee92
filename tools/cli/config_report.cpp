#include "cli/config_report.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zeroth::cli {

Json config_report(const Config& config) {
  Json settings = Json::object();
  for (const ExplainedSetting& setting : explain(config))
    settings[setting.key] = {{"value", setting.value}, {"origin", setting.origin}};
  return {{"source", config.source},
          {"searched", config.searched},
          {"problems", config.problems},
          {"program", config.program},
          {"settings", settings}};
}

void print_config(const Console& console, const Config& config) {
  console.field("Configuration", config.source, 0, 15, Tone::Strong);
  for (const std::string& place : config.searched) console.field("  looked at", place, 0, 15, Tone::Faint);
  for (const std::string& problem : config.problems) console.field("  problem", problem, 0, 15, Tone::Bad);
  console.line();
  const auto settings = explain(config);
  size_t width = 0;
  for (const ExplainedSetting& setting : settings) width = std::max(width, setting.key.size() + 2);
  for (const ExplainedSetting& setting : settings) {
    const std::string value = setting.value.empty() ? "\"\"" : setting.value;
    console.field(setting.key, fmt::format("{:<15} # {}", value, setting.origin), 0, width);
  }
}

} // namespace zeroth::cli
