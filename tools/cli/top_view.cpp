#include "cli/top_view.hpp"

#include "cli/bytes_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zeroth::cli {
namespace {

constexpr std::size_t HistoryLength = 512;

std::optional<double> number(const Json& report, const char* list, const char* key) {
  if (!report.contains(list)) return std::nullopt;
  for (const Json& item : report[list])
    if (item.contains(key)) return item[key].get<double>();
  return std::nullopt;
}

std::optional<double> sum(const Json& report, const char* list, const char* key) {
  std::optional<double> total;
  if (report.contains(list))
    for (const Json& item : report[list])
      if (item.contains(key)) total = total.value_or(0) + item[key].get<double>();
  return total;
}

// Growth of a counter in the growth of its time.
std::optional<double> rate(std::optional<double> before, std::optional<double> now, std::optional<double> from,
                           std::optional<double> to) {
  if (!before || !now || !from || !to || *to <= *from || *now < *before) return std::nullopt;
  return (*now - *before) / (*to - *from);
}

std::string value(const char* format, std::optional<double> number, const char* unit) {
  return number ? fmt::format(fmt::runtime(format), *number) + unit : "-";
}

} // namespace

const std::vector<TopRow>& TopModel::update(const std::vector<Json>& reports, double seconds) {
  rows_.resize(reports.size());
  last_.resize(reports.size());
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Json& report = reports[i];
    TopRow& row = rows_[i];
    Counters now{number(report, "engine", "active seconds"), number(report, "engine", "at"),
                 number(report, "power", "joules"), seconds};
    if (now.at) *now.at /= 1e6;
    const Counters before = std::exchange(last_[i], now);
    row.name = report.value("name", "device");
    row.busy = rate(before.active, now.active, before.at, now.at);
    if (row.busy) row.busy = std::min(*row.busy, 1.0);
    row.watts = number(report, "power", "watts");
    if (!row.watts) row.watts = number(report, "power", "watts, mean");
    if (!row.watts) row.watts = rate(before.joules, now.joules, before.seconds, now.seconds);
    row.celsius = number(report, "temperature", "celsius");
    row.megahertz = number(report, "frequency", "MHz");
    row.size = sum(report, "memory", "bytes");
    const auto free = sum(report, "memory", "free bytes");
    row.used = row.size && free ? std::optional(*row.size - *free) : std::nullopt;
    if (row.busy) row.history.push_back(*row.busy);
    if (row.history.size() > HistoryLength) row.history.pop_front();
  }
  return rows_;
}

std::string bar(double share, std::size_t cells) {
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(cells) + 0.5);
  return "[" + std::string(full, '|') + std::string(cells - full, ' ') + "]";
}

std::string history(const std::deque<double>& values, std::size_t columns) {
  static constexpr const char* Heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text(columns > values.size() ? columns - values.size() : 0, ' ');
  for (std::size_t i = values.size() - std::min(values.size(), columns); i < values.size(); ++i)
    text += Heights[static_cast<std::size_t>(std::clamp(values[i], 0.0, 1.0) * 7.999)];
  return text;
}

std::vector<std::string> top_lines(const TopRow& row, std::size_t width) {
  const std::size_t cells = width > 40 ? (width - 40) / 2 : 8;
  std::vector<std::string> lines{row.name};
  if (row.busy)
    lines.push_back(
        fmt::format("  busy   {} {:>4.0f} %  {}", bar(*row.busy, cells), *row.busy * 100, history(row.history, cells)));
  if (row.used && row.size && *row.size > 0)
    lines.push_back(fmt::format("  memory {} {:>4.0f} %  {} of {}", bar(*row.used / *row.size, cells),
                                *row.used / *row.size * 100, bytes_text(static_cast<uint64_t>(*row.used)),
                                bytes_text(static_cast<uint64_t>(*row.size))));
  std::string rest;
  if (row.watts) rest += fmt::format("  power {:.1f} W", *row.watts);
  if (row.celsius) rest += fmt::format("  temperature {:.0f} °C", *row.celsius);
  if (row.megahertz) rest += fmt::format("  clock {:.0f} MHz", *row.megahertz);
  if (!rest.empty()) lines.push_back(rest);
  return lines;
}

std::string top_plain_line(const TopRow& row) {
  const auto percent = [](std::optional<double> share) { return share ? std::optional(*share * 100) : std::nullopt; };
  const auto used = row.used && row.size ? std::optional(*row.used / *row.size) : std::nullopt;
  return fmt::format("{}: busy {}, memory {}, power {}, temperature {}, clock {}", row.name,
                     value("{:.0f}", percent(row.busy), " %"), value("{:.0f}", percent(used), " %"),
                     value("{:.1f}", row.watts, " W"), value("{:.0f}", row.celsius, " C"),
                     value("{:.0f}", row.megahertz, " MHz"));
}

std::vector<std::string> top_page(const std::vector<TopRow>& rows, std::size_t width, std::size_t height) {
  std::string last = "  q quits";
  std::vector<std::string> page;
  for (const TopRow& row : rows)
    for (std::string& line : top_lines(row, width)) page.push_back(std::move(line));
  const std::size_t room = std::max<std::size_t>(height, 1) - 1; // the last line has its own
  if (page.size() > room) {
    page.clear();
    for (const TopRow& row : rows) page.push_back(top_plain_line(row));
  }
  if (page.size() > room) {
    last += fmt::format(", {} more devices below the window", page.size() - room);
    page.resize(room);
  }
  if (page.size() + 1 < height) page.emplace_back();
  page.push_back(std::move(last));
  return page;
}

} // namespace zeroth::cli
