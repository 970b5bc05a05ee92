#include "shared_loads.hpp"

#include "../../dialect.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

namespace zeroth::codegen {

namespace {

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;

bool reads_local_memory(const llvm::Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->isSimple() && load->getPointerAddressSpace() == dialect::Local;
}

bool may_write_local_memory(const llvm::Instruction& instruction) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const unsigned space = store->getPointerAddressSpace();
    return store->isVolatile() || space == dialect::Local ||
           (space != dialect::Global &&
            !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand())));
  }
  if (llvm::isa<llvm::AssumeInst, llvm::FenceInst>(instruction) || instruction.isLifetimeStartOrEnd()) return false;
  return instruction.mayWriteToMemory();
}

// The blocks that a slice may come to from `block` within its region, this one included only if it comes back.
Blocks reached_from(const llvm::BasicBlock* block, const RegionLayout& layout) {
  Blocks reached;
  llvm::SmallVector<const llvm::BasicBlock*> open{block};
  while (!open.empty()) {
    const llvm::BasicBlock* at = open.pop_back_val();
    if (layout.barrier_after(at)) continue;
    for (const llvm::BasicBlock* next : llvm::successors(at))
      if (reached.insert(next).second) open.push_back(next);
  }
  return reached;
}

} // namespace

SharedLoads::SharedLoads(const RegionLayout& layout) {
  Blocks reading, writing;
  for (const Region& region : layout.regions())
    for (const llvm::BasicBlock* block : region.blocks) {
      if (llvm::any_of(*block, reads_local_memory)) reading.insert(block);
      if (llvm::any_of(*block, may_write_local_memory)) writing.insert(block);
    }
  Blocks after_writes;
  for (const llvm::BasicBlock* block : writing)
    for (const llvm::BasicBlock* next : reached_from(block, layout)) after_writes.insert(next);
  for (const llvm::BasicBlock* block : reading) {
    if (writing.contains(block) || after_writes.contains(block)) continue;
    if (llvm::any_of(reached_from(block, layout), [&](const auto* next) { return writing.contains(next); })) continue;
    for (const llvm::Instruction& instruction : *block)
      if (reads_local_memory(instruction)) loads_.insert(&instruction);
  }
}

} // namespace zeroth::codegen
