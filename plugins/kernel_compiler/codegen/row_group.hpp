// A group function that goes through its rows: whole slices first, then what is left of the row.
#pragma once

#include "slice_function.hpp"

namespace zeroth::codegen {

// Do all slices of this shape lie within a row?
inline bool keeps_to_rows(const Shape& shape) {
  return shape.whole_rows || (shape.cut != Cut::MaskedLinear && shape.parts == 1);
}

// `rest` runs what is left at the end of a row, under masks; none: rows hold whole slices, or `slice` itself masks what is
// beyond their end.
llvm::Function* make_row_group(llvm::Function& slice, const Shape& shape, const SmallerSlice& rest);

} // namespace zeroth::codegen
