#include "config/nearest.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace zeroth {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  word = word.substr(0, 64); // longer ones are near to nothing
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view found;
  for (std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) best = distance, found = candidate;
  }
  return found;
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (candidates.empty()) return {};
  if (const auto near = nearest(word, candidates); !near.empty()) return fmt::format(" (did you mean `{}`?)", near);
  return fmt::format(" (one of: {})", fmt::join(candidates, ", "));
}

} // namespace zeroth
