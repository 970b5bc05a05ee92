#include "slice_uniformity.hpp"

#include "shared_loads.hpp"

#include "../dialect_calls.hpp"
#include "../slice_function.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

namespace {

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;

const llvm::BasicBlock* meeting_point(const llvm::BasicBlock& branch, const llvm::PostDominatorTree& tree) {
  const auto* node = tree.getNode(&branch);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

bool returns_at_once(const llvm::BasicBlock* block) { return llvm::isa<llvm::ReturnInst>(block->getTerminator()); }

// Whether slices that do not return at once after the branch have more than one way.
bool goes_on_apart(const llvm::BasicBlock& branch) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> ways(llvm::succ_begin(&branch), llvm::succ_end(&branch));
  const auto going_on = llvm::count_if(ways, [](const llvm::BasicBlock* way) { return !returns_at_once(way); });
  return going_on > 1;
}

bool has_barrier(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& i) { return is_dialect_call(&i, dialect::Barrier); });
}

// What can be reached from the branch; not beyond `end`, if there is one.
Blocks blocks_between(const llvm::BasicBlock& branch, const llvm::BasicBlock* end) {
  Blocks seen;
  llvm::SmallVector<const llvm::BasicBlock*> open(llvm::succ_begin(&branch), llvm::succ_end(&branch));
  while (!open.empty()) {
    const llvm::BasicBlock* block = open.pop_back_val();
    if (seen.insert(block).second && block != end) open.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return seen;
}

} // namespace

SliceUniformity::SliceUniformity(llvm::Function& slice, const SharedLoads* shared) : shared_(shared), tree_(slice) {
  for (unsigned i : {slice_argument::X, slice_argument::Y, slice_argument::Z, slice_argument::Index})
    varying_.insert(slice.getArg(i));
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> branches;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock& block : slice) {
      for (const llvm::Instruction& instruction : block)
        if (!varying_.contains(&instruction) && computes_varying(instruction))
          changed |= varying_.insert(&instruction).second;
      if (!may_part(block) || !branches.insert(&block).second) continue;
      unsigned before = joins_.size();
      spread_parting(block);
      changed |= joins_.size() != before;
    }
  }
}

// Marks the blocks between a branch and where its paths have met again. That block is passed by all, though from
// different sides; in a different order, too, where slices wait at barriers on the way that others do not pass: then
// all that follows is reached apart. Where all sides but one end the slice, those that go on stay together.
void SliceUniformity::spread_parting(const llvm::BasicBlock& branch) {
  const llvm::BasicBlock* end = meeting_point(branch, tree_);
  const bool parts = goes_on_apart(branch);
  Blocks between = blocks_between(branch, end);
  const auto waits = [&](const llvm::BasicBlock* block) { return block != end && has_barrier(*block); };
  if (parts && end && llvm::any_of(between, waits)) between = blocks_between(branch, end = nullptr);
  for (const llvm::BasicBlock* block : between) {
    joins_.insert(block);
    if (block != end && (parts || returns_at_once(block))) parted_.insert(block);
  }
}

bool SliceUniformity::may_part(const llvm::BasicBlock& block) const {
  const llvm::Instruction* end = block.getTerminator();
  return end->getNumSuccessors() > 1 &&
         llvm::any_of(end->operands(), [&](const llvm::Use& operand) { return varying_.contains(operand.get()); });
}

bool SliceUniformity::may_lead_apart(const llvm::BasicBlock& block,
                                     llvm::function_ref<bool(const llvm::BasicBlock&)> ends) const {
  if (!may_part(block)) return false;
  const llvm::BasicBlock* together = meeting_point(block, tree_);
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*> open(llvm::succ_begin(&block), llvm::succ_end(&block));
  while (!open.empty()) {
    const llvm::BasicBlock* at = open.pop_back_val();
    if (at == together || !seen.insert(at).second) continue;
    if (ends(*at)) return true;
    open.append(llvm::succ_begin(at), llvm::succ_end(at));
  }
  return false;
}

bool SliceUniformity::reads_what_may_change(const llvm::Instruction& instruction) const {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !load->hasMetadata(llvm::LLVMContext::MD_invariant_load) && !(shared_ && shared_->contains(load));
  return instruction.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(instruction);
}

bool SliceUniformity::computes_varying(const llvm::Instruction& instruction) const {
  if (llvm::isa<llvm::PHINode>(instruction) && joins_.contains(instruction.getParent())) return true;
  if (reads_what_may_change(instruction)) return true;
  return llvm::any_of(instruction.operands(),
                      [&](const llvm::Use& operand) { return varying_.contains(operand.get()); });
}

} // namespace zeroth::codegen
