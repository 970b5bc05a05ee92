#include "cli/commands.hpp"

#include <cstdio>
#include <exception>

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
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "zeroth: %s\n", error.what());
    return 1;
  }
  return exit_status;
}
