#include "region_values.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

namespace zeroth::codegen {

namespace {

constexpr unsigned CheapSteps = 10;
constexpr unsigned MostAligned = 128; // as scratch is

bool is_invariant_load(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::LoadInst>(instruction) && instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

} // namespace

RegionValues::RegionValues(llvm::Function& slice, const RegionLayout& layout, const SliceUniformity& uniformity)
    : data_layout_(slice.getParent()->getDataLayout()), uniformity_(uniformity) {
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&slice))
    for (llvm::Instruction& instruction : *block)
      if (belongs_to_prologue(instruction)) {
        homes_[&instruction] = Home::Prologue;
        prologue_.push_back(&instruction);
      }
  // Private memory may be reached through pointers that live longer than its name: all of it is kept per slice.
  for (llvm::Instruction& instruction : llvm::instructions(slice))
    if (llvm::isa<llvm::AllocaInst>(instruction)) give_slot(&instruction);
  for (const Region& region : layout.regions())
    for (llvm::Value* value : region.live) {
      if (has_home(value)) continue;
      unsigned budget = CheapSteps;
      if (uniformity.is_uniform(value)) {
        homes_[value] = Home::Group;
        group_.insert(value);
      } else if (is_cheap_again(value, budget)) {
        homes_[value] = Home::Again;
      } else {
        give_slot(value);
      }
    }
}

// Loads of the launch are in the first block, which always runs; other things must be harmless to compute early.
bool RegionValues::belongs_to_prologue(const llvm::Instruction& instruction) const {
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.isTerminator()) return false;
  if (!uniformity_.is_uniform(&instruction)) return false;
  if (llvm::isa<llvm::LoadInst>(instruction) && !is_invariant_load(instruction)) return false;
  bool in_entry = instruction.getParent() == &instruction.getFunction()->getEntryBlock();
  if (is_invariant_load(instruction) ? !in_entry : !llvm::isSafeToSpeculativelyExecute(&instruction)) return false;
  return llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) {
    auto found = homes_.find(operand.get());
    return !llvm::isa<llvm::Instruction>(operand.get()) || (found != homes_.end() && found->second == Home::Prologue);
  });
}

bool RegionValues::is_cheap_again(const llvm::Value* value, unsigned& budget) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction) return true;
  if (auto found = homes_.find(value); found != homes_.end() && found->second == Home::Prologue) return true;
  if (budget == 0 || llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction->mayReadOrWriteMemory() ||
      !llvm::isSafeToSpeculativelyExecute(instruction) || instruction->getOpcode() == llvm::Instruction::UDiv ||
      instruction->getOpcode() == llvm::Instruction::FDiv)
    return false;
  --budget;
  return llvm::all_of(instruction->operands(),
                      [&](const llvm::Use& operand) { return is_cheap_again(operand.get(), budget); });
}

void RegionValues::give_slot(llvm::Value* value) {
  homes_[value] = Home::Slot;
  llvm::Type* type = value->getType();
  llvm::Align alignment = data_layout_.getABITypeAlign(type);
  uint64_t size = data_layout_.getTypeAllocSize(type);
  if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(value)) {
    alignment = std::max(memory->getAlign(), llvm::Align(64));
    size = data_layout_.getTypeAllocSize(memory->getAllocatedType());
  }
  alignment_ = std::max(alignment_, std::min(alignment, llvm::Align(MostAligned)));
  slots_[value] = llvm::alignTo(slice_bytes_, alignment);
  slice_bytes_ = slots_[value] + size;
}

} // namespace zeroth::codegen
