// Where the masked form is a function that is called, the loops over slices around it know nothing of the kernel: a
// module has one such group function for all kernels whose form is cut alike, which is told what to call.
//
//   group(launch, worker, x, y, z, groups)            group(launch, worker, x, y, z, groups, slice)
//     for slices: slice_of_a()                   ▶      for slices: slice()                              for a, b, c …
#pragma once

#include "group_function.hpp"

namespace zeroth::codegen {

// `form` calls `slice`. Its group function then is the module's for such shapes, which Form::slice is given to.
void share_group(Form& form, llvm::Function& slice);

} // namespace zeroth::codegen
