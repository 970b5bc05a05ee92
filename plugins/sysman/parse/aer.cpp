#include "aer.hpp"

#include "numbers.hpp"

namespace zeroth::sysman::parse {

std::optional<LinkErrors> link_errors(std::string_view text) {
  LinkErrors errors;
  bool known = false;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    const std::string_view name = next_word(line);
    const auto count = integer(line);
    if (!count || *count < 0) continue;
    const auto number = static_cast<std::uint64_t>(*count);
    const bool replay = name == "BadTLP" || name == "BadDLLP" || name == "Timeout", retraining = name == "Rollover";
    if (replay) errors.replays += number;
    if (retraining) errors.retrainings += number;
    known = known || replay || retraining;
  }
  return known ? std::optional(errors) : std::nullopt;
}

} // namespace zeroth::sysman::parse
