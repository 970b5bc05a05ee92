// `zeroth config check|show|schema`: whether a configuration is right, what is in force and why, and its format.
#include "cli/commands.hpp"
#include "cli/config_report.hpp"
#include "cli/console.hpp"

#include "config/load.hpp"
#include "config/rules.hpp"

#include <fmt/format.h>

namespace zeroth::cli {
namespace {

int check_file(const std::string& file) {
  const auto problems = check_config_file(file);
  for (const std::string& problem : problems) fmt::print("{}\n", problem);
  if (problems.empty()) fmt::print("{}: right\n", file);
  return problems.empty() ? 0 : 1;
}

int check_in_force() {
  const Config config = load_config(LoadRequest::of_process());
  for (const std::string& problem : config.problems) fmt::print("{}\n", problem);
  if (config.problems.empty()) fmt::print("{}: right\n", config.source);
  return config.problems.empty() ? 0 : 1;
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

  auto file = std::make_shared<std::string>();
  CLI::App* check = command->add_subcommand("check", "Find the mistakes of a file, or of what is in force");
  check->add_option("file", *file, "YAML file; left out: the configuration in force");
  check->footer("Exit status: 0 when it is right, 1 when it is not.");
  check->callback([file, &exit_status] { exit_status = file->empty() ? check_in_force() : check_file(*file); });

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
