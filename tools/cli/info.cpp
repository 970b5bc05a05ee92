// `zeroth info`: drivers, their devices and what both can do.
#include "cli/commands.hpp"
#include "cli/device_report.hpp"

#include <level_zero/loader/ze_loader.h>

#include <fmt/format.h>

namespace zeroth::cli {
namespace {

struct InfoOptions {
  bool json = false;
  bool all = false;
};

std::string loader_version() {
  size_t count = 0;
  check(zelLoaderGetVersions(&count, nullptr), "zelLoaderGetVersions");
  std::vector<zel_component_version_t> components(count);
  check(zelLoaderGetVersions(&count, components.data()), "zelLoaderGetVersions");
  for (const auto& component : components)
    if (std::string_view(component.component_name) == "loader")
      return fmt::format("{}.{}.{}", component.component_lib_version.major, component.component_lib_version.minor,
                         component.component_lib_version.patch);
  return "unknown";
}

Json build_report(const std::vector<DriverEntry>& drivers) {
  Json list = Json::array();
  for (const DriverEntry& driver : drivers) {
    Json report = driver_report(driver.handle);
    report["devices"] = Json::array();
    for (ze_device_handle_t device : driver.devices) report["devices"].push_back(device_report(device));
    list.push_back(report);
  }
  return {{"loader", loader_version()}, {"drivers", list}};
}

void print_driver(const Console& console, const DriverEntry& driver, size_t index, bool all) {
  Json report = driver_report(driver.handle);
  const size_t known = report.contains("extensions") ? report["extensions"].size() : 0;
  if (!all) {
    report.erase("extensions");
    report["extensions"] = fmt::format("{} (listed by --all)", known);
  }
  console.line(fmt::format("Driver {}", index), Tone::Strong);
  console.tree(report, 2);
  size_t number = 0;
  for (ze_device_handle_t device : driver.devices) {
    console.line(fmt::format("  Device {}.{}", index, number++), Tone::Strong);
    console.tree(all ? device_report(device) : device_summary(device), 4);
  }
}

// JSON whatever happens: a script reads it.
int print_json() {
  std::vector<DriverEntry> drivers;
  std::string error;
  try {
    drivers = enumerate_drivers();
  } catch (const Failure& failure) {
    error = failure.what();
  }
  Json report = build_report(drivers);
  if (!error.empty()) report["error"] = error;
  fmt::print("{}\n", report.dump(2));
  return drivers.empty() ? 1 : 0;
}

int run_info(const InfoOptions& options) {
  if (options.json) return print_json();
  const auto drivers = enumerate_drivers();
  const Console console;
  console.line(fmt::format("Level Zero loader {}", loader_version()));
  for (size_t i = 0; i < drivers.size(); ++i) print_driver(console, drivers[i], i, options.all);
  if (!drivers.empty()) return 0;
  console.line("No driver. `zeroth doctor` tells why.", Tone::Bad);
  return 1;
}

} // namespace

void add_info_command(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "List drivers, devices and what they can do");
  command->add_flag("--json", options->json, "Everything, as JSON");
  command->add_flag("--all", options->all, "Every property and extension");
  command->footer("Exit status: 0 when there is a driver, 1 when there is none.");
  command->callback([options, &exit_status] { exit_status = run_info(*options); });
}

} // namespace zeroth::cli
