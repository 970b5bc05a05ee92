// zeroth.byte_fraction (dialect.hpp): bytes as fractions of 255, scalar or widened.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

// Replaces the calls by arithmetic: two instructions for sixteen work-items where the machine's instructions can choose
// how they round, a conversion and two multiplications elsewhere. Both are exact (expand_byte_fractions_test).
void expand_byte_fractions(llvm::Module& module, const llvm::TargetMachine& machine);

} // namespace zeroth::codegen
