// Time that processors spent busy: /proc/stat. Reads nothing outside of its view, never throws.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace zeroth::sysman::parse {

// The busy ticks of the line "cpu" (all) or "cpuN"; waiting for disks is not work.
std::optional<std::uint64_t> busy_ticks(std::string_view text, std::string_view processor);

} // namespace zeroth::sysman::parse
