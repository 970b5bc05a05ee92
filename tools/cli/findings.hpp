// What `zeroth doctor` looks at and what it finds. Each check is independent of the others and never throws: what it
// cannot find out is itself a finding.
#pragma once

#include "cli/console.hpp"

#include "config/config.hpp"

#include <string>
#include <vector>

namespace zeroth::cli {

struct Finding {
  enum class Level { Good, Note, Problem };
  Level level = Level::Good;
  std::string area;    // "loader", "configuration", "plugins", "options", "devices", "environment"
  std::string subject; // the file, plugin, device, … that it is about
  std::string text;
  std::string advice; // what to do; empty where there is nothing to do
};

using Findings = std::vector<Finding>;

Findings examine_configuration(const Config& config);
// Loads what the configuration names, as a program's first init would. Last, the options that plugins take.
Findings examine_plugins(const Config& config);
// Which libze_loader this process, and any program with its environment, has got.
Findings examine_loader();
// What a program gets from the loader: drivers, devices, and whether a kernel can be built and run on each.
Findings examine_devices();
// The environment variables that steer Level Zero and are set.
Findings examine_environment();

bool has_problem(const Findings& findings);
Json findings_report(const Findings& findings);
void print_findings(const Console& console, const Findings& findings);

} // namespace zeroth::cli
