// /proc/interrupts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace zeroth::sysman::parse {

// The sum over all processors of the line "MCE:", "THR:", …; absent when there is none.
std::optional<std::uint64_t> interrupts(std::string_view text, std::string_view name);

} // namespace zeroth::sysman::parse
