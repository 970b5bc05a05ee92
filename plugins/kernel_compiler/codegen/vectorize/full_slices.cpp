#include "full_slices.hpp"

#include "../dialect_calls.hpp"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>

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

unsigned comparisons_in(const llvm::Value* condition, unsigned depth = 0) {
  using namespace llvm::PatternMatch;
  constexpr unsigned MaxDepth = 8;
  const llvm::Value *a = nullptr, *b = nullptr;
  if (depth > MaxDepth) return 1;
  if (match(condition, m_Not(m_Value(a)))) return comparisons_in(a, depth + 1);
  if (match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) || match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return comparisons_in(a, depth + 1) + comparisons_in(b, depth + 1);
  return 1;
}

// Several bounds are those of rows, and many slices may meet them; a single one is met once a launch.
bool meets_bounds_often(const llvm::Function& body, llvm::ArrayRef<Check> checks) {
  constexpr unsigned Short = 100; // instructions
  unsigned comparisons = 0;
  for (const Check& check : checks) comparisons += comparisons_in(check.branch->getCondition());
  return comparisons > 1 && body.getInstructionCount() <= Short;
}

bool may_be_copied(const llvm::Function& body) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> back_edges;
  llvm::FindFunctionBackedges(body, back_edges);
  return back_edges.empty() && llvm::none_of(llvm::instructions(body), [](const llvm::Instruction& i) {
           const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
           return llvm::isa<llvm::AllocaInst>(i) || (call && call->isConvergent());
         });
}

constexpr llvm::StringRef EdgeMark = "zeroth.edge";

// The body once more, up to its return.
llvm::BasicBlock* copy_of(llvm::Function& body, const llvm::BasicBlock* end) {
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<llvm::BasicBlock*> originals, copies;
  for (llvm::BasicBlock& block : body)
    if (&block != end) originals.push_back(&block);
  for (llvm::BasicBlock* original : originals) {
    copies.push_back(llvm::CloneBasicBlock(original, map, ".edge", &body));
    map[original] = copies.back();
  }
  llvm::remapInstructionsInBlocks(copies, map);
  for (llvm::BasicBlock* copy : copies)
    copy->getTerminator()->setMetadata(EdgeMark, llvm::MDNode::get(body.getContext(), {}));
  return copies.front();
}

llvm::BasicBlock* call_of_masked_form(llvm::Function& body, llvm::BasicBlock* end) {
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(body.getContext(), "not.full", &body));
  llvm::FunctionCallee masked = body.getParent()->getOrInsertFunction(
      llvm::StringRef(slice_query::Smaller), llvm::FunctionType::get(builder.getVoidTy(), false));
  builder.CreateCall(masked);
  builder.CreateBr(end);
  return builder.GetInsertBlock();
}

} // namespace

bool asks_for_bounds(llvm::Function& body) { return !leading_checks(body).empty() && find_return(body); }

bool is_of_edges(const llvm::BasicBlock& block) { return block.getTerminator()->getMetadata(EdgeMark); }

bool expect_full_slices(llvm::Function& body) {
  if (!asks_for_bounds(body)) return false;
  llvm::SmallVector<Check> checks = leading_checks(body);
  llvm::BasicBlock* end = find_return(body);
  const bool copies = meets_bounds_often(body, checks) && may_be_copied(body);
  llvm::BasicBlock* otherwise = copies ? copy_of(body, end) : call_of_masked_form(body, end);
  for (const Check& check : checks) rewrite(check, otherwise);
  return true;
}

} // namespace zeroth::codegen
