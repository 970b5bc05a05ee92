// Atomics: one work-item at a time, except where a whole slice updates one place.
#include "../../dialect.hpp"
#include "widen_instruction.hpp"

#include <algorithm>

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

bool lines_are_worth_fetching(const WideState& state, const llvm::AtomicRMWInst& atomic) {
  constexpr unsigned MostFetched = 16; // of a part
  return state.is_full() && atomic.getPointerAddressSpace() == dialect::Global && state.lanes() <= MostFetched &&
         state.divergence.shape(atomic.getPointerOperand()).is_varying();
}

// The addresses of all work-items, in memory: taken out of vectors one by one they would take more registers than there
// are. The accesses are volatile so that this is not undone.
class StoredAddresses {
public:
  StoredAddresses(WideState& state, const llvm::Value* address)
      : state_(state), type_(state.vector_type(address->getType())),
        memory_(state.variable(llvm::ArrayType::get(type_, state.parts()), nullptr, "addresses")) {
    memory_->setAlignment(llvm::Align(64));
    for (unsigned part = 0; part < state.parts(); ++part)
      state.builder.CreateStore(state.vector(address, part), place(part, 0), true);
  }
  llvm::Value* load(unsigned part, unsigned lane) {
    return state_.builder.CreateLoad(type_->getElementType(), place(part, lane), true);
  }

private:
  llvm::Value* place(unsigned part, unsigned lane) {
    return state_.builder.CreateConstInBoundsGEP1_64(type_->getElementType(), memory_, part * state_.lanes() + lane);
  }

  WideState& state_;
  llvm::FixedVectorType* type_;
  llvm::AllocaInst* memory_;
};

void fetch_lines(WideState& state, StoredAddresses& addresses, unsigned part) {
  Builder& builder = state.builder;
  for (unsigned lane = 0; lane < state.lanes(); ++lane) {
    llvm::Value* at = addresses.load(part, lane);
    llvm::Value *writes = builder.getInt32(1), *keep = builder.getInt32(3), *data = builder.getInt32(1);
    builder.CreateIntrinsic(llvm::Intrinsic::prefetch, {at->getType()}, {at, writes, keep, data});
  }
}

// Atomics wait for each other; their cache lines need not. They are asked for together, before the first work-item that
// needs one: more at once help where lines are far and cost where they are near.
void update_fetched_lines(WideState& state, const llvm::AtomicRMWInst& atomic) {
  constexpr unsigned FetchedTogether = 32; // work-items
  const unsigned step = std::max(1u, FetchedTogether / state.lanes());
  const llvm::Value* address = atomic.getPointerOperand();
  StoredAddresses addresses(state, address);
  copy_per_lane(state, atomic, [&](const llvm::Value* value, unsigned part, llvm::Value* lane) {
    if (value != address) return state.lane(value, part, lane);
    const auto number = unsigned(llvm::cast<llvm::ConstantInt>(lane)->getZExtValue()); // all are active: no loop
    if (number == 0 && part % step == 0)
      for (unsigned next = part; next < std::min(part + step, state.parts()); ++next)
        fetch_lines(state, addresses, next);
    return addresses.load(part, number);
  });
}

} // namespace

void widen_atomic(WideState& state, const llvm::Instruction& atomic) {
  const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic);
  if (update && combine_lanes(state, *update)) return;
  if (update && lines_are_worth_fetching(state, *update)) return update_fetched_lines(state, *update);
  copy_per_lane(state, atomic);
}

} // namespace zeroth::codegen
