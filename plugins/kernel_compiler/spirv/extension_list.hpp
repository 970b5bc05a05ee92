// The SPIR-V extensions that modules may use, sorted by name, and the capabilities that they may declare, sorted by
// number: what devices report.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace zeroth::spirv {

std::span<const std::string_view> accepted_extensions();
std::vector<std::uint32_t> accepted_capabilities();

} // namespace zeroth::spirv
