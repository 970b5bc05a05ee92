// Which values of a slice function are the same in all slices of a work-group.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>

namespace zeroth::codegen {

class SharedLoads;

class SliceUniformity {
public:
  // Of what loads give, that of `shared` ones is the same where their addresses are.
  explicit SliceUniformity(llvm::Function& slice, const SharedLoads* shared = nullptr);

  bool is_uniform(const llvm::Value* value) const { return !varying_.contains(value); }
  // Does the block end in a choice that slices may make differently?
  bool may_part(const llvm::BasicBlock& block) const;
  // May slices of which some leave the block on one side and some on another meet different barriers (or return) before
  // they are together again? `ends(b)`: a slice meets a barrier or returns at the end of b.
  bool may_lead_apart(const llvm::BasicBlock& block, llvm::function_ref<bool(const llvm::BasicBlock&)> ends) const;
  // Do all slices that have not returned pass the block's start equally often and in the same order of other such
  // blocks?
  bool is_reached_together(const llvm::BasicBlock& block) const { return !parted_.contains(&block); }

private:
  bool computes_varying(const llvm::Instruction& instruction) const;
  bool reads_what_may_change(const llvm::Instruction& instruction) const;

  const SharedLoads* shared_;
  llvm::PostDominatorTree tree_;
  llvm::DenseSet<const llvm::Value*> varying_;
  void spread_parting(const llvm::BasicBlock& branch);

  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> joins_;  // reached in different ways by different slices
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> parted_; // reached by some slices and not by others
};

} // namespace zeroth::codegen
