// Object code of a program. Large programs are cut into parts that threads generate side by side.
#pragma once

#include "../codegen/codegen.hpp"
#include "program.hpp"

namespace zeroth::compiler {

// Consumes the program's module. The objects belong together in one link. Throws BuildError and CodegenError.
std::vector<codegen::CompiledObject> generate_code(Program& program, const CompileRequest& request,
                                                   const CpuTarget& cpu, const BuildFlags& flags);

} // namespace zeroth::compiler
