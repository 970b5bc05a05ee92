// The commands of `zeroth`, one function and one file each. A command sets `exit_status` when it has run; failures are
// thrown as Failure and end the program with status 1 and one line on stderr.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <stdexcept>
#include <string>

namespace zeroth::cli {

// What went wrong, in words for the person at the terminal.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void add_info_command(CLI::App& app, int& exit_status);
void add_doctor_command(CLI::App& app, int& exit_status);
void add_config_command(CLI::App& app, int& exit_status);
void add_compile_command(CLI::App& app, int& exit_status);
void add_cache_command(CLI::App& app, int& exit_status);
void add_run_command(CLI::App& app, int& exit_status);
void add_sysman_command(CLI::App& app, int& exit_status);
void add_top_command(CLI::App& app, int& exit_status);
void add_completion_command(CLI::App& app, int& exit_status);

} // namespace zeroth::cli
