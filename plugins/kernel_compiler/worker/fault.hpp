// Faults on demand: the tests of limits and restarts need a compiler that crashes, hangs or grows at will.
#pragma once

#include "build_log.hpp"

namespace zeroth::compiler {

// Returns at once unless `kind` is crash, hang, memory, killed, slow, or sandbox, which logs what the process may
// still do.
void cause_fault(const std::string& kind, BuildLog& log);

} // namespace zeroth::compiler
