// Whether a kernel has use for a form without masks beside the one with them.
#pragma once

#include "slice_function.hpp"

namespace zeroth::codegen {

// Masks cost next to nothing but where runs of memory are read and written by plain vectors, and where the masked form
// cannot know that indices run on. Kernels with loops that do little of that have one form, for all launches; where
// they begin with a question for bounds, only if they do none (bilateral: a tenth slower). `body` is ready for
// widening.
bool gains_without_masks(llvm::Function& body, const Shape& unmasked, const Shape& masked);

} // namespace zeroth::codegen
