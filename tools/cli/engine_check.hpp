// `zeroth run --check-engines`: the kernel in every form that the compiler can give it, and whether they agree.
#pragma once

#include "cli/kernel_runner.hpp"

namespace zeroth::cli {

// Runs each form once on fresh buffers and compares all buffers, bit by bit, with those of the plainest form (one
// work-item at a time, a fiber each). Prints one line a form; returns the exit status: 0 when all agree.
int check_engines(const RunOptions& options);

} // namespace zeroth::cli
