// OpenCL C functions that a producer left as imports under their mangled C++ names (LLVM's SPIR-V back end does so for
// atomics on integers, sub-group barriers and more). Each becomes a small function of one SPIR-V instruction.
#pragma once

#include "emitter.hpp"

namespace zeroth::spirv {

// Whether the reader provides a body for an import of this name.
bool is_library_function(std::string_view mangled);
// Gives the declared function its body; only for names that is_library_function() knows.
void define_library_function(ModuleReader& reader, const FunctionRange& range, std::string_view mangled,
                             llvm::Function& function);

} // namespace zeroth::spirv
