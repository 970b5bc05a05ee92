// What has to be true of a module before forms are made of its kernels.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

// Inlines and simplifies; returns the kernels in module order. Throws CodegenError for what no form can run: dialect
// calls in functions that cannot be inlined (recursion, calls through pointers).
llvm::SmallVector<llvm::Function*> prepare_module(llvm::Module& module, llvm::TargetMachine& machine, bool quick);

} // namespace zeroth::codegen
