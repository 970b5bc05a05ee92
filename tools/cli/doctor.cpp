// `zeroth doctor`: what is wrong, and what to do about it.
#include "cli/commands.hpp"
#include "cli/config_report.hpp"
#include "cli/findings.hpp"

#include "config/load.hpp"
#include "plugin_host/host.hpp"

#include <fmt/format.h>
#include <zeroth/api/assumed.hpp>

#include <cstdlib>

namespace zeroth::cli {
namespace {

struct DoctorOptions {
  bool json = false;
  bool assumed = false;
  bool options = false;
};

Config config_in_force() {
  Config config = load_config(LoadRequest::of_process());
  if (const char* list = std::getenv("ZE_ENABLE_ALT_DRIVERS"); list && *list) use_alternative_drivers(config, list);
  return config;
}

Findings examine_all() {
  Findings all;
  const auto add = [&](const Findings& some) { all.insert(all.end(), some.begin(), some.end()); };
  add(examine_loader());
  try {
    const Config config = config_in_force();
    add(examine_configuration(config));
    add(examine_plugins(config));
  } catch (const std::exception& error) { // a wrong file that says `strict: true`
    add({{Finding::Level::Problem, "configuration", "", error.what(), "mend it, or take `strict: true` out"}});
  }
  add(examine_devices());
  add(examine_environment());
  return all;
}

void print_assumed(const Console& console) {
  console.line("Facts of the API that no public document states", Tone::Strong);
  for (const AssumedFact& fact : assumed_facts) {
    console.line(fmt::format("  {} {}", fact.kind, fact.name));
    console.field("", fact.basis, 6, 0, Tone::Faint);
  }
}

Json assumed_report() {
  Json list = Json::array();
  for (const AssumedFact& fact : assumed_facts)
    list.push_back({{"kind", fact.kind}, {"name", fact.name}, {"basis", fact.basis}});
  return list;
}

int run_doctor(const DoctorOptions& options) {
  Findings findings = examine_all();
  const bool sick = has_problem(findings);
  if (options.json) {
    fmt::print(
        "{}\n",
        Json{{"healthy", !sick}, {"findings", findings_report(findings)}, {"assumed", assumed_report()}}.dump(2));
    return sick;
  }
  const Console console;
  if (!options.options) std::erase_if(findings, [](const Finding& finding) { return finding.area == "options"; });
  print_findings(console, findings);
  console.line();
  if (options.assumed) print_assumed(console);
  console.line(sick ? "There are problems." : "All is well.", sick ? Tone::Bad : Tone::Good);
  return sick;
}

} // namespace

void add_doctor_command(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command = app.add_subcommand("doctor", "Find out what is wrong, and what to do");
  command->add_flag("--json", options->json, "As JSON");
  command->add_flag("--options", options->options, "List the options that plugins take, too");
  command->add_flag("--assumed", options->assumed, "List the API facts that rest on assumptions");
  command->footer("Every setting in force and its origin: `zeroth config show`.\n"
                  "Exit status: 0 when all is well, 1 when there is a problem.");
  command->callback([options, &exit_status] { exit_status = run_doctor(*options); });
}

} // namespace zeroth::cli
