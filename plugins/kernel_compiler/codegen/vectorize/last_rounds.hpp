// Kernels that are one loop of strides through data and nothing else: "for (i = id; i < n; i += size) …". What is left
// for a work-item after some rounds is all that there is for one so many groups further on. So the form for whole
// slices goes on while all work-items do and leaves the last rounds to the masked form, of groups that are not there.
//
//   for (i = id; i < n; i += size)      all begin?  no ▶ smaller slices
//     …                          ▶      do … while all go on;   any goes on?  yes ▶ smaller slices, groups further on
#pragma once

#include "../slice_function.hpp"

namespace zeroth::codegen {

// `body` is ready for widening in `shape`. False, and nothing done, where it is not such a kernel.
bool leave_last_rounds(llvm::Function& body, const Shape& shape);

} // namespace zeroth::codegen
