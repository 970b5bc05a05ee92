// The SPIR-V extensions that modules may use, sorted by name: what devices report.
#pragma once

#include <span>
#include <string_view>

namespace zeroth::spirv {

std::span<const std::string_view> accepted_extensions();

} // namespace zeroth::spirv
