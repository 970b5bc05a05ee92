// Loads of local memory that see the same memory in all slices of a work-group.
#pragma once

#include "region_layout.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

// Slices run a region one after the other, so that what one writes there others read. A load is shared where its slice
// writes no local memory on any way through the region that passes the load.
class SharedLoads {
public:
  explicit SharedLoads(const RegionLayout& layout);

  bool contains(const llvm::Instruction* load) const { return loads_.contains(load); }

private:
  llvm::SmallPtrSet<const llvm::Instruction*, 16> loads_;
};

} // namespace zeroth::codegen
