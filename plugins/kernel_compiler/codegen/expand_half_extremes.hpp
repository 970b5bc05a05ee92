// Minimum and maximum of half precision on machines whose vectors have no half arithmetic.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

// Replaces minnum and maxnum on halves, scalar or widened, by comparisons, and atomic ones by loops of
// compare-and-exchange; left to LLVM each would become a call of fminf or fmaxf, which compiled kernels do not have.
// Does nothing where the machine has the instructions.
void expand_half_extremes(llvm::Module& module, const llvm::TargetMachine& machine);

} // namespace zeroth::codegen
