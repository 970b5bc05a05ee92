// Atomics: one work-item at a time, except where a whole slice updates one place.
#include "widen_instruction.hpp"

#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

namespace {

// The reduction that leaves the same memory as one atomic per work-item.
llvm::Intrinsic::ID reduction_of(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case llvm::AtomicRMWInst::Add:
  case llvm::AtomicRMWInst::Sub:
    return llvm::Intrinsic::vector_reduce_add;
  case llvm::AtomicRMWInst::And:
    return llvm::Intrinsic::vector_reduce_and;
  case llvm::AtomicRMWInst::Or:
    return llvm::Intrinsic::vector_reduce_or;
  case llvm::AtomicRMWInst::Max:
    return llvm::Intrinsic::vector_reduce_smax;
  case llvm::AtomicRMWInst::Min:
    return llvm::Intrinsic::vector_reduce_smin;
  case llvm::AtomicRMWInst::UMax:
    return llvm::Intrinsic::vector_reduce_umax;
  case llvm::AtomicRMWInst::UMin:
    return llvm::Intrinsic::vector_reduce_umin;
  default:
    return llvm::Intrinsic::not_intrinsic;
  }
}

llvm::Constant* neutral_of(llvm::AtomicRMWInst::BinOp operation, llvm::Type* type) {
  unsigned bits = type->getScalarSizeInBits();
  switch (operation) {
  case llvm::AtomicRMWInst::And:
  case llvm::AtomicRMWInst::UMin:
    return llvm::Constant::getAllOnesValue(type);
  case llvm::AtomicRMWInst::Max:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
  case llvm::AtomicRMWInst::Min:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
  default:
    return llvm::Constant::getNullValue(type);
  }
}

// All lanes update one place and nobody asks for the old values: reduce each part, then one atomic per part.
bool combine_lanes(WideState& state, const llvm::AtomicRMWInst& atomic) {
  llvm::Intrinsic::ID reduction = reduction_of(atomic.getOperation());
  if (!atomic.use_empty() || reduction == llvm::Intrinsic::not_intrinsic ||
      !state.divergence.shape(atomic.getPointerOperand()).is_uniform())
    return false;
  llvm::Type* type = state.vector_type(atomic.getType());
  for (unsigned part = 0; part < state.parts(); ++part) {
    llvm::Value* values = state.vector(atomic.getValOperand(), part);
    if (!state.is_full())
      values = state.builder.CreateSelect(state.mask[part], values, neutral_of(atomic.getOperation(), type));
    llvm::AtomicRMWInst* one =
        state.builder.CreateAtomicRMW(atomic.getOperation(), state.scalar(atomic.getPointerOperand()),
                                      state.builder.CreateUnaryIntrinsic(reduction, values), atomic.getAlign(),
                                      atomic.getOrdering(), atomic.getSyncScopeID());
    one->setVolatile(atomic.isVolatile());
  }
  return true;
}

} // namespace

void widen_atomic(WideState& state, const llvm::Instruction& atomic) {
  const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic);
  if (update && combine_lanes(state, *update)) return;
  copy_per_lane(state, atomic);
}

} // namespace zeroth::codegen
