// Measures single-precision functions of one argument at all 2^32 arguments, in the code that kernels get. Fast
// references of bounded error say which arguments may be worse than the worst so far; only these are measured against
// the references of accuracy.hpp. The result is the same as if all were.
#pragma once

#include "compiled_builtin.hpp"

#include <kernel_compiler/builtins/accuracy.hpp>

namespace zeroth::accuracy {

// Blocks of neighbouring arguments: number `first`, `first` + `step`, and so on.
struct Blocks {
  static constexpr uint64_t all = (uint64_t{1} << 32) / CompiledBuiltin::block;
  uint64_t first = 0, step = 1;
};

// `function` has `f32` and a fast reference.
Measurement measure_blocks(const Function& function, const Blocks& blocks);

} // namespace zeroth::accuracy
