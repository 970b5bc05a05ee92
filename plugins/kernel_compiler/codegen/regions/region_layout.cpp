#include "region_layout.hpp"

#include "../dialect_calls.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

RegionLayout::RegionLayout(llvm::Function& slice) {
  cut(slice);
  for (Region& region : regions_) collect_blocks(region);
  collect_live(slice);
}

void RegionLayout::cut(llvm::Function& slice) {
  llvm::SmallVector<llvm::Instruction*> barriers;
  for (llvm::Instruction& instruction : llvm::instructions(slice))
    if (is_dialect_call(&instruction, dialect::Barrier)) barriers.push_back(&instruction);
  regions_.resize(1);
  regions_[0].entry = &slice.getEntryBlock();
  for (llvm::Instruction* barrier : barriers) {
    llvm::BasicBlock* before = barrier->getParent();
    regions_.emplace_back().entry = before->splitBasicBlock(std::next(barrier->getIterator()), "behind.barrier");
    // A block that was cut before keeps its later barrier at the later half.
    if (unsigned later = barriers_.lookup(before)) barriers_[regions_.back().entry] = later;
    barriers_[before] = unsigned(regions_.size() - 1);
    regions_.back().is_fenced = take_fence(*barrier);
    barrier->eraseFromParent();
  }
}

// What each slice would pass, all pass together once they have met.
bool RegionLayout::take_fence(llvm::Instruction& barrier) {
  llvm::Instruction* before = barrier.getPrevNode();
  while (before && !before->mayReadOrWriteMemory()) before = before->getPrevNode();
  auto* fence = llvm::dyn_cast_or_null<llvm::FenceInst>(before);
  if (!fence || fence->getSyncScopeID() != llvm::SyncScope::SingleThread) return false;
  fence->eraseFromParent();
  return true;
}

void RegionLayout::collect_blocks(Region& region) {
  region.blocks.insert(region.entry);
  for (unsigned i = 0; i < region.blocks.size(); ++i) {
    llvm::BasicBlock* block = region.blocks[i];
    if (unsigned next = barrier_after(block)) {
      region.next.insert(next);
      continue;
    }
    region.returns |= llvm::isa<llvm::ReturnInst>(block->getTerminator());
    for (llvm::BasicBlock* successor : llvm::successors(block)) region.blocks.insert(successor);
  }
}

// Walks from each use of a value back to its definition; the region entries on the way see the value live.
void RegionLayout::collect_live(llvm::Function& slice) {
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> entries;
  for (unsigned i = 1; i < regions_.size(); ++i) entries[regions_[i].entry] = i;
  for (llvm::Instruction& value : llvm::instructions(slice)) {
    llvm::SmallVector<llvm::BasicBlock*> open;
    llvm::DenseSet<llvm::BasicBlock*> seen;
    for (llvm::Use& use : value.uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock* at = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (at != value.getParent()) open.push_back(at);
    }
    while (!open.empty()) {
      llvm::BasicBlock* block = open.pop_back_val();
      if (!seen.insert(block).second) continue;
      if (unsigned region = entries.lookup(block)) regions_[region].live.insert(&value);
      for (llvm::BasicBlock* before : llvm::predecessors(block))
        if (before != value.getParent()) open.push_back(before);
    }
  }
}

} // namespace zeroth::codegen
