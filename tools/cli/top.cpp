// `zeroth top`: what every device does, live. A picture where a person looks, plain lines where a program reads, and
// Prometheus' format in a file or on a port.
#include "cli/commands.hpp"
#include "cli/metrics_server.hpp"
#include "cli/prometheus.hpp"
#include "cli/screen.hpp"
#include "cli/sysman_report.hpp"
#include "cli/top_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace zeroth::cli {
namespace {

struct TopOptions {
  double interval = 1;
  uint64_t count = 0; // 0: until it is stopped
  std::string prometheus;
};

std::vector<Json> reports(const std::vector<SysmanDriver>& drivers) {
  std::vector<Json> all;
  for (const SysmanDriver& driver : drivers)
    for (zes_device_handle_t device : driver.devices) all.push_back(sysman_report(driver.handle, device));
  return all;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Draws again whenever the window changes. False when it is time to end.
bool waits(const Waiter& waiter, double seconds, Screen* screen, const std::vector<TopRow>& rows) {
  using Wake = Waiter::Wake;
  for (const double end = now() + seconds;;) {
    const Wake wake = waiter.wait(end - now());
    if (wake == Wake::Time || wake == Wake::End) return wake == Wake::Time;
    if (screen == nullptr) continue;
    if (wake == Wake::Stop) screen->stop_program();
    screen->draw(top_page(rows, Screen::size().columns, Screen::size().rows));
  }
}

int show(const std::vector<SysmanDriver>& drivers, const TopOptions& options) {
  constexpr double Soon = 0.2; // until the first picture, whose rates need two looks
  TopModel model;
  std::vector<TopRow> rows = model.update(reports(drivers), now());
  std::optional<Screen> screen;
  if (Screen::is_there()) screen.emplace();
  const Waiter waiter(screen.has_value());
  for (uint64_t shown = 0; options.count == 0 || shown < options.count; ++shown) {
    const double seconds = screen && shown == 0 ? std::min(options.interval, Soon) : options.interval;
    if (!waits(waiter, seconds, screen ? &*screen : nullptr, rows)) break;
    rows = model.update(reports(drivers), now());
    if (screen)
      screen->draw(top_page(rows, Screen::size().columns, Screen::size().rows));
    else
      for (const TopRow& row : rows) fmt::print("{}\n", top_plain_line(row));
    std::fflush(stdout);
  }
  return 0;
}

int write_metrics(const std::vector<SysmanDriver>& drivers, const TopOptions& options) {
  const auto text = [&] { return prometheus_text(reports(drivers)); };
  if (options.prometheus == "-") return fmt::print("{}", text()), 0;
  if (options.prometheus.find(':') != std::string::npos) return serve_metrics(options.prometheus, options.count, text);
  const Waiter waiter(false);
  for (uint64_t written = 0; options.count == 0 || written < options.count; ++written) {
    if (written > 0 && waiter.wait(options.interval) == Waiter::Wake::End) break;
    replace_file(options.prometheus, text());
  }
  return 0;
}

int run_top(const TopOptions& options) {
  const auto drivers = enumerate_sysman();
  bool any = false;
  for (const SysmanDriver& driver : drivers) any = any || !driver.devices.empty();
  if (!any) throw Failure("no device tells anything; `zeroth doctor` says why");
  return options.prometheus.empty() ? show(drivers, options) : write_metrics(drivers, options);
}

} // namespace

void add_top_command(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<TopOptions>();
  CLI::App* command = app.add_subcommand("top", "Watch what every device does");
  command->add_option("--interval", options->interval, "Seconds between two looks")->check(CLI::Range(0.05, 3600.0));
  command->add_option("--count", options->count, "End after so many looks");
  command->add_option("--prometheus", options->prometheus, "Prometheus to FILE or [HOST]:PORT; no value: print")
      ->expected(0, 1)
      ->default_str("-");
  command->footer("A terminal gets a live picture (q quits), a pipe gets plain lines.\n"
                  "--prometheus gives that format instead: - prints it once; a FILE is written anew\n"
                  "after every --interval, --count times; a port answers --count requests. Without\n"
                  "--count the last two go on until you stop them.");
  command->callback([options, command, &exit_status] {
    if (command->count("--prometheus") > 0 && options->prometheus.empty()) options->prometheus = "-";
    exit_status = run_top(*options);
  });
}

} // namespace zeroth::cli
