// A module that runs quick code until the best code is there. The exchange is one store per kernel: launches that are
// under way, and those that have loaded the old entry, end with it.
#pragma once

#include "toolchain.hpp"

namespace zeroth::compiler {

// May code of this request be exchanged while it runs? Not where kernels keep something in variables of the module, nor
// where the log of the best code is asked for.
bool may_be_replaced(const CompileRequest& request);

// `best` is still under way; a thread waits for it. If it fails, the quick code stays.
ModulePtr make_tiered_module(ModulePtr quick, Build best);

} // namespace zeroth::compiler
