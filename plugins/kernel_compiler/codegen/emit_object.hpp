// From LLVM IR to an ELF object.
#pragma once

#include "codegen.hpp"

#include <cstdint>
#include <map>
#include <string>

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace zeroth::codegen {

// Bytes of stack frames by function; functions without a frame are left out.
using FrameSizes = std::map<std::string, uint64_t>;

// Lowers the module to an ELF object; `assembly`, when not null, receives the text too. Throws CodegenError.
llvm::SmallVector<char, 0> emit_object(llvm::Module& module, llvm::TargetMachine& machine, FrameSizes& frames,
                                       std::string* assembly);

} // namespace zeroth::codegen
