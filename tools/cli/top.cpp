// `zeroth top`: what every device does, live. A picture where a person looks, plain lines where a program reads, and
// Prometheus' format in a file or on a port.
#include "cli/commands.hpp"
#include "cli/metrics_server.hpp"
#include "cli/prometheus.hpp"
#include "cli/sysman_report.hpp"
#include "cli/top_view.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

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

volatile std::sig_atomic_t stopped = 0;
void stop(int) { stopped = 1; }

// Keys at once, no cursor; all is as before when it goes, also after a signal.
class Screen {
public:
  Screen() {
    tcgetattr(STDIN_FILENO, &before_);
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    std::fputs("\033[?1049h\033[?25l", stdout);
  }
  ~Screen() {
    std::fputs("\033[?25h\033[?1049l", stdout);
    std::fflush(stdout);
    tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  static std::size_t width() {
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  }
  void draw(const std::vector<TopRow>& rows) const {
    std::string page = "\033[H";
    for (const TopRow& row : rows)
      for (const std::string& line : top_lines(row, width())) page += line + "\033[K\n";
    page += "\033[K\n  q quits\033[J";
    std::fwrite(page.data(), 1, page.size(), stdout);
    std::fflush(stdout);
  }

private:
  termios before_{};
};

bool is_watched() { return isatty(STDOUT_FILENO) && isatty(STDIN_FILENO); }

// Sleeps; true when it is time to end.
bool pause(double seconds, bool keys) {
  pollfd input{keys ? STDIN_FILENO : -1, POLLIN, 0};
  if (poll(&input, 1, static_cast<int>(seconds * 1000)) > 0) {
    char key = 0;
    if (read(STDIN_FILENO, &key, 1) == 1 && (key == 'q' || key == 'Q' || key == 3)) return true;
  }
  return stopped;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int show(const std::vector<SysmanDriver>& drivers, const TopOptions& options) {
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  TopModel model;
  model.update(reports(drivers), now());
  std::optional<Screen> screen;
  if (is_watched()) screen.emplace();
  for (uint64_t shown = 0; options.count == 0 || shown < options.count; ++shown) {
    if (pause(screen && shown == 0 ? std::min(options.interval, 0.2) : options.interval, screen.has_value())) break;
    const auto& rows = model.update(reports(drivers), now());
    if (screen)
      screen->draw(rows);
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
  for (uint64_t written = 0; options.count == 0 || written < options.count; ++written) {
    if (written > 0 && pause(options.interval, false)) break;
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
                  "--prometheus writes that format instead, once (-), to a file or on a port.");
  command->callback([options, command, &exit_status] {
    if (command->count("--prometheus") > 0 && options->prometheus.empty()) options->prometheus = "-";
    exit_status = run_top(*options);
  });
}

} // namespace zeroth::cli
