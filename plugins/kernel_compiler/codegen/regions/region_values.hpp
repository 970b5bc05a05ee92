// Where the values that live across barriers are kept.
#pragma once

#include "region_layout.hpp"
#include "slice_uniformity.hpp"

namespace zeroth::codegen {

class RegionValues {
public:
  RegionValues(llvm::Function& slice, const RegionLayout& layout, const SliceUniformity& uniformity);

  enum class Home : uint8_t {
    Prologue, // the same for the whole group and computed once, before the first region
    Group,    // the same for all slices, but changing from region to region: one variable
    Again,    // cheap: computed anew at the start of each region
    Slot      // in the slice's context (private memory too)
  };
  Home home(const llvm::Value* value) const { return homes_.lookup(value); }
  bool has_home(const llvm::Value* value) const { return homes_.contains(value); }

  // In an order in which operands come first.
  const std::vector<llvm::Instruction*>& prologue() const { return prologue_; }
  const llvm::SetVector<llvm::Value*>& group_variables() const { return group_; }
  uint64_t slot_offset(const llvm::Value* value) const { return slots_.lookup(value); }
  uint64_t slice_bytes() const { return slice_bytes_; } // of a slice's context
  llvm::Align alignment() const { return alignment_; }   // of a context

private:
  bool belongs_to_prologue(const llvm::Instruction& instruction) const;
  bool is_cheap_again(const llvm::Value* value, unsigned& budget) const;
  void give_slot(llvm::Value* value);

  const llvm::DataLayout& data_layout_;
  const SliceUniformity& uniformity_;
  llvm::DenseMap<const llvm::Value*, Home> homes_;
  std::vector<llvm::Instruction*> prologue_;
  llvm::SetVector<llvm::Value*> group_;
  llvm::DenseMap<const llvm::Value*, uint64_t> slots_;
  uint64_t slice_bytes_ = 0;
  llvm::Align alignment_{64};
};

} // namespace zeroth::codegen
