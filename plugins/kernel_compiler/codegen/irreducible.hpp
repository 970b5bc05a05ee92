// Cycles that a program enters at more than one place, as goto into a loop makes them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace zeroth::codegen {

bool has_irreducible_cycles(const llvm::Function& body);

// Gives such cycles one entry each, so that they are loops.
struct MakeLoopsOfCycles : llvm::PassInfoMixin<MakeLoopsOfCycles> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace zeroth::codegen
