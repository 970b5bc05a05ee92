// What `zeroth top` shows: rows made from two reports of a device, as bars with a history or as one plain line.
#pragma once

#include "cli/console.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace zeroth::cli {

struct TopRow {
  std::string name;
  std::optional<double> busy; // 0 to 1
  std::optional<double> watts, celsius, megahertz;
  std::optional<double> used, size; // bytes
  std::deque<double> history;       // of busy, the newest last
};

// The rows of all devices, carried on by each new set of reports. Rates need two.
class TopModel {
public:
  const std::vector<TopRow>& update(const std::vector<Json>& reports, double seconds);

private:
  struct Counters {
    std::optional<double> active, at, joules, seconds;
  };
  std::vector<TopRow> rows_;
  std::vector<Counters> last_;
};

// [||||||    ] of so many cells.
std::string bar(double share, std::size_t cells);
// One column for each value, the newest at the right, in eight heights.
std::string history(const std::deque<double>& values, std::size_t columns);

std::vector<std::string> top_lines(const TopRow& row, std::size_t width);
std::string top_plain_line(const TopRow& row);

// All devices and the last line in at most so many lines: bars, else a line for each, else those that fit and how many
// do not.
std::vector<std::string> top_page(const std::vector<TopRow>& rows, std::size_t width, std::size_t height);

} // namespace zeroth::cli
