// SPIR-V (OpenCL environment, 1.0 to 1.6) → LLVM IR in the kernel dialect (../dialect.hpp). Every input ends in a
// module that LLVM's verifier accepts, or in no module and a log that says what is wrong and where; nothing is thrown,
// no input stops the process. Threads: any, one LLVM context each. The context owns the types of the module it gets.
#pragma once

#include "inspect.hpp"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace zeroth::spirv {

struct ReadOptions {
  std::vector<SpecConstantValue> spec_constants;
  // Kernels to build; empty: all. Only functions that these (and exports) reach are read.
  std::vector<std::string> kernels;
  bool exports = true;    // build exported functions and variables too
  bool debug_info = true; // source lines and variables, when the module has them
  std::string module_name = "kernels";
};

struct ReadResult {
  ReadResult();
  ReadResult(ReadResult&&) noexcept;
  ReadResult& operator=(ReadResult&&) noexcept;
  ~ReadResult();

  std::unique_ptr<llvm::Module> module; // null: failed
  Inspection info;
  std::string log; // empty when there is nothing to say
  bool ok() const { return module != nullptr; }
};

ReadResult read_spirv(std::span<const uint32_t> words, const ReadOptions& options, llvm::LLVMContext& context);

} // namespace zeroth::spirv
