#include "cli/commands.hpp"

#include "config/nearest.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace {

// The first word that should have been a command but is none, told with the command it was given to; "" if none was.
std::string unknown_command(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string path = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    path += " " + command->get_name();
  }
  const auto words = command->remaining();
  if (words.empty() || command->get_subcommands([](const CLI::App*) { return true; }).empty()) return {};
  std::vector<std::string> names;
  for (const CLI::App* known : command->get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(known->get_name());
  const std::string_view near = zeroth::nearest(words.front(), {names.begin(), names.end()});
  const std::string meant = near.empty() ? "" : fmt::format(" (did you mean `{}`?)", near);
  return fmt::format("there is no command \"{}\"{}; see `{} --help`", words.front(), meant, path);
}

} // namespace

int main(int argc, char** argv) {
  int exit_status = 0;
  CLI::App app{"zeroth: look into, check and try a Level Zero runtime", "zeroth"};
  app.set_version_flag("--version", ZEROTH_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);
  zeroth::cli::add_info_command(app, exit_status);
  zeroth::cli::add_doctor_command(app, exit_status);
  zeroth::cli::add_config_command(app, exit_status);
  zeroth::cli::add_compile_command(app, exit_status);
  zeroth::cli::add_cache_command(app, exit_status);
  zeroth::cli::add_run_command(app, exit_status);
  zeroth::cli::add_sysman_command(app, exit_status);
  zeroth::cli::add_top_command(app, exit_status);
  zeroth::cli::add_completion_command(app, exit_status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string unknown = unknown_command(app);
    if (error.get_exit_code() == 0 || unknown.empty()) return app.exit(error) == 0 ? 0 : 2;
    std::fprintf(stderr, "zeroth: %s\n", unknown.c_str());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "zeroth: %s\n", error.what());
    return 1;
  }
  return exit_status;
}
