// A kernel with its arguments taken from the launch: the scalar source of every form.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
} // namespace llvm

namespace zeroth::codegen {

// What the names of a kernel's functions begin with, behind the kernel's name.
inline constexpr const char* BodySuffix = ".body";

struct KernelBody {
  llvm::Function* function = nullptr; // a slice function that still calls the dialect; internal
  uint64_t local_bytes = 0;           // of its static work-group memory
};

// Clones `kernel` into a slice function: argument loads and the addresses of local variables come first.
KernelBody make_kernel_body(llvm::Function& kernel);

} // namespace zeroth::codegen
