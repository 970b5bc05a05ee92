#include "cli/findings.hpp"

#include "cli/warnings.hpp"

#include "entry/host_source.hpp"
#include "plugin_host/host.hpp"
#include "registry/session.hpp"

#include <zeroth/api/refuse.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

// The hook of the default tables. Nobody calls functions of the tables that examine_plugins() composes.
void zeroth::note_unsupported(const char*) noexcept {}

namespace zeroth::cli {
namespace {

const char* word(Finding::Level level) {
  switch (level) {
  case Finding::Level::Good:
    return "ok";
  case Finding::Level::Note:
    return "note";
  case Finding::Level::Problem:
    break;
  }
  return "PROBLEM";
}

Tone tone(Finding::Level level) {
  switch (level) {
  case Finding::Level::Good:
    return Tone::Good;
  case Finding::Level::Note:
    return Tone::Warning;
  case Finding::Level::Problem:
    break;
  }
  return Tone::Bad;
}

Finding::Level level_of(const PluginReport& report) {
  if (report.state == PluginState::Failed) return Finding::Level::Problem;
  return report.state == PluginState::Loaded ? Finding::Level::Good : Finding::Level::Note;
}

std::string text_of(const PluginReport& report) {
  return report.state == PluginState::Loaded ? fmt::format("{} {}", report.path, report.version)
                                             : fmt::format("{}: {}", to_string(report.state), report.reason);
}

std::string text_of(const PluginOption& option) {
  std::string text = fmt::format("{} ({}): {}", option.name, option.type, option.help);
  if (!option.default_text.empty()) text += fmt::format("; {} if not set", option.default_text);
  return text;
}

Finding no_driver(const Config& config) {
  Finding finding{Finding::Level::Problem, "plugins", "", "no driver serves", "see the drivers that fail above"};
  const auto enabled = [](const DriverConfig& driver) { return driver.enabled.value; };
  if (std::any_of(config.drivers.begin(), config.drivers.end(), enabled)) return finding;
  finding.text =
      fmt::format("{}: {}", config.source, config.drivers.empty() ? "it lists no driver" : "no driver is enabled");
  finding.advice = "give it a driver, such as `drivers: [cpu]`, or remove `drivers` to get the default";
  return finding;
}

// The variables of the environment that steer a Level Zero program, each "NAME=value".
bool steers_level_zero(std::string_view variable) {
  for (const char* prefix : {"ZE_", "ZES_", "ZET_", "ZEL_", "ZEROTH_"})
    if (variable.starts_with(prefix)) return true;
  return false;
}

} // namespace

Findings examine_configuration(const Config& config) {
  Findings findings;
  for (const std::string& problem : config.problems)
    findings.push_back({Finding::Level::Problem, "configuration", "", problem,
                        "mend it (`zeroth config check` tells when it is right); until then the default is in force"});
  findings.push_back({Finding::Level::Good, "configuration", config.source, "in force", ""});
  return findings;
}

Findings examine_plugins(const Config& config) {
  Findings findings, options;
  const Warnings warnings;
  // Instances of their own, so that the program's later init finds its plugins untouched; kept, as a session keeps
  // them.
  HostSettings settings = HostSettings::of_process();
  settings.fresh_copies = true;
  PluginHost& host = *new PluginHost(config, settings);
  auto& session = *new registry::Session([&host](bool) { return entry::found_in(host); });
  static auto& kept = *new std::vector<registry::Session*>; // also after exit has destroyed what is static
  kept.push_back(&session);
  session.init_core(~registry::Types()); // overlays may refuse drivers, drivers may have no devices
  for (const PluginReport& report : host.reports()) {
    const bool wanted = report.state != PluginState::Absent; // nobody has to install what is optional
    findings.push_back({level_of(report), "plugins", report.name, text_of(report), wanted ? report.advice : ""});
    for (const std::string& note : report.notes)
      findings.push_back({Finding::Level::Problem, "plugins", report.name, note, "correct it; it has no effect"});
    for (const std::string& line : warnings.of(report))
      findings.push_back({Finding::Level::Problem, "plugins", report.name, line, ""});
    for (const PluginOption& option : report.options)
      options.push_back({Finding::Level::Note, "options", report.name, text_of(option), ""});
  }
  if (host.drivers().empty()) findings.push_back(no_driver(config));
  findings.insert(findings.end(), options.begin(), options.end());
  return findings;
}

Findings examine_environment() {
  Findings findings;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    const size_t at = std::min(text.find('='), text.size());
    if (steers_level_zero(text))
      findings.push_back({Finding::Level::Note, "environment", std::string(text.substr(0, at)),
                          std::string(text.substr(std::min(at + 1, text.size()))), ""});
  }
  return findings;
}

bool has_problem(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.level == Finding::Level::Problem; });
}

Json findings_report(const Findings& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings)
    list.push_back({{"level", word(finding.level)},
                    {"area", finding.area},
                    {"subject", finding.subject},
                    {"text", finding.text},
                    {"advice", finding.advice}});
  return list;
}

void print_findings(const Console& console, const Findings& findings) {
  std::string area;
  for (const Finding& finding : findings) {
    if (finding.area != area) console.line((area.empty() ? "" : "\n") + finding.area, Tone::Strong);
    area = finding.area;
    const std::string subject = finding.subject.empty() ? "" : finding.subject + ": ";
    console.field(word(finding.level), subject + finding.text, 2, 10, tone(finding.level));
    if (!finding.advice.empty()) console.field("", "try: " + finding.advice, 2, 10);
  }
}

} // namespace zeroth::cli
