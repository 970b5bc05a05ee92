// The machine that code is made for.
#pragma once

#include "codegen.hpp"

#include <memory>

namespace llvm {
class TargetMachine;
}

namespace zeroth::codegen {

// Throws CodegenError when LLVM does not know the CPU. Safe from any thread.
std::unique_ptr<llvm::TargetMachine> create_target_machine(const CpuTarget& cpu);

// The calling thread's own machine for this CPU: made once, since that takes longer than compiling a small kernel.
// `quick`: it hardly optimises. Throws as above.
llvm::TargetMachine& machine_for(const CpuTarget& cpu, bool quick);

// Gives the module the machine's triple and data layout, and every function its CPU and features.
void set_target(llvm::Module& module, const llvm::TargetMachine& machine);

// Bits of the widest vector that code for this machine should use.
unsigned vector_bits(const llvm::TargetMachine& machine);

} // namespace zeroth::codegen
