// `zeroth sysman`: power, temperatures, clocks, activity and memory of every device, once.
#include "cli/commands.hpp"
#include "cli/sysman_report.hpp"

#include <fmt/format.h>

namespace zeroth::cli {
namespace {

// Many engines and clocks say little one by one.
void shorten(Json& report, const char* list, const char* all_of_them, std::size_t most) {
  if (!report.contains(list) || report[list].size() <= most) return;
  Json few = Json::array();
  for (std::size_t i = 0; i < most; ++i) few.push_back(report[list][i]);
  report[all_of_them] = fmt::format("{} (listed by --all)", report[list].size());
  report[list] = few;
}

int run_sysman(bool json, bool all) {
  Json list = Json::array();
  for (const SysmanDriver& driver : enumerate_sysman())
    for (zes_device_handle_t device : driver.devices) list.push_back(sysman_report(driver.handle, device));
  if (json) {
    fmt::print("{}\n", Json{{"devices", list}}.dump(2));
    return list.empty() ? 1 : 0;
  }
  const Console console;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!all) {
      shorten(list[i], "engine", "engines", 1);
      shorten(list[i], "frequency", "frequencies", 1);
      shorten(list[i], "temperature", "temperatures", 4);
    }
    console.line(fmt::format("Device {}", i), Tone::Strong);
    console.tree(list[i], 2);
  }
  if (list.empty()) console.line("No device. `zeroth doctor` tells why.", Tone::Bad);
  return list.empty() ? 1 : 0;
}

} // namespace

void add_sysman_command(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand("sysman", "Read power, temperatures, clocks and memory");
  auto options = std::make_shared<std::pair<bool, bool>>(false, false);
  command->add_flag("--json", options->first, "Everything, as JSON");
  command->add_flag("--all", options->second, "Every engine, clock and sensor");
  command->footer("Exit status: 0 when there is a device, 1 when there is none.");
  command->callback([options, &exit_status] { exit_status = run_sysman(options->first, options->second); });
}

} // namespace zeroth::cli
