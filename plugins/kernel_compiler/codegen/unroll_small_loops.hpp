// Asks for full unrolling of loops whose trip count is a small constant: private arrays that they index become values.
#pragma once

#include <llvm/IR/PassManager.h>

namespace zeroth::codegen {

// A loop with this property, and LLVM's to be left alone, is left alone.
inline constexpr const char* KeptLoop = "zeroth.loop.keep";

// Marks loops; LLVM's full unroller does the work.
struct MarkSmallLoops : llvm::PassInfoMixin<MarkSmallLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace zeroth::codegen
