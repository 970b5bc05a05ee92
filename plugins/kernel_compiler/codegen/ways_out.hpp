// Gives every path of a kernel body an end, where one has none: the block that returns.
#pragma once

#include <llvm/IR/PassManager.h>

namespace zeroth::codegen {

// An endless loop gets a way out that is never taken, so that each of its work-items has a place where it would meet
// the others; where no work-item enters it, nothing changes. What cannot be reached returns.
struct AddWaysOut : llvm::PassInfoMixin<AddWaysOut> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace zeroth::codegen
