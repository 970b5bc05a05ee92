#include "proc_stat.hpp"

#include "numbers.hpp"

namespace zeroth::sysman::parse {

// user nice system idle iowait irq softirq steal guest guest_nice; guests are part of user and nice.
std::optional<std::uint64_t> busy_ticks(std::string_view text, std::string_view processor) {
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (next_word(line) != processor) continue;
    std::uint64_t busy = 0;
    for (int column = 0; column < 8; ++column) {
      const auto value = integer(next_word(line));
      if (!value) return column > 3 ? std::optional(busy) : std::nullopt; // old kernels have fewer columns
      if (column != 3 && column != 4) busy += static_cast<std::uint64_t>(*value);
    }
    return busy;
  }
  return std::nullopt;
}

} // namespace zeroth::sysman::parse
