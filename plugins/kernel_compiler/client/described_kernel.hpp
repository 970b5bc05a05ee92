// What SPIR-V says of a kernel, in the words of this library.
#pragma once

#include "../spirv/inspect.hpp"
#include "kernel_compiler.hpp"

namespace zeroth::compiler {

// Without code: entry, width and all that only a compile can tell are left at their defaults.
KernelInfo describe(const spirv::Kernel& kernel);

} // namespace zeroth::compiler
