// Runs a compiled program on the calling thread, with the plainest services that the kernel ABI allows.
#pragma once

#include "interpret.hpp"

#include <kernel_compiler/client/kernel_compiler.hpp>

namespace zeroth::random_programs {

void run_kernel(const compiler::KernelInfo& kernel, const Program& program, Buffers& buffers);

} // namespace zeroth::random_programs
