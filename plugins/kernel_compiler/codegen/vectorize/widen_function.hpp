// Whole-function vectorisation: a kernel body becomes a slice function that runs W work-items at once.
#pragma once

#include "../codegen.hpp"
#include "widen_state.hpp"

namespace zeroth::codegen {

// `body` must be canonical (run_canonical_pipeline) with primitive queries only (expand_queries); it is changed in its
// control flow. Returns a new internal slice function of the given shape; group queries are still calls.
// Slices that expect_full_slices turns away go to `smaller`.
// Throws NotVectorizable, leaving nothing behind but the changed body.
llvm::Function* widen_function(llvm::Function& body, const Shape& shape, KernelReport& report,
                               const SmallerSlice& smaller = {});

} // namespace zeroth::codegen
