// Functions around a slice function: one work-group, a range of work-groups, the exported entry.
#pragma once

#include "codegen.hpp"
#include "slice_function.hpp"

namespace zeroth::codegen {

// A group function that runs the slices one after the other.
llvm::Function* make_loop_group(llvm::Function& slice, const Shape& shape);

// A group function that gives the slices to services->run_slices.
llvm::Function* make_fiber_group(llvm::Function& slice, const Shape& shape);

// A range function that runs group after group.
llvm::Function* make_range(llvm::Function& group);

// One form of a kernel and the launches it serves.
struct Form {
  Shape shape;
  llvm::Function* group = nullptr;
  llvm::Function* range = nullptr; // null: services->run_groups goes from group to group
  llvm::Function* slice = nullptr; // what `group` is to call, where it serves several kernels (shared_group.hpp)
};

// The exported zeroth_kernel_fn: calls the first form that serves the launch; the last one must serve all.
llvm::Function* make_entry(llvm::Module& module, llvm::StringRef symbol, llvm::ArrayRef<Form> forms);

} // namespace zeroth::codegen
