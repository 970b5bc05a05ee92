// Which values of a slice function are the same in all slices of a work-group.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>

namespace zeroth::codegen {

class SliceUniformity {
public:
  explicit SliceUniformity(llvm::Function& slice);

  bool is_uniform(const llvm::Value* value) const { return !varying_.contains(value); }
  // Does the block end in a choice that slices may make differently?
  bool may_part(const llvm::BasicBlock& block) const;
  // Do all slices that have not returned pass the block's start equally often and in the same order of other such
  // blocks?
  bool is_reached_together(const llvm::BasicBlock& block) const { return !parted_.contains(&block); }

private:
  bool computes_varying(const llvm::Instruction& instruction) const;

  llvm::DenseSet<const llvm::Value*> varying_;
  void spread_parting(const llvm::BasicBlock& branch, const llvm::PostDominatorTree& tree);

  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> joins_;  // reached in different ways by different slices
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> parted_; // reached by some slices and not by others
};

} // namespace zeroth::codegen
