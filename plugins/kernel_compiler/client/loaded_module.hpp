// A native binary that is mapped into this process.
#pragma once

#include "descriptor.hpp"
#include "kernel_compiler.hpp"

namespace zeroth::compiler {

// Checks `file`, maps it and resolves its entries. `descriptor`, if there is one, is an open file of the same content
// that nobody else can change. Throws CompileError (InvalidNativeBinary).
ModulePtr load_module(std::vector<std::byte> file, Descriptor descriptor = {});

} // namespace zeroth::compiler
