#include "guarded_loop.hpp"

#include "../dialect_calls.hpp"

#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

namespace {

constexpr unsigned SmallLoop = 60; // instructions

bool is_small(llvm::ArrayRef<llvm::BasicBlock*> blocks) {
  size_t size = 0;
  for (const llvm::BasicBlock* block : blocks) {
    size += block->size();
    for (const llvm::Instruction& i : *block)
      if (llvm::isa<llvm::AllocaInst>(i) || is_dialect_call(&i, dialect::Barrier)) return false;
  }
  return size <= SmallLoop;
}

// Do work-items leave because what runs with them meets what is the same for all?
bool ends_with_data(const llvm::Value* condition, const Divergence& divergence) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!compare || !compare->isRelational()) return false;
  ValueShape a = divergence.shape(compare->getOperand(0)), b = divergence.shape(compare->getOperand(1));
  return (a.is_uniform() && b.is_strided() && b.stride) || (b.is_uniform() && a.is_strided() && a.stride);
}

} // namespace

std::optional<GuardedLoop> find_guarded_loop(llvm::Loop& loop, const Divergence& divergence) {
  llvm::BasicBlock *exiting = loop.getExitingBlock(), *exit = loop.getExitBlock(), *before = loop.getLoopPreheader();
  if (!loop.isInnermost() || !divergence.is_divergent_loop(&loop) || !exiting || !exit || !before) return std::nullopt;
  llvm::BasicBlock* latch = loop.getLoopLatch();
  auto* check = llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
  llvm::BasicBlock* guard = before->getSinglePredecessor();
  if (!guard || !check || latch->getSinglePredecessor() != exiting || !exit->getSinglePredecessor())
    return std::nullopt;
  GuardedLoop found{
      llvm::dyn_cast<llvm::BranchInst>(guard->getTerminator()), check, before, loop.getHeader(), latch, exit, {before}};
  found.blocks.append(loop.block_begin(), loop.block_end());
  if (!found.guard || !found.guard->isConditional() || !ends_with_data(check->getCondition(), divergence) ||
      !is_small(found.blocks))
    return std::nullopt;
  return found;
}

} // namespace zeroth::codegen
