// A slice function cut at its barriers. A region is what a slice runs from the function's start, or from behind one
// barrier, to the next barriers or the return. Blocks may belong to several regions.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace zeroth::codegen {

struct Region {
  llvm::BasicBlock* entry = nullptr;
  llvm::SetVector<llvm::BasicBlock*> blocks; // entry first
  llvm::SetVector<llvm::Value*> live;        // instructions made before the entry and used in or behind this region
  llvm::SetVector<unsigned> next;            // regions that follow
  bool returns = false;
  bool is_fenced = false; // a fence for the compiler stood before the barrier that leads here, and is gone
};

class RegionLayout {
public:
  // Splits the blocks of `slice` behind each barrier and removes the barrier calls.
  explicit RegionLayout(llvm::Function& slice);

  const std::vector<Region>& regions() const { return regions_; }
  // The region behind the barrier that ends `block`; 0: `block` ends with no barrier.
  unsigned barrier_after(const llvm::BasicBlock* block) const { return barriers_.lookup(block); }

private:
  void cut(llvm::Function& slice);
  static bool take_fence(llvm::Instruction& barrier);
  void collect_blocks(Region& region);
  void collect_live(llvm::Function& slice);

  std::vector<Region> regions_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> barriers_;
};

} // namespace zeroth::codegen
