// What a request asks for, seen without compiling it.
#pragma once

#include "kernel_compiler.hpp"

namespace zeroth::compiler {

// Do build flags ask for text or forms that belong to the module as a whole: a report, listings, debugging, linking?
bool wants_report(std::string_view flags);

// Does a SPIR-V module declare variables that live as long as the program's? Never throws; true when in doubt.
bool has_program_variables(Bytes spirv);

} // namespace zeroth::compiler
