// Sub-group operations: a sub-group is the lanes of one part.
#include "widen_instruction.hpp"

#include "../dialect_calls.hpp"
#include "../group_arithmetic.hpp"

#include <bit>

#include <llvm/IR/Instructions.h>

namespace zeroth::codegen {

namespace {

class SubGroupOperation {
public:
  SubGroupOperation(WideState& state, const llvm::CallBase& call, unsigned part)
      : state_(state), builder_(state.builder), call_(call), part_(part),
        operation_(parse_group_operation(dialect_name(&call), dialect::SubGroupPrefix)) {}

  // One value for all lanes (see Divergence), or a vector.
  llvm::Value* emit() {
    llvm::StringRef kind = operation_.kind;
    if (kind == "reduce") return reduce(active_or_neutral(), state_.lanes());
    if (kind == "clustered_reduce") return clustered();
    if (kind == "scan_inclusive") return scan(active_or_neutral());
    if (kind == "scan_exclusive") return shift_in(scan(active_or_neutral()), 1, neutral());
    if (kind == "all")
      return builder_.CreateNot(state_.any(builder_.CreateAnd(active(), builder_.CreateNot(operand()))));
    if (kind == "any") return state_.any(active_and_operand());
    if (kind == "ballot") return builder_.CreateZExtOrTrunc(bits(active_and_operand()), call_.getType());
    if (kind == "broadcast") return state_.lane(call_.getArgOperand(0), part_, lane_number());
    if (kind == "broadcast_first") return state_.lane(call_.getArgOperand(0), part_, first_active());
    if (kind == "shuffle") return shuffle();
    throw NotVectorizable("sub-group operation " + kind.str());
  }

private:
  llvm::Value* operand() { return state_.vector(call_.getArgOperand(0), part_); }
  llvm::Value* active() { return state_.part_mask(part_); }
  llvm::Value* active_and_operand() { return builder_.CreateAnd(active(), operand()); }
  llvm::Constant* neutral() { return neutral_element(operation_.operator_, operand()->getType()); }
  llvm::Value* active_or_neutral() {
    return state_.is_full() ? operand() : builder_.CreateSelect(active(), operand(), neutral());
  }
  llvm::Value* bits(llvm::Value* mask) { return builder_.CreateBitCast(mask, builder_.getIntNTy(state_.lanes())); }

  // The lane to read from, the same for all; outside ones wrap.
  llvm::Value* lane_number() {
    llvm::Value* lane = state_.lane(call_.getArgOperand(1), part_, first_active());
    return wrapped(lane);
  }
  llvm::Value* wrapped(llvm::Value* lanes) {
    llvm::Constant* size = llvm::ConstantInt::get(lanes->getType(), state_.lanes());
    return builder_.CreateURem(lanes, size); // a mask where the size is a power of two
  }

  llvm::Value* first_active() {
    llvm::Value* first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits(active()), builder_.getFalse());
    llvm::Value* lane = builder_.CreateZExtOrTrunc(first, builder_.getInt32Ty());
    return builder_.CreateSelect(builder_.CreateICmpULT(lane, builder_.getInt32(state_.lanes())), lane,
                                 builder_.getInt32(0));
  }

  llvm::Value* permute(llvm::Value* value, const std::function<int(int)>& from) {
    llvm::SmallVector<int> order;
    const unsigned lanes = llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements();
    for (unsigned lane = 0; lane < lanes; ++lane) order.push_back(from(int(lane)));
    return builder_.CreateShuffleVector(value, order);
  }

  // Sub-groups of other sizes are filled up to the next power of two with what changes nothing, and cut again.
  llvm::Value* resized(llvm::Value* value, unsigned lanes) {
    const unsigned now = llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements();
    if (now == lanes) return value;
    llvm::SmallVector<int> order;
    for (unsigned lane = 0; lane < lanes; ++lane) order.push_back(int(std::min(lane, now)));
    return builder_.CreateShuffleVector(value, neutral_element(operation_.operator_, value->getType()), order);
  }

  // Butterfly over clusters of `size` lanes; every lane ends with its cluster's value, lane 0 is returned.
  llvm::Value* butterfly(llvm::Value* value, unsigned size) {
    value = resized(value, std::bit_ceil(state_.lanes()));
    for (unsigned distance = size / 2; distance > 0; distance /= 2)
      value = combine(builder_, operation_.operator_, value,
                      permute(value, [&](int lane) { return lane ^ int(distance); }));
    return value;
  }
  llvm::Value* reduce(llvm::Value* value, unsigned size) {
    return builder_.CreateExtractElement(butterfly(value, std::bit_ceil(size)), uint64_t(0));
  }

  llvm::Value* clustered() {
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call_.getArgOperand(1));
    if (!size) throw NotVectorizable("a clustered reduction of variable size");
    const unsigned most = std::bit_ceil(state_.lanes());
    const unsigned cluster = unsigned(std::min<uint64_t>(std::bit_floor(size->getZExtValue()), most));
    return resized(butterfly(active_or_neutral(), cluster), state_.lanes());
  }

  // Lanes move up by `distance`; `fill` comes in from below.
  llvm::Value* shift_in(llvm::Value* value, unsigned distance, llvm::Constant* fill) {
    llvm::SmallVector<int> order;
    for (unsigned lane = 0; lane < state_.lanes(); ++lane)
      order.push_back(lane < distance ? int(state_.lanes()) : int(lane - distance));
    return builder_.CreateShuffleVector(value, fill, order);
  }

  llvm::Value* scan(llvm::Value* value) {
    for (unsigned distance = 1; distance < state_.lanes(); distance *= 2)
      value = combine(builder_, operation_.operator_, shift_in(value, distance, neutral()), value);
    return value;
  }

  // Through memory: any lane per lane.
  llvm::Value* shuffle() {
    llvm::Value* value = operand();
    llvm::Type* type = value->getType();
    bool is_bool = type->getScalarType()->isIntegerTy(1);
    if (is_bool) value = builder_.CreateZExt(value, state_.vector_type(builder_.getInt8Ty()));
    llvm::Type* element = value->getType()->getScalarType();
    llvm::AllocaInst* memory = state_.variable(value->getType(), nullptr, "shuffle");
    builder_.CreateStore(value, memory);
    llvm::Value* index = state_.vector(call_.getArgOperand(1), part_);
    llvm::Value* inside = wrapped(builder_.CreateFreeze(index));
    llvm::Value* addresses =
        builder_.CreateGEP(element, memory, builder_.CreateZExt(inside, state_.vector_type(builder_.getInt64Ty())));
    llvm::Value* result = builder_.CreateMaskedGather(value->getType(), addresses,
                                                      state_.data_layout().getABITypeAlign(element), nullptr, nullptr);
    return is_bool ? builder_.CreateTrunc(result, type) : result;
  }

  WideState& state_;
  Builder& builder_;
  const llvm::CallBase& call_;
  unsigned part_;
  GroupOperation operation_;
};

} // namespace

void widen_sub_group_operation(WideState& state, const llvm::CallBase& call) {
  Values results;
  for (unsigned part = 0; part < state.parts(); ++part) results.push_back(SubGroupOperation(state, call, part).emit());
  ValueShape shape = state.divergence.shape(&call);
  if (shape.is_uniform())
    state.set_scalar(&call, results[0]);
  else if (shape.is_strided())
    state.set_bases(&call, std::move(results));
  else
    state.set_vectors(&call, std::move(results));
}

} // namespace zeroth::codegen
