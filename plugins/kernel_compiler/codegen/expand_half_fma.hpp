// Fused multiply-add of half precision on machines whose vectors have no half arithmetic.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

// Replaces fma on halves, scalar or widened, by arithmetic on floats that rounds as if once; left to LLVM each would
// become a library call per work-item. Does nothing where the machine has the instruction.
void expand_half_fma(llvm::Module& module, const llvm::TargetMachine& machine);

} // namespace zeroth::codegen
