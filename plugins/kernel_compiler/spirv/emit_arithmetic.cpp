// Integer and floating-point arithmetic.
#include "emitter.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zeroth::spirv {
namespace {

using llvm::Value;

struct Pair {
  Value* left;
  Value* right;
};

Pair int_pair(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntOrIntVectorTy()) inst.fail("has a result that is no integer");
  return {e.operand_of(inst, 0, type), e.operand_of(inst, 1, type)};
}

Pair float_pair(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isFPOrFPVectorTy()) inst.fail("has a result that is no floating-point value");
  return {e.operand_of(inst, 0, type), e.operand_of(inst, 1, type)};
}

template <llvm::Instruction::BinaryOps Operation> void wrapping(Emitter& e, const Instruction& inst) {
  const auto [a, b] = int_pair(e, inst);
  Value* result = e.ir.CreateBinOp(Operation, a, b);
  if (auto* made = llvm::dyn_cast<llvm::BinaryOperator>(result)) {
    made->setHasNoSignedWrap(e.decorated(inst, Decoration::NoSignedWrap));
    made->setHasNoUnsignedWrap(e.decorated(inst, Decoration::NoUnsignedWrap));
  }
  e.define(inst, result);
}

template <llvm::Instruction::BinaryOps Operation> void floating(Emitter& e, const Instruction& inst) {
  const auto [a, b] = float_pair(e, inst);
  e.define(inst, e.ir.CreateBinOp(Operation, a, b));
}

// A divisor that cannot trap: x / 0 and MIN / -1 have no defined value, but must not end the process.
Value* safe_divisor(Emitter& e, Value* dividend, Value* divisor, bool is_signed) {
  llvm::Type* type = divisor->getType();
  Value* one = llvm::ConstantInt::get(type, 1);
  Value* bad = e.ir.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (is_signed) {
    const unsigned width = type->getScalarSizeInBits();
    Value* lowest = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(width));
    Value* minus_one = llvm::Constant::getAllOnesValue(type);
    bad =
        e.ir.CreateOr(bad, e.ir.CreateAnd(e.ir.CreateICmpEQ(dividend, lowest), e.ir.CreateICmpEQ(divisor, minus_one)));
  }
  return e.ir.CreateSelect(bad, one, divisor);
}

template <llvm::Instruction::BinaryOps Operation, bool Signed> void division(Emitter& e, const Instruction& inst) {
  const auto [a, b] = int_pair(e, inst);
  e.define(inst, e.ir.CreateBinOp(Operation, a, safe_divisor(e, a, b, Signed)));
}

// The result has the sign of the divisor.
void signed_modulo(Emitter& e, const Instruction& inst) {
  const auto [a, b] = int_pair(e, inst);
  Value* divisor = safe_divisor(e, a, b, true);
  Value* remainder = e.ir.CreateSRem(a, divisor);
  Value* zero = llvm::Constant::getNullValue(a->getType());
  Value* differs = e.ir.CreateICmpSLT(e.ir.CreateXor(remainder, divisor), zero);
  Value* adjust = e.ir.CreateAnd(differs, e.ir.CreateICmpNE(remainder, zero));
  e.define(inst, e.ir.CreateSelect(adjust, e.ir.CreateAdd(remainder, divisor), remainder));
}

Value* float_remainder(Emitter& e, Value* a, Value* b) {
  return e.per_component({a, b}, [&](llvm::ArrayRef<Value*> v) -> Value* {
    return e.call("zeroth.math.fmod." + type_suffix(v[0]->getType()), v[0]->getType(), v);
  });
}

void float_rem(Emitter& e, const Instruction& inst) {
  const auto [a, b] = float_pair(e, inst);
  e.define(inst, float_remainder(e, a, b));
}

void float_mod(Emitter& e, const Instruction& inst) {
  const auto [a, b] = float_pair(e, inst);
  Value* remainder = float_remainder(e, a, b);
  Value* zero = llvm::Constant::getNullValue(a->getType());
  Value* differs = e.ir.CreateXor(e.ir.CreateFCmpOLT(remainder, zero), e.ir.CreateFCmpOLT(b, zero));
  Value* adjust = e.ir.CreateAnd(differs, e.ir.CreateFCmpONE(remainder, zero));
  e.define(inst, e.ir.CreateSelect(adjust, e.ir.CreateFAdd(remainder, b), remainder));
}

void int_negate(Emitter& e, const Instruction& inst) {
  Value* a = e.int_operand(inst, 0);
  Value* result =
      e.ir.CreateSub(llvm::Constant::getNullValue(a->getType()), a, "", e.decorated(inst, Decoration::NoUnsignedWrap),
                     e.decorated(inst, Decoration::NoSignedWrap));
  e.define(inst, result);
}

void float_negate(Emitter& e, const Instruction& inst) { e.define(inst, e.ir.CreateFNeg(e.float_operand(inst, 0))); }

void vector_times_scalar(Emitter& e, const Instruction& inst) {
  Value* vector = e.float_operand(inst, 0);
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
  if (!type) inst.fail("has no vector");
  Value* scalar = e.operand_of(inst, 1, type->getElementType());
  e.define(inst, e.ir.CreateFMul(vector, e.ir.CreateVectorSplat(type->getNumElements(), scalar)));
}

void dot(Emitter& e, const Instruction& inst) {
  Value* a = e.float_operand(inst, 0);
  Value* b = e.operand_of(inst, 1, a->getType());
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(a->getType());
  if (!type) inst.fail("has no vectors");
  Value* sum = e.ir.CreateFMul(e.ir.CreateExtractElement(a, uint64_t{0}), e.ir.CreateExtractElement(b, uint64_t{0}));
  for (unsigned i = 1; i < type->getNumElements(); ++i)
    sum = e.ir.CreateFAdd(sum, e.ir.CreateFMul(e.ir.CreateExtractElement(a, i), e.ir.CreateExtractElement(b, i)));
  e.define(inst, sum);
}

Value* result_pair(Emitter& e, const Instruction& inst, Value* first, Value* second) {
  auto* type = llvm::dyn_cast<llvm::StructType>(e.result_type(inst));
  if (!type || type->getNumElements() != 2 || type->getElementType(0) != first->getType() ||
      type->getElementType(1) != second->getType())
    inst.fail("has a result that is no structure of two such values");
  return e.ir.CreateInsertValue(e.ir.CreateInsertValue(llvm::PoisonValue::get(type), first, 0), second, 1);
}

template <llvm::Intrinsic::ID Operation> void with_carry(Emitter& e, const Instruction& inst) {
  Value* a = e.int_operand(inst, 0);
  Value* b = e.operand_of(inst, 1, a->getType());
  Value* both = e.ir.CreateBinaryIntrinsic(Operation, a, b);
  e.define(inst, result_pair(e, inst, e.ir.CreateExtractValue(both, 0),
                             e.ir.CreateZExt(e.ir.CreateExtractValue(both, 1), a->getType())));
}

template <bool Signed> void mul_extended(Emitter& e, const Instruction& inst) {
  Value* a = e.int_operand(inst, 0);
  Value* b = e.operand_of(inst, 1, a->getType());
  const unsigned width = a->getType()->getScalarSizeInBits();
  llvm::Type* wide = a->getType()->getWithNewBitWidth(width * 2);
  const auto extend = [&](Value* v) { return Signed ? e.ir.CreateSExt(v, wide) : e.ir.CreateZExt(v, wide); };
  Value* product = e.ir.CreateMul(extend(a), extend(b));
  Value* high = e.ir.CreateTrunc(e.ir.CreateLShr(product, width), a->getType());
  e.define(inst, result_pair(e, inst, e.ir.CreateTrunc(product, a->getType()), high));
}

void fused_multiply_add(Emitter& e, const Instruction& inst) {
  const auto [a, b] = float_pair(e, inst);
  e.define(inst,
           e.ir.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, e.operand_of(inst, 2, a->getType())}));
}

// Integer dot products; 32-bit scalars are four packed bytes.
Value* integer_dot(Emitter& e, const Instruction& inst, bool left_signed, bool right_signed) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntegerTy()) inst.fail("has a result that is no integer");
  const auto components = [&](size_t index) {
    Value* v = e.int_operand(inst, index);
    if (v->getType()->isVectorTy()) return v;
    if (!v->getType()->isIntegerTy(32)) inst.fail("has a packed operand that is not of 32 bits");
    return e.ir.CreateBitCast(v, llvm::FixedVectorType::get(e.ir.getInt8Ty(), 4));
  };
  Value* a = components(0);
  Value* b = components(1);
  const unsigned count = llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
  if (!same_shape(a->getType(), b->getType())) inst.fail("has vectors of different lengths");
  if (a->getType()->getScalarSizeInBits() > type->getIntegerBitWidth() ||
      b->getType()->getScalarSizeInBits() > type->getIntegerBitWidth())
    inst.fail("has a result narrower than its operands");
  llvm::Type* wide = llvm::FixedVectorType::get(type, count);
  const auto extend = [&](Value* v, bool is_signed) { return e.ir.CreateIntCast(v, wide, is_signed); };
  Value* product = e.ir.CreateMul(extend(a, left_signed), extend(b, right_signed));
  return e.ir.CreateAddReduce(product);
}

template <bool Left, bool Right> void int_dot(Emitter& e, const Instruction& inst) {
  e.define(inst, integer_dot(e, inst, Left, Right));
}

template <bool Left, bool Right> void int_dot_saturating(Emitter& e, const Instruction& inst) {
  Value* sum = integer_dot(e, inst, Left, Right);
  Value* accumulator = e.operand_of(inst, 2, sum->getType());
  e.define(inst,
           e.ir.CreateBinaryIntrinsic(Left ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat, sum, accumulator));
}

using I = llvm::Instruction;
constexpr EmitterEntry table[] = {
    {Op::SNegate, int_negate},
    {Op::FNegate, float_negate},
    {Op::IAdd, wrapping<I::Add>},
    {Op::ISub, wrapping<I::Sub>},
    {Op::IMul, wrapping<I::Mul>},
    {Op::FAdd, floating<I::FAdd>},
    {Op::FSub, floating<I::FSub>},
    {Op::FMul, floating<I::FMul>},
    {Op::FDiv, floating<I::FDiv>},
    {Op::UDiv, division<I::UDiv, false>},
    {Op::SDiv, division<I::SDiv, true>},
    {Op::UMod, division<I::URem, false>},
    {Op::SRem, division<I::SRem, true>},
    {Op::SMod, signed_modulo},
    {Op::FRem, float_rem},
    {Op::FMod, float_mod},
    {Op::VectorTimesScalar, vector_times_scalar},
    {Op::Dot, dot},
    {Op::IAddCarry, with_carry<llvm::Intrinsic::uadd_with_overflow>},
    {Op::ISubBorrow, with_carry<llvm::Intrinsic::usub_with_overflow>},
    {Op::UMulExtended, mul_extended<false>},
    {Op::SMulExtended, mul_extended<true>},
    {Op::FmaKHR, fused_multiply_add},
    {Op::SDot, int_dot<true, true>},
    {Op::UDot, int_dot<false, false>},
    {Op::SUDot, int_dot<true, false>},
    {Op::SDotAccSat, int_dot_saturating<true, true>},
    {Op::UDotAccSat, int_dot_saturating<false, false>},
    {Op::SUDotAccSat, int_dot_saturating<true, false>},
};

} // namespace

EmitterTable arithmetic_emitters() { return table; }

} // namespace zeroth::spirv
