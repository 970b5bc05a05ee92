// A built-in function of one single-precision argument in the code that kernels get on this machine: widened by the
// kernel compiler, as a kernel that computes out[i] = f(in[i]).
#pragma once

#include <kernel_compiler/codegen/testing/test_program.hpp>

#include <array>
#include <string>

namespace zeroth::accuracy {

class CompiledBuiltin {
public:
  static constexpr size_t block = 4096; // arguments at a time

  explicit CompiledBuiltin(const std::string& name);
  uint32_t width() const; // work-items of a slice
  // Results of block arguments; one thread.
  const std::array<float, block>& operator()(const std::array<float, block>& arguments);

private:
  std::unique_ptr<codegen::testing::Program> program_;
  std::array<float, block> arguments_{}, results_{};
  codegen::testing::Arguments addresses_;
  codegen::testing::Session session_;
  zeroth_kernel_fn entry_;
};

} // namespace zeroth::accuracy
