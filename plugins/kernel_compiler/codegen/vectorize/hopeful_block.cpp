#include "hopeful_block.hpp"

#include "widen_instruction.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

namespace zeroth::codegen {

namespace {

bool may_move(const llvm::Instruction& i) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
    return call->doesNotAccessMemory() && call->willReturn() && !call->isConvergent();
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst,
                   llvm::FreezeInst>(i);
}

// What ends the part of a block that may be made twice.
bool must_stay_single(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  return llvm::isa<llvm::AllocaInst>(i) || i.isTerminator() || (call && call->isConvergent());
}

class Planner {
public:
  Planner(llvm::BasicBlock& block, WideState& state) : block_(block), state_(state) {}

  std::optional<HopefulBlock> plan() {
    HopefulBlock result{};
    for (llvm::Instruction& i : block_) {
      if (result.first && must_stay_single(i)) break;
      const llvm::Value* address = hopeful_run_address(state_, i);
      if (!address) continue;
      if (!first_) result.first = first_ = &i;
      llvm::SmallPtrSet<const llvm::Instruction*, 16> slice;
      if (!collect(address, slice)) continue;
      moved_.insert(slice.begin(), slice.end());
      result.addresses.push_back(address);
      result.last = &i;
    }
    if (result.addresses.size() < 2) return std::nullopt;
    move(*result.last);
    return result;
  }

private:
  // The instructions from the first access on that `value` needs; false when one of them cannot move before it.
  bool collect(const llvm::Value* value, llvm::SmallPtrSet<const llvm::Instruction*, 16>& slice) {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i || i->getParent() != &block_ || i->comesBefore(first_) || moved_.contains(i) || slice.contains(i))
      return true;
    if (!may_move(*i)) return false;
    slice.insert(i);
    return llvm::all_of(i->operands(), [&](const llvm::Use& operand) { return collect(operand.get(), slice); });
  }

  void move(const llvm::Instruction& last) {
    llvm::SmallVector<llvm::Instruction*> order;
    for (llvm::Instruction& i : block_) {
      if (moved_.contains(&i)) order.push_back(&i);
      if (&i == &last) break;
    }
    for (llvm::Instruction* i : order) i->moveBefore(block_, first_->getIterator());
  }

  llvm::BasicBlock& block_;
  WideState& state_;
  llvm::Instruction* first_ = nullptr;
  llvm::SmallPtrSet<const llvm::Instruction*, 32> moved_;
};

llvm::Value* all_hold(WideState& state, const HopefulBlock& plan) {
  llvm::Value* holds = state.builder.getTrue();
  for (const llvm::Value* address : plan.addresses)
    for (unsigned part = 0; part < state.parts(); ++part)
      holds = state.builder.CreateAnd(holds, state.hopeful(address, part).holds);
  return state.builder.CreateFreeze(holds);
}

llvm::SmallVector<const llvm::Instruction*> results(const HopefulBlock& plan) {
  llvm::SmallVector<const llvm::Instruction*> used;
  for (const llvm::Instruction* i = plan.first; i != plan.last->getNextNode(); i = i->getNextNode())
    if (llvm::any_of(i->users(), [&](const llvm::User* user) {
          const auto* at = llvm::cast<llvm::Instruction>(user);
          return at->getParent() != i->getParent() || llvm::isa<llvm::PHINode>(at) || plan.last->comesBefore(at);
        }))
      used.push_back(i);
  return used;
}

void widen_range(WideState& state, const HopefulBlock& plan) {
  for (const llvm::Instruction* i = plan.first; i != plan.last->getNextNode(); i = i->getNextNode())
    widen_instruction(state, *i);
}

} // namespace

std::optional<HopefulBlock> plan_hopeful_block(llvm::BasicBlock& block, WideState& state) {
  return Planner(block, state).plan();
}

void widen_in_two_versions(WideState& state, const HopefulBlock& plan) {
  Builder& builder = state.builder;
  llvm::LLVMContext& context = state.target.getContext();
  auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, &state.target); };
  llvm::BasicBlock *run = block("in.runs"), *scattered = block("scattered"), *after = block("accessed");
  builder.CreateCondBr(all_hold(state, plan), run, scattered, llvm::MDBuilder(context).createLikelyBranchWeights());
  llvm::SmallVector<const llvm::Instruction*> used = results(plan);
  auto version = [&](llvm::BasicBlock* begin, bool holds) {
    builder.SetInsertPoint(begin);
    for (const llvm::Value* address : plan.addresses) state.judge_hope(address, holds);
    widen_range(state, plan);
    llvm::SmallVector<WideState::Form> forms;
    for (const llvm::Instruction* i : used) forms.push_back(state.form(i));
    return forms;
  };
  auto fast = version(run, true);
  llvm::BasicBlock* fast_end = builder.GetInsertBlock();
  builder.CreateBr(after);
  auto slow = version(scattered, false);
  llvm::BasicBlock* slow_end = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  for (size_t n = 0; n < used.size(); ++n) state.join_forms(used[n], fast[n], fast_end, slow[n], slow_end);
  for (const llvm::Value* address : plan.addresses) state.forget_judgement(address);
}

} // namespace zeroth::codegen
