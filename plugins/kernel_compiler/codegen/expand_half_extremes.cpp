#include "expand_half_extremes.hpp"

#include "half_arithmetic.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace zeroth::codegen {

namespace {

// The smaller or larger one; of a number and a NaN the number. Comparisons of halves are those of floats.
llvm::Value* extreme(llvm::IRBuilder<>& builder, bool smaller, llvm::Value* a, llvm::Value* b) {
  llvm::Value* before = smaller ? builder.CreateFCmpOLT(a, b) : builder.CreateFCmpOGT(a, b);
  return builder.CreateSelect(builder.CreateOr(before, builder.CreateFCmpUNO(b, b)), a, b);
}

bool is_half(const llvm::Type* type) { return type->getScalarType()->isHalfTy(); }

// Null, or the call.
llvm::IntrinsicInst* extreme_of_halves(llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || !is_half(call->getType())) return nullptr;
  const llvm::Intrinsic::ID id = call->getIntrinsicID();
  return id == llvm::Intrinsic::minnum || id == llvm::Intrinsic::maxnum ? call : nullptr;
}

void expand_call(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  builder.setFastMathFlags({}); // a NaN counts
  const bool smaller = call.getIntrinsicID() == llvm::Intrinsic::minnum;
  call.replaceAllUsesWith(extreme(builder, smaller, call.getArgOperand(0), call.getArgOperand(1)));
  call.eraseFromParent();
}

llvm::AtomicRMWInst* atomic_extreme_of_halves(llvm::Instruction& instruction) {
  auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!atomic || !is_half(atomic->getType())) return nullptr;
  const auto operation = atomic->getOperation();
  return operation == llvm::AtomicRMWInst::FMin || operation == llvm::AtomicRMWInst::FMax ? atomic : nullptr;
}

// before: seen = load; loop: exchange what was seen by the extreme, else see anew; behind.
void expand_atomic(llvm::AtomicRMWInst& atomic) {
  llvm::BasicBlock* before = atomic.getParent();
  llvm::BasicBlock* behind = llvm::SplitBlock(before, &atomic);
  llvm::BasicBlock* loop = llvm::BasicBlock::Create(atomic.getContext(), "half.extreme", before->getParent(), behind);
  llvm::IRBuilder<> builder(before->getTerminator());
  llvm::Type* bits = builder.getInt16Ty();
  llvm::LoadInst* first = builder.CreateAlignedLoad(bits, atomic.getPointerOperand(), atomic.getAlign());
  first->setAtomic(llvm::AtomicOrdering::Monotonic);
  before->getTerminator()->setSuccessor(0, loop);

  builder.SetInsertPoint(loop);
  builder.SetCurrentDebugLocation(atomic.getDebugLoc());
  llvm::PHINode* seen = builder.CreatePHI(bits, 2);
  llvm::Value* old = builder.CreateBitCast(seen, atomic.getType());
  llvm::Value* made = extreme(builder, atomic.getOperation() == llvm::AtomicRMWInst::FMin, old, atomic.getValOperand());
  llvm::Value* exchange = builder.CreateAtomicCmpXchg(
      atomic.getPointerOperand(), seen, builder.CreateBitCast(made, bits), atomic.getAlign(), atomic.getOrdering(),
      llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(atomic.getOrdering()));
  seen->addIncoming(first, before);
  seen->addIncoming(builder.CreateExtractValue(exchange, 0), loop);
  builder.CreateCondBr(builder.CreateExtractValue(exchange, 1), behind, loop);

  atomic.replaceAllUsesWith(old);
  atomic.eraseFromParent();
}

} // namespace

void expand_half_extremes(llvm::Module& module, const llvm::TargetMachine& machine) {
  if (has_half_arithmetic(machine)) return;
  llvm::SmallVector<llvm::AtomicRMWInst*> atomics;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto* call = extreme_of_halves(instruction))
        expand_call(*call);
      else if (auto* atomic = atomic_extreme_of_halves(instruction))
        atomics.push_back(atomic);
    }
  for (llvm::AtomicRMWInst* atomic : atomics) expand_atomic(*atomic);
}

} // namespace zeroth::codegen
