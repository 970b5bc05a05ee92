// Which values of a slice function are the same in all slices of a work-group.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>

namespace zeroth::codegen {

class SliceUniformity {
public:
  explicit SliceUniformity(llvm::Function& slice);

  bool is_uniform(const llvm::Value* value) const { return !varying_.contains(value); }
  // Does the block end in a choice that slices may make differently?
  bool may_part(const llvm::BasicBlock& block) const;

private:
  bool computes_varying(const llvm::Instruction& instruction) const;

  llvm::DenseSet<const llvm::Value*> varying_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> joins_; // reached in different ways by different slices
};

} // namespace zeroth::codegen
