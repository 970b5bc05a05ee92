// `zeroth config check|show|schema`: whether a configuration is right, what is in force and why, and its format.
#include "cli/commands.hpp"
#include "cli/config_report.hpp"
#include "cli/console.hpp"
#include "cli/warnings.hpp"

#include "config/load.hpp"
#include "config/rules.hpp"
#include "plugin_host/host.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace zeroth::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> files; // none: what is in force
  bool file_only = false;
};

void add_problems(std::vector<std::string>& problems, const PluginReport& report, const Origin& where) {
  if (report.state == PluginState::Failed) problems.push_back(fmt::format("{}: {}", where.text(), log_line(report)));
  problems.insert(problems.end(), report.notes.begin(), report.notes.end());
  for (const std::string& line : own_warnings(report)) problems.push_back(fmt::format("{}: {}", where.text(), line));
}

// What the plugins that it names say of it: those that cannot be loaded, and options that they do not take.
std::vector<std::string> problems_with_plugins(const Config& config) {
  const PluginHost host(config, HostSettings::of_process());
  std::vector<std::string> problems;
  const size_t drivers = config.drivers.size();
  for (size_t i = 0; i < host.reports().size(); ++i) {
    const PluginConfig& entry =
        i < drivers ? static_cast<const PluginConfig&>(config.drivers[i]) : config.overlays[i - drivers];
    add_problems(problems, host.reports()[i], entry.origin);
  }
  return problems;
}

// `file` empty: what is in force.
bool is_right(const std::string& file, bool file_only) {
  LoadRequest request = LoadRequest::of_process();
  if (!file.empty()) request.environment_file = std::filesystem::absolute(file);
  std::string source = file;
  std::vector<std::string> problems;
  if (!file.empty()) problems = check_config_file(file);
  if (problems.empty()) {
    const Config config = load_config(request);
    if (file.empty()) problems = config.problems, source = config.source;
    if (problems.empty() && !file_only) problems = problems_with_plugins(config);
  }
  for (const std::string& problem : problems) fmt::print("{}\n", problem);
  if (problems.empty()) fmt::print("{}: right\n", source);
  return problems.empty();
}

int check(const CheckOptions& options) {
  if (options.files.empty()) return is_right("", options.file_only) ? 0 : 1;
  int status = 0;
  for (const std::string& file : options.files)
    if (!is_right(file, options.file_only)) status = 1;
  return status;
}

int show(const std::string& program, bool json) {
  LoadRequest request = LoadRequest::of_process();
  request.program = {program};
  const Config config = load_config(request);
  if (json) {
    fmt::print("{}\n", config_report(config).dump(2));
  } else {
    print_config(Console(), config);
  }
  return config.problems.empty() ? 0 : 1;
}

} // namespace

void add_config_command(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand("config", "Check, show or describe the configuration");
  command->require_subcommand(1);

  auto options = std::make_shared<CheckOptions>();
  CLI::App* check_command = command->add_subcommand("check", "Find the mistakes of a file, or of what is in force");
  check_command->add_option("files", options->files, "YAML files; left out: the configuration in force");
  check_command->add_flag("--file-only", options->file_only, "Do not load the plugins that it names");
  check_command->footer("Exit status: 0 when it is right, 1 when it is not.");
  check_command->callback([options, &exit_status] { exit_status = check(*options); });

  auto program = std::make_shared<std::string>("zeroth");
  auto json = std::make_shared<bool>(false);
  CLI::App* show_command = command->add_subcommand("show", "Every setting in force, and where it comes from");
  show_command->add_option("--program", *program, "As a program of this name sees it (profiles)");
  show_command->add_flag("--json", *json, "As JSON");
  show_command->callback([program, json, &exit_status] { exit_status = show(*program, *json); });

  CLI::App* schema = command->add_subcommand("schema", "The format as JSON Schema, for editors");
  schema->callback([] { fmt::print("{}", embedded_schema_text()); });
}

} // namespace zeroth::cli
