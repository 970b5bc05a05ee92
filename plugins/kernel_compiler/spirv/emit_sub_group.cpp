// Sub-group votes, ballots, shuffles and block accesses, put together from the dialect's few primitives.
#include "../dialect.hpp"
#include "group_calls.hpp"
#include "memory_access.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zeroth::spirv {
namespace {

using llvm::Value;

void check_sub_group(Emitter& e, const Instruction& inst) {
  if (group_scope(e, inst, 0) != Scope::SubGroup) inst.fail("is only supported for sub-groups");
}

Value* lane64(Emitter& e) { return e.ir.CreateZExt(lane_id(e), e.ir.getInt64Ty()); }
Value* true_value(Emitter& e) { return e.ir.getTrue(); }

// <4 x i32> of an i64 and back: lanes beyond 64 do not exist.
Value* to_mask(Emitter& e, const Instruction& inst, Value* bits) {
  Value* pair = e.ir.CreateBitCast(bits, llvm::FixedVectorType::get(e.ir.getInt32Ty(), 2));
  Value* four = e.ir.CreateShuffleVector(pair, llvm::Constant::getNullValue(pair->getType()), {0, 1, 2, 3});
  if (four->getType() != e.result_type(inst)) inst.fail("has a result that is no vector of four 32-bit integers");
  return four;
}

Value* from_mask(Emitter& e, const Instruction& inst, size_t index) {
  Value* four = e.operand_of(inst, index, llvm::FixedVectorType::get(e.ir.getInt32Ty(), 4));
  return e.ir.CreateBitCast(e.ir.CreateShuffleVector(four, {0, 1}), e.ir.getInt64Ty());
}

Value* first_active(Emitter& e) {
  return e.ir.CreateIntrinsic(llvm::Intrinsic::cttz, {e.ir.getInt64Ty()}, {ballot(e, true_value(e)), e.ir.getFalse()});
}

void elect(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  e.define(inst, e.ir.CreateICmpEQ(lane64(e), first_active(e)));
}

// Compared by bits for integers, by value for floats.
Value* equal_in_all(Emitter& e, Value* v) {
  Value* first = group_call(e, Scope::SubGroup, "broadcast_first", v);
  Value* same = v->getType()->isFPOrFPVectorTy() ? e.ir.CreateFCmpOEQ(v, first) : e.ir.CreateICmpEQ(v, first);
  if (same->getType()->isVectorTy()) same = e.ir.CreateAndReduce(same);
  return group_vote(e, Scope::SubGroup, "all", same);
}

void all_equal(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  e.define(inst, equal_in_all(e, e.operand(inst, 1)));
}

template <size_t ValueIndex> void broadcast_first(Emitter& e, const Instruction& inst) {
  if (ValueIndex == 1) check_sub_group(e, inst);
  e.define(inst, group_call(e, Scope::SubGroup, "broadcast_first", e.operand(inst, ValueIndex)));
}

void make_ballot(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  e.define(inst, to_mask(e, inst, ballot(e, e.bool_operand(inst, 1))));
}

void ballot_khr(Emitter& e, const Instruction& inst) {
  e.define(inst, to_mask(e, inst, ballot(e, e.bool_operand(inst, 0))));
}

Value* bit_at(Emitter& e, Value* bits, Value* lane) {
  lane = e.ir.CreateAnd(lane, e.ir.getInt64(63));
  return e.ir.CreateTrunc(e.ir.CreateLShr(bits, lane), e.ir.getInt1Ty());
}

void inverse_ballot(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  e.define(inst, bit_at(e, from_mask(e, inst, 1), lane64(e)));
}

void ballot_bit(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  Value* lane = e.ir.CreateZExt(e.i32_operand(inst, 2), e.ir.getInt64Ty());
  e.define(inst, bit_at(e, from_mask(e, inst, 1), lane));
}

Value* low_bits(Emitter& e, Value* count) { // count in 1..64
  return e.ir.CreateLShr(e.ir.getInt64(~uint64_t{0}), e.ir.CreateSub(e.ir.getInt64(64), count));
}

Value* valid_lanes(Emitter& e) { return low_bits(e, e.ir.CreateZExt(sub_group_size(e), e.ir.getInt64Ty())); }

void ballot_count(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  Value* bits = e.ir.CreateAnd(from_mask(e, inst, 2), valid_lanes(e));
  Value* self = e.ir.CreateShl(e.ir.getInt64(1), lane64(e));
  Value* below = e.ir.CreateSub(self, e.ir.getInt64(1));
  switch (inst.operand(1)) {
  case 0:
    break;
  case 1:
    bits = e.ir.CreateAnd(bits, e.ir.CreateOr(below, self));
    break;
  case 2:
    bits = e.ir.CreateAnd(bits, below);
    break;
  default:
    inst.fail("has group operation " + std::to_string(inst.operand(1)) + ", which is not supported");
  }
  e.define(inst, e.ir.CreateZExtOrTrunc(e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), e.result_type(inst)));
}

template <bool Lowest> void ballot_find(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  Value* bits = e.ir.CreateAnd(from_mask(e, inst, 1), valid_lanes(e));
  const auto id = Lowest ? llvm::Intrinsic::cttz : llvm::Intrinsic::ctlz;
  Value* found = e.ir.CreateIntrinsic(id, {bits->getType()}, {bits, e.ir.getFalse()});
  if (!Lowest) found = e.ir.CreateSub(e.ir.getInt64(63), found);
  e.define(inst, e.ir.CreateZExtOrTrunc(found, e.result_type(inst)));
}

// --- shuffles: `Base` is the operand index of the value
template <size_t Base> void shuffle_to(Emitter& e, const Instruction& inst) {
  if (Base == 1) check_sub_group(e, inst);
  e.define(inst, shuffle(e, e.operand(inst, Base), e.i32_operand(inst, Base + 1)));
}

template <size_t Base> void shuffle_xor(Emitter& e, const Instruction& inst) {
  if (Base == 1) check_sub_group(e, inst);
  e.define(inst, shuffle(e, e.operand(inst, Base), e.ir.CreateXor(lane_id(e), e.i32_operand(inst, Base + 1))));
}

void broadcast_lane(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  e.define(inst, group_call(e, Scope::SubGroup, "broadcast", e.operand(inst, 1), {e.i32_operand(inst, 2)}));
}

void shuffle_up(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  e.define(inst, shuffle(e, e.operand(inst, 1), e.ir.CreateSub(lane_id(e), e.i32_operand(inst, 2))));
}

void shuffle_down(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  e.define(inst, shuffle(e, e.operand(inst, 1), e.ir.CreateAdd(lane_id(e), e.i32_operand(inst, 2))));
}

void rotate(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  // Without a cluster the whole sub-group turns, by its maximum size: the last one may read work-items it has not.
  const llvm::StringRef max_size(dialect::SubGroupMaxSize.data(), dialect::SubGroupMaxSize.size());
  Value* size = inst.size() > 3 ? e.i32_operand(inst, 3) : e.call(max_size, e.ir.getInt32Ty(), {});
  Value* lane = lane_id(e);
  Value* in_cluster = e.ir.CreateURem(lane, e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umax, size, e.ir.getInt32(1)));
  Value* start = e.ir.CreateSub(lane, in_cluster);
  Value* target = e.ir.CreateURem(e.ir.CreateAdd(in_cluster, e.i32_operand(inst, 2)),
                                  e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umax, size, e.ir.getInt32(1)));
  e.define(inst, shuffle(e, e.operand(inst, 1), e.ir.CreateAdd(start, target)));
}

// Two values side by side; lanes beyond the end of the first come from the second.
void shuffle_down_intel(Emitter& e, const Instruction& inst) {
  Value* current = e.operand(inst, 0);
  Value* next = e.operand_of(inst, 1, current->getType());
  Value* size = e.call("zeroth.sub_group_max_size", e.ir.getInt32Ty(), {});
  Value* lane = e.ir.CreateAdd(lane_id(e), e.i32_operand(inst, 2));
  Value* inside = e.ir.CreateICmpULT(lane, size);
  e.define(inst, e.ir.CreateSelect(inside, shuffle(e, current, lane), shuffle(e, next, e.ir.CreateSub(lane, size))));
}

void shuffle_up_intel(Emitter& e, const Instruction& inst) {
  Value* previous = e.operand(inst, 0);
  Value* current = e.operand_of(inst, 1, previous->getType());
  Value* size = e.call("zeroth.sub_group_max_size", e.ir.getInt32Ty(), {});
  Value* lane = e.ir.CreateSub(lane_id(e), e.i32_operand(inst, 2));
  Value* inside = e.ir.CreateICmpSGE(lane, e.ir.getInt32(0));
  e.define(inst,
           e.ir.CreateSelect(inside, shuffle(e, current, lane), shuffle(e, previous, e.ir.CreateAdd(lane, size))));
}

void vote_all(Emitter& e, const Instruction& inst) {
  e.define(inst, group_vote(e, Scope::SubGroup, "all", e.bool_operand(inst, 0)));
}
void vote_any(Emitter& e, const Instruction& inst) {
  e.define(inst, group_vote(e, Scope::SubGroup, "any", e.bool_operand(inst, 0)));
}
void vote_equal(Emitter& e, const Instruction& inst) { e.define(inst, equal_in_all(e, e.operand(inst, 0))); }

// Component c of lane l lies at pointer[c * size + l].
Value* block_address(Emitter& e, Value* pointer, llvm::Type* element, unsigned component) {
  Value* size = e.call("zeroth.sub_group_max_size", e.ir.getInt32Ty(), {});
  Value* index = e.ir.CreateAdd(e.ir.CreateMul(size, e.ir.getInt32(component)), lane_id(e));
  return e.ir.CreateGEP(element, pointer, e.ir.CreateZExt(index, e.ir.getInt64Ty()));
}

void block_read(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  llvm::Type* element = type->getScalarType();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!element->isIntegerTy() && !element->isFloatingPointTy()) inst.fail("reads a type that blocks do not have");
  if (!vector) return e.define(inst, load(e, type, block_address(e, pointer, type, 0), {}));
  Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = e.ir.CreateInsertElement(result, load(e, element, block_address(e, pointer, element, i), {}), uint64_t{i});
  e.define(inst, result);
}

void block_write(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  Value* data = e.operand(inst, 1);
  llvm::Type* element = data->getType()->getScalarType();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(data->getType());
  if (!element->isIntegerTy() && !element->isFloatingPointTy()) inst.fail("writes a type that blocks do not have");
  if (!vector) {
    store(e, data, block_address(e, pointer, element, 0), {});
    return;
  }
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    store(e, e.ir.CreateExtractElement(data, uint64_t{i}), block_address(e, pointer, element, i), {});
}

// Lanes 4n to 4n+3 are a quad.
void quad_broadcast(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  Value* base = e.ir.CreateAnd(lane_id(e), e.ir.getInt32(~3u));
  e.define(inst, shuffle(e, e.operand(inst, 1),
                         e.ir.CreateOr(base, e.ir.CreateAnd(e.i32_operand(inst, 2), e.ir.getInt32(3)))));
}

void quad_swap(Emitter& e, const Instruction& inst) {
  check_sub_group(e, inst);
  const uint32_t direction = e.constant_operand(inst, 2);
  if (direction > 2) inst.fail("swaps in a direction that does not exist");
  e.define(inst, shuffle(e, e.operand(inst, 1), e.ir.CreateXor(lane_id(e), e.ir.getInt32(direction + 1))));
}

constexpr EmitterEntry table[] = {
    {Op::GroupNonUniformElect, elect},
    {Op::GroupNonUniformAllEqual, all_equal},
    {Op::GroupNonUniformBroadcast, broadcast_lane},
    {Op::GroupNonUniformBroadcastFirst, broadcast_first<1>},
    {Op::GroupNonUniformBallot, make_ballot},
    {Op::GroupNonUniformInverseBallot, inverse_ballot},
    {Op::GroupNonUniformBallotBitExtract, ballot_bit},
    {Op::GroupNonUniformBallotBitCount, ballot_count},
    {Op::GroupNonUniformBallotFindLSB, ballot_find<true>},
    {Op::GroupNonUniformBallotFindMSB, ballot_find<false>},
    {Op::GroupNonUniformShuffle, shuffle_to<1>},
    {Op::GroupNonUniformShuffleXor, shuffle_xor<1>},
    {Op::GroupNonUniformShuffleUp, shuffle_up},
    {Op::GroupNonUniformShuffleDown, shuffle_down},
    {Op::GroupNonUniformRotateKHR, rotate},
    {Op::GroupNonUniformQuadBroadcast, quad_broadcast},
    {Op::GroupNonUniformQuadSwap, quad_swap},
    {Op::SubgroupBallotKHR, ballot_khr},
    {Op::SubgroupFirstInvocationKHR, broadcast_first<0>},
    {Op::SubgroupReadInvocationKHR, shuffle_to<0>},
    {Op::SubgroupAllKHR, vote_all},
    {Op::SubgroupAnyKHR, vote_any},
    {Op::SubgroupAllEqualKHR, vote_equal},
    {Op::SubgroupShuffleINTEL, shuffle_to<0>},
    {Op::SubgroupShuffleXorINTEL, shuffle_xor<0>},
    {Op::SubgroupShuffleDownINTEL, shuffle_down_intel},
    {Op::SubgroupShuffleUpINTEL, shuffle_up_intel},
    {Op::SubgroupBlockReadINTEL, block_read},
    {Op::SubgroupBlockWriteINTEL, block_write},
};

} // namespace

EmitterTable sub_group_emitters() { return table; }

} // namespace zeroth::spirv
