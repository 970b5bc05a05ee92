// Atomics: one work-item at a time, except where a whole slice updates one place.
#include "../../dialect.hpp"
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

// Atomics wait for each other; their cache lines need not.
void fetch_lines(WideState& state, const llvm::AtomicRMWInst& atomic) {
  const llvm::Value* address = atomic.getPointerOperand();
  constexpr unsigned MostFetched = 16; // of a part
  if (!state.is_full() || atomic.getPointerAddressSpace() != dialect::Global || state.lanes() > MostFetched ||
      state.divergence.shape(address).same_in_part())
    return;
  Builder& builder = state.builder;
  for (unsigned part = 0; part < state.parts(); ++part)
    for (unsigned lane = 0; lane < state.lanes(); ++lane) {
      llvm::Value* at = state.lane(address, part, builder.getInt32(lane));
      llvm::Value *writes = builder.getInt32(1), *keep = builder.getInt32(3), *data = builder.getInt32(1);
      builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {at->getType()}, {at, writes, keep, data});
    }
}

} // namespace

void widen_atomic(WideState& state, const llvm::Instruction& atomic) {
  const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic);
  if (update && combine_lanes(state, *update)) return;
  if (update) fetch_lines(state, *update);
  copy_per_lane(state, atomic);
}

} // namespace zeroth::codegen
