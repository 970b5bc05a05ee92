// Shifts, bit-wise logic, bit fields.
#include "emitter.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zeroth::spirv {
namespace {

using llvm::Value;

// The shift count may be of another width than what is shifted.
template <llvm::Instruction::BinaryOps Operation> void shift(Emitter& e, const Instruction& inst) {
  Value* base = e.int_operand(inst, 0);
  Value* count = e.int_operand(inst, 1);
  if (!same_shape(base->getType(), count->getType())) inst.fail("has a shift count of another shape");
  Value* result = e.ir.CreateBinOp(Operation, base, e.ir.CreateZExtOrTrunc(count, base->getType()));
  if (auto* made = llvm::dyn_cast<llvm::BinaryOperator>(result); made && Operation == llvm::Instruction::Shl) {
    made->setHasNoSignedWrap(e.decorated(inst, Decoration::NoSignedWrap));
    made->setHasNoUnsignedWrap(e.decorated(inst, Decoration::NoUnsignedWrap));
  }
  e.define(inst, result);
}

template <llvm::Instruction::BinaryOps Operation> void bitwise(Emitter& e, const Instruction& inst) {
  Value* a = e.int_operand(inst, 0);
  e.define(inst, e.ir.CreateBinOp(Operation, a, e.operand_of(inst, 1, a->getType())));
}

void bitwise_not(Emitter& e, const Instruction& inst) { e.define(inst, e.ir.CreateNot(e.int_operand(inst, 0))); }

Value* splat_like(Emitter& e, const Instruction& inst, size_t index, llvm::Type* type) {
  Value* v = e.int_operand(inst, index);
  if (v->getType()->isVectorTy()) inst.fail("has an offset or count that is no scalar");
  v = e.ir.CreateZExtOrTrunc(v, type->getScalarType());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    v = e.ir.CreateVectorSplat(vector->getNumElements(), v);
  return v;
}

struct Field {
  llvm::Type* type;
  Value* base;
  Value* offset;
  Value* count;
  Value* width; // of the type, as a value
  Value* empty; // count == 0
};

Field field(Emitter& e, const Instruction& inst, size_t offset_index) {
  Field f;
  f.base = e.int_operand(inst, 0);
  f.type = f.base->getType();
  f.offset = splat_like(e, inst, offset_index, f.type);
  f.count = splat_like(e, inst, offset_index + 1, f.type);
  f.width = llvm::ConstantInt::get(f.type, f.type->getScalarSizeInBits());
  f.empty = e.ir.CreateICmpEQ(f.count, llvm::Constant::getNullValue(f.type));
  return f;
}

void field_insert(Emitter& e, const Instruction& inst) {
  const Field f = field(e, inst, 2);
  Value* insert = e.operand_of(inst, 1, f.type);
  Value* mask = e.ir.CreateShl(
      e.ir.CreateLShr(llvm::Constant::getAllOnesValue(f.type), e.ir.CreateSub(f.width, f.count)), f.offset);
  Value* kept = e.ir.CreateAnd(f.base, e.ir.CreateNot(mask));
  Value* placed = e.ir.CreateAnd(e.ir.CreateShl(insert, f.offset), mask);
  e.define(inst, e.ir.CreateSelect(f.empty, f.base, e.ir.CreateOr(kept, placed)));
}

template <bool Signed> void field_extract(Emitter& e, const Instruction& inst) {
  const Field f = field(e, inst, 1);
  Value* unused = e.ir.CreateSub(f.width, f.count);
  Value* high = e.ir.CreateShl(f.base, e.ir.CreateSub(unused, f.offset));
  Value* result = Signed ? e.ir.CreateAShr(high, unused) : e.ir.CreateLShr(high, unused);
  e.define(inst, e.ir.CreateSelect(f.empty, llvm::Constant::getNullValue(f.type), result));
}

void reverse(Emitter& e, const Instruction& inst) {
  e.define(inst, e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, e.int_operand(inst, 0)));
}

void count_bits(Emitter& e, const Instruction& inst) {
  Value* v = e.int_operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntOrIntVectorTy() || !same_shape(type, v->getType())) inst.fail("has a result of the wrong shape");
  e.define(inst, e.ir.CreateZExtOrTrunc(e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, v), type));
}

// Any function of three bits, given by its truth table.
void ternary(Emitter& e, const Instruction& inst) {
  Value* a = e.int_operand(inst, 0);
  Value* b = e.operand_of(inst, 1, a->getType());
  Value* c = e.operand_of(inst, 2, a->getType());
  const uint32_t table = e.constant_operand(inst, 3);
  Value* result = llvm::Constant::getNullValue(a->getType());
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table >> row & 1)) continue;
    Value* term = row & 4 ? a : e.ir.CreateNot(a);
    term = e.ir.CreateAnd(term, row & 2 ? b : e.ir.CreateNot(b));
    term = e.ir.CreateAnd(term, row & 1 ? c : e.ir.CreateNot(c));
    result = e.ir.CreateOr(result, term);
  }
  e.define(inst, result);
}

using I = llvm::Instruction;
constexpr EmitterEntry table[] = {
    {Op::ShiftRightLogical, shift<I::LShr>},
    {Op::ShiftRightArithmetic, shift<I::AShr>},
    {Op::ShiftLeftLogical, shift<I::Shl>},
    {Op::BitwiseOr, bitwise<I::Or>},
    {Op::BitwiseXor, bitwise<I::Xor>},
    {Op::BitwiseAnd, bitwise<I::And>},
    {Op::LogicalOr, bitwise<I::Or>},
    {Op::LogicalAnd, bitwise<I::And>},
    {Op::LogicalNot, bitwise_not},
    {Op::Not, bitwise_not},
    {Op::BitFieldInsert, field_insert},
    {Op::BitFieldSExtract, field_extract<true>},
    {Op::BitFieldUExtract, field_extract<false>},
    {Op::BitReverse, reverse},
    {Op::BitCount, count_bits},
    {Op::BitwiseFunctionINTEL, ternary},
};

} // namespace

EmitterTable bit_emitters() { return table; }

} // namespace zeroth::spirv
