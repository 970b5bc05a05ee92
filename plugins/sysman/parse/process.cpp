#include "process.hpp"

#include "numbers.hpp"

namespace zeroth::sysman::parse {

// size resident shared text …
std::optional<ProcessPages> process_pages(std::string_view text) {
  next_word(text);
  const auto resident = integer(next_word(text)), shared = integer(next_word(text));
  if (!resident || !shared || *resident < 0 || *shared < 0) return std::nullopt;
  return ProcessPages{static_cast<std::uint64_t>(*resident), static_cast<std::uint64_t>(*shared)};
}

} // namespace zeroth::sysman::parse
