// Source lines for debuggers and profilers.
#pragma once

namespace llvm {
class Module;
}

namespace zeroth::codegen {

// Instructions carry the lines of the kernel that they were made from, but the functions made of them (see
// slice_function.hpp) belong to no source. Each gets a description of its own, with the kernel's name and place, and its
// instructions' places move there. Does nothing without debug information.
void attach_lines(llvm::Module& module);

} // namespace zeroth::codegen
