// More of the test kernels with inputs, by name of their SPIR-V file: what the reader makes of them runs as well.
#pragma once

#include <kernel_compiler/codegen/testing/kernel_cases.hpp>

namespace zeroth::aarch64 {

const std::vector<codegen::testing::KernelCase>& spirv_cases();

} // namespace zeroth::aarch64
