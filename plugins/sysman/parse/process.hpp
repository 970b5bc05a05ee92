// /proc/PID/statm.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace zeroth::sysman::parse {

struct ProcessPages {
  std::uint64_t resident = 0, shared = 0;
};
std::optional<ProcessPages> process_pages(std::string_view text);

} // namespace zeroth::sysman::parse
