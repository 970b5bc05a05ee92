// Loops in which each work-item goes through data by strides of its own until the data ends: "for (i = id; i < n; i += size)".
// All work-items of a slice go on together until the last rounds. Such a loop gets a version before it that goes on while
// all do, and so needs no masks; what is left goes through the loop as it was.
//
//   if (i < n)                      all of i < n?  no ▶ if (i < n) ─┐
//     do … while (i < n)    ▶           │ yes                       ▼
//                               do … while all of i < n  ▶ if (i < n) do … while (i < n)
#pragma once

#include "../slice_function.hpp"
#include "divergence.hpp"

namespace zeroth::codegen {

// `body` is ready for widening in `shape`. The questions are those of full_slices.hpp.
void expect_full_loops(llvm::Function& body, const Shape& shape);

// Is the loop one of them? Are there any?
bool is_full_loop(llvm::Loop& loop, const Divergence& divergence);
bool has_full_loops(const FunctionLayout& layout, const Divergence& divergence);

} // namespace zeroth::codegen
