// One kernel to its forms and entry: decides width and engine.
#pragma once

#include "codegen.hpp"

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

// Adds the entry (and internal functions) to the kernel's module; the kernel itself stays as it was.
KernelCode compile_kernel(llvm::Function& kernel, llvm::TargetMachine& machine, const CompileOptions& options);

// Adds the unit's text under a heading.
void append_ir(std::string& text, const llvm::Function& function, const char* what);
void append_ir(std::string& text, const llvm::Module& module, const char* what);

// Throws CodegenError with LLVM's words when the module is not well-formed.
void verify(const llvm::Module& module, const char* step);

} // namespace zeroth::codegen
