// Whether what a person gave for an argument is one for the kernel's parameter. The library takes any size and any
// bits, as the specification has it; a person at the terminal wants to be told. Pure.
#pragma once

#include "cli/run_argument.hpp"

#include <kernel_compiler/spirv/inspect.hpp>

#include <string>

namespace zeroth::cli {

// Words for people on what is wrong; "" when it fits.
std::string mismatch(const Argument& given, const spirv::Argument& parameter);

} // namespace zeroth::cli
