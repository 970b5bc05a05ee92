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

// Gives the module the machine's triple and data layout, and every function its CPU and features.
void set_target(llvm::Module& module, const llvm::TargetMachine& machine);

// Bits of the widest vector that code for this machine should use.
unsigned vector_bits(const llvm::TargetMachine& machine);

// Lowers the module to an ELF object; `assembly`, when not null, receives the text too.
llvm::SmallVector<char, 0> emit_object(llvm::Module& module, llvm::TargetMachine& machine, std::string* assembly);

} // namespace zeroth::codegen
