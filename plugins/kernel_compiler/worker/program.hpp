// What a request asks for, read: one LLVM module of all inputs, and what they declare.
#pragma once

#include "../client/kernel_compiler.hpp"
#include "../spirv/reader.hpp"
#include "build_flags.hpp"

#include <llvm/IR/Module.h>

namespace zeroth::compiler {

struct Program {
  std::unique_ptr<llvm::Module> module;
  std::vector<spirv::Kernel> kernels;
  std::vector<spirv::Symbol> exports, imports; // imports that no input satisfies
  std::vector<SpecConstantInfo> constants;
};

// `kernels`: only these (all if empty). Throws BuildError.
Program read_program(const CompileRequest& request, const BuildFlags& flags, const std::vector<std::string>& kernels,
                     llvm::LLVMContext& context, BuildLog& log);

// What others find in the compiled code by name.
enum class Offer : uint8_t {
  Kernels,
  Functions,  // and the functions that the module exports
  Everything, // inline functions as well
};

// Ready for code generation: what is not offered hidden, built-in functions linked in. Throws BuildError.
void complete_program(Program& program, Offer offer);

} // namespace zeroth::compiler
