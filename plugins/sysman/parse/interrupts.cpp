#include "interrupts.hpp"

#include "numbers.hpp"

namespace zeroth::sysman::parse {

std::optional<std::uint64_t> interrupts(std::string_view text, std::string_view name) {
  auto rest = value_of(text, name);
  if (!rest) {
    while (!text.empty() && !rest) { // names are set to the right
      const std::string_view line = trimmed(next_line(text));
      if (line.starts_with(name) && line.substr(name.size()).starts_with(':')) rest = line.substr(name.size() + 1);
    }
  }
  if (!rest) return std::nullopt;
  std::uint64_t sum = 0;
  bool any = false;
  for (std::string_view word = next_word(*rest); !word.empty(); word = next_word(*rest)) {
    const bool digits = word.find_first_not_of("0123456789") == std::string_view::npos;
    const auto count = digits ? integer(word) : std::nullopt;
    if (!count) break; // the words that explain the line
    sum += static_cast<std::uint64_t>(*count);
    any = true;
  }
  return any ? std::optional(sum) : std::nullopt;
}

} // namespace zeroth::sysman::parse
