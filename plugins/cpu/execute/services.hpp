// What compiled kernels may call back: the constant table of kernel_abi.h.
#pragma once
#include <kernel_compiler/kernel_abi.h>

namespace zeroth::cpu {

const zeroth_services& kernel_services();

// Makes what kernels have printed visible; called where a host thread has waited for them.
void flush_printed();

} // namespace zeroth::cpu
