// IR text or OpenCL-made IR to loaded kernels, for tests and the bench.
#pragma once

#include "../codegen.hpp"
#include "test_device.hpp"

#include <memory>
#include <string>
#include <string_view>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen::testing {

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext& context, std::string_view text);

// A module that clang made from OpenCL C for spir64 (-emit-llvm), renamed to the kernel dialect.
std::unique_ptr<llvm::Module> read_opencl(llvm::LLVMContext& context, const std::string& path);

// This machine, or what $ZEROTH_TEST_CPU names ("x86-64-v3").
CpuTarget test_cpu();

// Links objects by lld to one library and loads it; the caller closes it. Throws std::runtime_error.
void* link_and_load(const std::vector<std::string>& objects);

// Kernels that were compiled, linked by lld and loaded. Lives as long as its entries are called.
class Program {
public:
  Program(std::unique_ptr<llvm::Module> module, CompileOptions options);
  ~Program();
  Program(Program&&) = delete;

  static std::unique_ptr<Program> from_text(std::string_view text, CompileOptions options = {});
  static std::unique_ptr<Program> from_opencl(const std::string& path, CompileOptions options = {});

  const KernelCode& kernel(std::string_view name) const;
  zeroth_kernel_fn entry(std::string_view name) const;
  const std::string& assembly() const { return assembly_; } // with $ZEROTH_TEST_ASSEMBLY set
  const std::string& ir() const { return ir_; }             // with $ZEROTH_TEST_IR set
  Memory memory(std::string_view kernel, const Arguments& arguments, const Launch& launch) const;
  std::string run(std::string_view kernel, const Arguments& arguments, const Launch& launch) const;

private:
  CompiledObject compiled_;
  std::string assembly_, ir_;
  void* library_ = nullptr;
};

} // namespace zeroth::codegen::testing
