// A module of many kernels that is only inspected at first: a kernel is compiled when it is asked for, alone or with a
// few neighbours. One who asks for kernel after kernel finds the next ones already under way.
#pragma once

#include "toolchain.hpp"

namespace zeroth::compiler {

// Null when the request is for one compile: a small module, one whose kernels belong together, one that asks for a
// report, or one that cannot be read (the compile will say why).
ModulePtr open_lazily(std::shared_ptr<const Toolchain> toolchain, const CompileRequest& request);

} // namespace zeroth::compiler
