// Random kernels in the dialect: structured control flow that parts work-items in every way, legal barriers.
#pragma once

#include <cstdint>
#include <memory>

#include <llvm/IR/Module.h>

namespace zeroth::codegen::testing {

// Kernel "random"(ptr global const int* in, ptr global int* out, ptr local int* cells, i32 n). Work-item g writes
// out[g * RandomResults ...]; it reads in[0 .. RandomInputs) only. The same seed gives the same kernel.
constexpr unsigned RandomResults = 4;
constexpr unsigned RandomInputs = 256;
std::unique_ptr<llvm::Module> random_program(llvm::LLVMContext& context, uint32_t seed);

} // namespace zeroth::codegen::testing
