#include "slice_uniformity.hpp"

#include "../slice_function.hpp"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

namespace {

// Blocks between a branch and where its paths have met again, that block included.
llvm::SmallPtrSet<const llvm::BasicBlock*, 16> influence(const llvm::BasicBlock* branch,
                                                         const llvm::PostDominatorTree& tree) {
  const auto* node = tree.getNode(branch);
  const llvm::BasicBlock* end = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*> open(llvm::succ_begin(branch), llvm::succ_end(branch));
  while (!open.empty()) {
    const llvm::BasicBlock* block = open.pop_back_val();
    if (!seen.insert(block).second || block == end) continue;
    open.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  return seen;
}

bool reads_what_may_change(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  return instruction.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(instruction);
}

} // namespace

SliceUniformity::SliceUniformity(llvm::Function& slice) {
  for (unsigned i : {slice_argument::X, slice_argument::Y, slice_argument::Z, slice_argument::Index})
    varying_.insert(slice.getArg(i));
  llvm::PostDominatorTree tree(slice);
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> branches;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock& block : slice) {
      for (const llvm::Instruction& instruction : block)
        if (!varying_.contains(&instruction) && computes_varying(instruction))
          changed |= varying_.insert(&instruction).second;
      if (!may_part(block) || !branches.insert(&block).second) continue;
      for (const llvm::BasicBlock* join : influence(&block, tree)) changed |= joins_.insert(join).second;
    }
  }
}

bool SliceUniformity::may_part(const llvm::BasicBlock& block) const {
  const llvm::Instruction* end = block.getTerminator();
  return end->getNumSuccessors() > 1 &&
         llvm::any_of(end->operands(), [&](const llvm::Use& operand) { return varying_.contains(operand.get()); });
}

bool SliceUniformity::computes_varying(const llvm::Instruction& instruction) const {
  if (llvm::isa<llvm::PHINode>(instruction) && joins_.contains(instruction.getParent())) return true;
  if (reads_what_may_change(instruction)) return true;
  return llvm::any_of(instruction.operands(),
                      [&](const llvm::Use& operand) { return varying_.contains(operand.get()); });
}

} // namespace zeroth::codegen
