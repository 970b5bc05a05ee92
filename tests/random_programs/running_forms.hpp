// A kernel is compiled in several forms, of which a launch runs one (and the smaller ones that it falls back on).
#pragma once

#include "program.hpp"

namespace llvm {
class Module;
}

namespace zeroth::random_programs {

// Drops, before code is generated, the forms that no launch of this program's size runs: half of the work for the same
// result.
void keep_running_forms(llvm::Module& module, const Program& program);

} // namespace zeroth::random_programs
