// Where the masked form is a function that is called, what goes round it (groups, rows, slices) knows nothing of the
// kernel: a module has one such function for all kernels whose form is cut alike, which is told what to call.
//
//   range(launch, worker, first, end)            range(launch, worker, first, end, slice)
//     for groups: for slices: slice_of_a()  ▶      for groups: for slices: slice()            once for a, b, c …
#pragma once

#include "group_function.hpp"

namespace zeroth::codegen {

// `form` calls `slice` through its group function. Its range function then is the module's for such shapes, which takes
// the slice function as one more argument (Form::slice).
void share_range(Form& form, llvm::Function& slice);

} // namespace zeroth::codegen
