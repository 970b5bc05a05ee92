// What has to be true of a module before forms are made of its kernels.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

// Inlines and simplifies. Throws CodegenError for what no form can run: dialect calls in functions that cannot be
// inlined (recursion, calls through pointers).
void prepare_module(llvm::Module& module, llvm::TargetMachine& machine, bool quick);

// In module order.
llvm::SmallVector<llvm::Function*> kernels_of(llvm::Module& module);

} // namespace zeroth::codegen
