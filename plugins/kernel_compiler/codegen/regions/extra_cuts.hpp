// Keeps the code of a group function in proportion to its slice function. A block that can be reached from several
// barriers belongs to the region behind each of them and is copied as often: with conditional barriers in a row that
// grows with the square of their number. A further cut where the ways meet makes a region of its own of what follows.
#pragma once

#include <llvm/IR/Function.h>

namespace zeroth::codegen {

// Adds calls of the dialect's barrier to `slice` at points that all slices of a group pass together, until the regions
// hold little more code than the function itself. Nothing is done where the copies are cheap, since a cut costs time
// at each passage. Returns false, leaving the function as it was, if the regions stay too large.
bool limit_region_copies(llvm::Function& slice);

} // namespace zeroth::codegen
