#include "full_slices.hpp"

#include "../dialect_calls.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

namespace zeroth::codegen {

namespace {

// Nothing that would be done twice when the slice starts again in its masked form.
bool may_run_twice(const llvm::BasicBlock& block) {
  return llvm::none_of(block, [](const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    return i.mayHaveSideEffects() || llvm::isa<llvm::AllocaInst, llvm::PHINode>(i) || (call && call->isConvergent());
  });
}

// Leads straight to the return.
bool leaves(const llvm::BasicBlock* block) {
  for (unsigned depth = 0; depth < 4; ++depth) {
    if (!block->phis().empty() || &*block->getFirstNonPHIOrDbg() != block->getTerminator()) return false;
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) return true;
    block = block->getSingleSuccessor();
    if (!block) return false;
  }
  return false;
}

struct Check {
  llvm::BranchInst* branch;
  unsigned leaving; // successor
};

llvm::SmallVector<Check> leading_checks(llvm::Function& body) {
  llvm::SmallVector<Check> checks;
  llvm::BasicBlock* block = &body.getEntryBlock();
  llvm::SmallPtrSet<llvm::BasicBlock*, 8> seen;
  while (seen.insert(block).second && may_run_twice(*block)) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch) break;
    llvm::BasicBlock* next = branch->getSuccessor(0);
    if (branch->isConditional()) {
      bool first = leaves(branch->getSuccessor(0)), second = leaves(branch->getSuccessor(1));
      if (first == second) break;
      checks.push_back({branch, first ? 0u : 1u});
      next = branch->getSuccessor(first ? 1 : 0);
    }
    if (!next->getSinglePredecessor()) break;
    block = next;
  }
  return checks;
}

void rewrite(const Check& check, llvm::BasicBlock* fallback) {
  llvm::Module& module = *fallback->getModule();
  llvm::IRBuilder<> builder(check.branch);
  llvm::Value* stays = check.branch->getCondition();
  if (check.leaving == 0) stays = builder.CreateNot(stays);
  auto* type = llvm::FunctionType::get(builder.getInt1Ty(), {builder.getInt1Ty()}, false);
  llvm::Value* all = builder.CreateCall(declare_query(module, slice_query::All, type), stays);
  builder.CreateCondBr(all, check.branch->getSuccessor(1 - check.leaving), fallback,
                       llvm::MDBuilder(module.getContext()).createLikelyBranchWeights());
  check.branch->eraseFromParent();
}

llvm::BasicBlock* find_return(llvm::Function& body) {
  for (llvm::BasicBlock& block : body)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator()) && block.size() == 1) return &block;
  return nullptr;
}

} // namespace

bool asks_for_bounds(llvm::Function& body) { return !leading_checks(body).empty() && find_return(body); }

bool expect_full_slices(llvm::Function& body) {
  if (!asks_for_bounds(body)) return false;
  llvm::SmallVector<Check> checks = leading_checks(body);
  llvm::BasicBlock* end = find_return(body);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(body.getContext(), "not.full", &body));
  llvm::FunctionCallee masked = body.getParent()->getOrInsertFunction(
      llvm::StringRef(slice_query::Smaller), llvm::FunctionType::get(builder.getVoidTy(), false));
  builder.CreateCall(masked);
  builder.CreateBr(end);
  for (const Check& check : checks) rewrite(check, builder.GetInsertBlock());
  return true;
}

} // namespace zeroth::codegen
