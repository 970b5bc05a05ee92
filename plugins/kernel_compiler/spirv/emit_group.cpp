// Reductions, scans, votes, broadcasts and asynchronous copies of work-groups and sub-groups.
#include "../dialect.hpp"
#include "group_calls.hpp"

namespace zeroth::spirv {
namespace {

using llvm::Value;

enum class Kind : uint8_t { Integer, Float, Boolean };

// GroupOperation numbers.
enum : uint32_t { Reduce = 0, InclusiveScan = 1, ExclusiveScan = 2, ClusteredReduce = 3 };

void check_kind(const Instruction& inst, llvm::Type* type, Kind kind) {
  const bool fits = kind == Kind::Float ? type->isFPOrFPVectorTy() : type->isIntOrIntVectorTy();
  if (!fits || (kind == Kind::Boolean && type->getScalarSizeInBits() != 1)) inst.fail("has a value of the wrong kind");
  if (kind == Kind::Integer && type->getScalarSizeInBits() > 64) inst.fail("has an integer of more than 64 bits");
}

// Integers of widths that no group operation has travel in the next wider one.
Value* widened(Emitter& e, Value* v, bool is_signed) {
  const unsigned bits = v->getType()->getScalarSizeInBits();
  if (!v->getType()->isIntOrIntVectorTy() || bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64) return v;
  const unsigned wide = bits < 8 ? 8 : bits < 16 ? 16 : bits < 32 ? 32 : 64;
  return e.ir.CreateIntCast(v, v->getType()->getWithNewBitWidth(wide), is_signed);
}

// The first one's result of an exclusive scan of widened numbers is the wider type's identity.
Value* within(Emitter& e, Value* result, llvm::Type* type, std::string_view operation) {
  const unsigned bits = type->getScalarSizeInBits(), wide = result->getType()->getScalarSizeInBits();
  const auto limit = [&](const llvm::APInt& value) {
    return llvm::ConstantInt::get(result->getType(), value.sext(wide));
  };
  if (operation == "smin")
    return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, result, limit(llvm::APInt::getSignedMaxValue(bits)));
  if (operation == "smax")
    return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, result, limit(llvm::APInt::getSignedMinValue(bits)));
  return result;
}

void combine(Emitter& e, const Instruction& inst, std::string_view operation, Kind kind, bool is_signed) {
  const Scope scope = group_scope(e, inst, 0);
  llvm::Type* type = e.result_type(inst);
  check_kind(inst, type, kind);
  Value* v = widened(e, e.operand_of(inst, 2, type), is_signed);
  std::string name;
  llvm::SmallVector<Value*, 1> extra;
  switch (inst.operand(1)) {
  case Reduce:
    name = "reduce_";
    break;
  case InclusiveScan:
    name = "scan_inclusive_";
    break;
  case ExclusiveScan:
    name = "scan_exclusive_";
    break;
  case ClusteredReduce:
    name = "clustered_reduce_";
    if (scope != Scope::SubGroup || inst.size() < 4) inst.fail("is clustered without a size or not in a sub-group");
    extra.push_back(e.i32_operand(inst, 3));
    break;
  default:
    inst.fail("has group operation " + std::to_string(inst.operand(1)) + ", which is not supported");
  }
  Value* result = group_call(e, scope, name + std::string(operation), v, extra);
  if (inst.operand(1) == ExclusiveScan && v->getType() != type) result = within(e, result, type, operation);
  e.define(inst, type->isIntOrIntVectorTy() ? e.ir.CreateTrunc(result, type) : result);
}

void add(Emitter& e, const Instruction& i) { combine(e, i, "add", Kind::Integer, false); }
void mul(Emitter& e, const Instruction& i) { combine(e, i, "mul", Kind::Integer, false); }
void smin(Emitter& e, const Instruction& i) { combine(e, i, "smin", Kind::Integer, true); }
void smax(Emitter& e, const Instruction& i) { combine(e, i, "smax", Kind::Integer, true); }
void umin(Emitter& e, const Instruction& i) { combine(e, i, "umin", Kind::Integer, false); }
void umax(Emitter& e, const Instruction& i) { combine(e, i, "umax", Kind::Integer, false); }
void bit_and(Emitter& e, const Instruction& i) { combine(e, i, "and", Kind::Integer, true); }
void bit_or(Emitter& e, const Instruction& i) { combine(e, i, "or", Kind::Integer, false); }
void bit_xor(Emitter& e, const Instruction& i) { combine(e, i, "xor", Kind::Integer, false); }
void logical_and(Emitter& e, const Instruction& i) { combine(e, i, "and", Kind::Boolean, false); }
void logical_or(Emitter& e, const Instruction& i) { combine(e, i, "or", Kind::Boolean, false); }
void logical_xor(Emitter& e, const Instruction& i) { combine(e, i, "xor", Kind::Boolean, false); }
void float_add(Emitter& e, const Instruction& i) { combine(e, i, "add", Kind::Float, false); }
void float_mul(Emitter& e, const Instruction& i) { combine(e, i, "mul", Kind::Float, false); }
void float_min(Emitter& e, const Instruction& i) { combine(e, i, "min", Kind::Float, false); }
void float_max(Emitter& e, const Instruction& i) { combine(e, i, "max", Kind::Float, false); }

void all(Emitter& e, const Instruction& inst) {
  e.define(inst, group_vote(e, group_scope(e, inst, 0), "all", e.bool_operand(inst, 1)));
}

void any(Emitter& e, const Instruction& inst) {
  e.define(inst, group_vote(e, group_scope(e, inst, 0), "any", e.bool_operand(inst, 1)));
}

// The local id is a scalar in one dimension, a vector in two or three.
void broadcast(Emitter& e, const Instruction& inst) {
  const Scope scope = group_scope(e, inst, 0);
  Value* v = e.operand_of(inst, 1, e.result_type(inst));
  Value* id = e.int_operand(inst, 2);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(id->getType());
  const auto part = [&](unsigned i) -> Value* {
    if (!vector) return i == 0 ? id : llvm::ConstantInt::get(id->getType(), 0);
    return i < vector->getNumElements() ? e.ir.CreateExtractElement(id, uint64_t{i})
                                        : llvm::ConstantInt::get(vector->getElementType(), 0);
  };
  if (scope == Scope::SubGroup) {
    Value* lane = e.ir.CreateZExtOrTrunc(part(0), e.ir.getInt32Ty());
    return e.define(inst, group_call(e, scope, "broadcast", v, {lane}));
  }
  llvm::SmallVector<Value*, 3> ids;
  for (unsigned i = 0; i < 3; ++i) ids.push_back(e.ir.CreateZExtOrTrunc(part(i), e.ir.getInt64Ty()));
  e.define(inst, group_call(e, scope, "broadcast", v, ids));
}

Value* as_i64(Emitter& e, const Instruction& inst, size_t index) {
  Value* v = e.int_operand(inst, index);
  if (v->getType()->isVectorTy()) inst.fail("has a count that is no scalar");
  return e.ir.CreateZExtOrTrunc(v, e.ir.getInt64Ty());
}

// Operands: scope, destination, source, elements, stride, event. The stride is of whichever side is global memory.
void async_copy(Emitter& e, const Instruction& inst) {
  const Scope scope = group_scope(e, inst, 0);
  Value* destination = e.pointer_operand(inst, 1);
  Value* source = e.pointer_operand(inst, 2);
  const unsigned to = destination->getType()->getPointerAddressSpace();
  const unsigned from = source->getType()->getPointerAddressSpace();
  const bool to_local = to == dialect::Local && from == dialect::Global;
  if (!to_local && !(to == dialect::Global && from == dialect::Local))
    inst.fail("copies between other spaces than global and local");
  const uint64_t bytes = e.reader.layout.of(e.pointee(inst, 1).result).size;
  Value* stride = as_i64(e, inst, 4);
  Value* one = e.ir.getInt64(1);
  llvm::Type* event = llvm::PointerType::get(e.context, 0);
  Value* arguments[] = {e.ir.getInt32(uint32_t(scope)),
                        destination,
                        source,
                        e.ir.getInt64(bytes),
                        as_i64(e, inst, 3),
                        to_local ? one : stride,
                        to_local ? stride : one,
                        e.operand_of(inst, 5, event)};
  const std::string name = std::string(dialect::AsyncCopy) + (to_local ? ".p3.p1" : ".p1.p3");
  e.define(inst, e.call(name, event, arguments, true, false));
}

void wait_events(Emitter& e, const Instruction& inst) {
  const Scope scope = group_scope(e, inst, 0);
  Value* events = e.pointer_operand(inst, 2);
  const unsigned space = events->getType()->getPointerAddressSpace();
  if (space != dialect::Private)
    events = e.ir.CreateAddrSpaceCast(events, llvm::PointerType::get(e.context, dialect::Generic));
  Value* arguments[] = {e.ir.getInt32(uint32_t(scope)), e.i32_operand(inst, 1), events};
  const std::string name = std::string(dialect::WaitEvents) + (space == dialect::Private ? ".p0" : ".p4");
  e.call(name, e.ir.getVoidTy(), arguments, true, false);
  Value* barrier[] = {e.ir.getInt32(uint32_t(scope)), e.ir.getInt32(uint32_t(scope)), e.ir.getInt32(0x310)};
  e.call("zeroth.barrier", e.ir.getVoidTy(), barrier, true, false);
}

constexpr EmitterEntry table[] = {
    {Op::GroupAll, all},
    {Op::GroupAny, any},
    {Op::GroupBroadcast, broadcast},
    {Op::GroupIAdd, add},
    {Op::GroupFAdd, float_add},
    {Op::GroupFMin, float_min},
    {Op::GroupUMin, umin},
    {Op::GroupSMin, smin},
    {Op::GroupFMax, float_max},
    {Op::GroupUMax, umax},
    {Op::GroupSMax, smax},
    {Op::GroupIMulKHR, mul},
    {Op::GroupFMulKHR, float_mul},
    {Op::GroupBitwiseAndKHR, bit_and},
    {Op::GroupBitwiseOrKHR, bit_or},
    {Op::GroupBitwiseXorKHR, bit_xor},
    {Op::GroupLogicalAndKHR, logical_and},
    {Op::GroupLogicalOrKHR, logical_or},
    {Op::GroupLogicalXorKHR, logical_xor},
    {Op::GroupNonUniformIAdd, add},
    {Op::GroupNonUniformFAdd, float_add},
    {Op::GroupNonUniformIMul, mul},
    {Op::GroupNonUniformFMul, float_mul},
    {Op::GroupNonUniformSMin, smin},
    {Op::GroupNonUniformUMin, umin},
    {Op::GroupNonUniformFMin, float_min},
    {Op::GroupNonUniformSMax, smax},
    {Op::GroupNonUniformUMax, umax},
    {Op::GroupNonUniformFMax, float_max},
    {Op::GroupNonUniformBitwiseAnd, bit_and},
    {Op::GroupNonUniformBitwiseOr, bit_or},
    {Op::GroupNonUniformBitwiseXor, bit_xor},
    {Op::GroupNonUniformLogicalAnd, logical_and},
    {Op::GroupNonUniformLogicalOr, logical_or},
    {Op::GroupNonUniformLogicalXor, logical_xor},
    {Op::GroupNonUniformAll, all},
    {Op::GroupNonUniformAny, any},
    {Op::GroupAsyncCopy, async_copy},
    {Op::GroupWaitEvents, wait_events},
};

} // namespace

EmitterTable group_emitters() { return table; }

} // namespace zeroth::spirv
