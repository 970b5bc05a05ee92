// A group function that runs a kernel with barriers by loops: between two barriers all slices, one after the other.
#pragma once

#include "../slice_function.hpp"

namespace zeroth::codegen {

struct RegionGroup {
  llvm::Function* group = nullptr;
  uint64_t slice_bytes = 0; // of scratch per slice, behind `reserved_item_bytes` per work-item
};

// `slice` still calls the dialect's barrier; it is consumed (erased). `reserved_item_bytes` of scratch per work-item
// (of full slices) come first and belong to work-group operations.
RegionGroup make_region_group(llvm::Function& slice, const Shape& shape, uint64_t reserved_item_bytes);

} // namespace zeroth::codegen
