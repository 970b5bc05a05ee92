// Comparisons, classification, selection.
#include "emitter.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zeroth::spirv {
namespace {

using llvm::CmpInst;
using llvm::Value;

// Real producers compare pointers with the integer instructions too, and the bits of floats that were exchanged.
template <CmpInst::Predicate Predicate> void int_compare(Emitter& e, const Instruction& inst) {
  Value* a = e.operand(inst, 0);
  Value* b = e.operand_of(inst, 1, a->getType());
  if (CmpInst::isEquality(Predicate) && a->getType()->isFPOrFPVectorTy()) {
    llvm::Type* bits = a->getType()->getWithNewType(e.ir.getIntNTy(a->getType()->getScalarSizeInBits()));
    a = e.ir.CreateBitCast(a, bits);
    b = e.ir.CreateBitCast(b, bits);
  }
  if (!a->getType()->isIntOrIntVectorTy() && !a->getType()->isPtrOrPtrVectorTy())
    inst.fail("compares something that is no integer");
  e.define(inst, e.ir.CreateICmp(Predicate, a, b));
}

template <CmpInst::Predicate Predicate> void float_compare(Emitter& e, const Instruction& inst) {
  Value* a = e.float_operand(inst, 0);
  e.define(inst, e.ir.CreateFCmp(Predicate, a, e.operand_of(inst, 1, a->getType())));
}

Value* magnitude(Emitter& e, Value* v) { return e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v); }
Value* infinity(Value* v) { return llvm::ConstantFP::getInfinity(v->getType()); }

// Classification must see NaN and infinity whatever the flags of the surrounding arithmetic say.
template <class Fn> void classify(Emitter& e, const Instruction& inst, Fn&& fn) {
  Value* v = e.float_operand(inst, 0);
  e.ir.setFastMathFlags({});
  e.define(inst, fn(v));
}

void is_nan(Emitter& e, const Instruction& inst) {
  classify(e, inst, [&](Value* v) { return e.ir.CreateFCmpUNO(v, v); });
}
void is_inf(Emitter& e, const Instruction& inst) {
  classify(e, inst, [&](Value* v) { return e.ir.CreateFCmpOEQ(magnitude(e, v), infinity(v)); });
}
void is_finite(Emitter& e, const Instruction& inst) {
  classify(e, inst, [&](Value* v) { return e.ir.CreateFCmpOLT(magnitude(e, v), infinity(v)); });
}
void is_normal(Emitter& e, const Instruction& inst) {
  classify(e, inst, [&](Value* v) {
    const llvm::fltSemantics& semantics = v->getType()->getScalarType()->getFltSemantics();
    Value* smallest = llvm::ConstantFP::get(v->getType(), llvm::APFloat::getSmallestNormalized(semantics));
    Value* size = magnitude(e, v);
    return e.ir.CreateAnd(e.ir.CreateFCmpOGE(size, smallest), e.ir.CreateFCmpOLT(size, infinity(v)));
  });
}
void sign_bit(Emitter& e, const Instruction& inst) {
  classify(e, inst, [&](Value* v) {
    llvm::Type* bits = v->getType()->getWithNewType(e.ir.getIntNTy(v->getType()->getScalarSizeInBits()));
    return e.ir.CreateICmpSLT(e.ir.CreateBitCast(v, bits), llvm::Constant::getNullValue(bits));
  });
}

// LLVM's SPIR-V back end applies these to integers too, where OpenCL looks at the highest bit.
Value* truths(Emitter& e, const Instruction& inst) {
  Value* v = e.int_operand(inst, 0);
  return v->getType()->getScalarSizeInBits() == 1 ? v
                                                  : e.ir.CreateICmpSLT(v, llvm::Constant::getNullValue(v->getType()));
}

void any(Emitter& e, const Instruction& inst) {
  Value* v = truths(e, inst);
  e.define(inst, v->getType()->isVectorTy() ? e.ir.CreateOrReduce(v) : v);
}

void all(Emitter& e, const Instruction& inst) {
  Value* v = truths(e, inst);
  e.define(inst, v->getType()->isVectorTy() ? e.ir.CreateAndReduce(v) : v);
}

void select(Emitter& e, const Instruction& inst) {
  Value* condition = e.int_operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  Value* a = e.operand_of(inst, 1, type);
  Value* b = e.operand_of(inst, 2, type);
  if (condition->getType()->getScalarSizeInBits() != 1) inst.fail("has a condition that is no boolean");
  if (condition->getType()->isVectorTy() && !same_shape(condition->getType(), type))
    inst.fail("has a condition of another length");
  e.define(inst, e.ir.CreateSelect(condition, a, b));
}

constexpr EmitterEntry table[] = {
    {Op::IEqual, int_compare<CmpInst::ICMP_EQ>},
    {Op::INotEqual, int_compare<CmpInst::ICMP_NE>},
    {Op::UGreaterThan, int_compare<CmpInst::ICMP_UGT>},
    {Op::SGreaterThan, int_compare<CmpInst::ICMP_SGT>},
    {Op::UGreaterThanEqual, int_compare<CmpInst::ICMP_UGE>},
    {Op::SGreaterThanEqual, int_compare<CmpInst::ICMP_SGE>},
    {Op::ULessThan, int_compare<CmpInst::ICMP_ULT>},
    {Op::SLessThan, int_compare<CmpInst::ICMP_SLT>},
    {Op::ULessThanEqual, int_compare<CmpInst::ICMP_ULE>},
    {Op::SLessThanEqual, int_compare<CmpInst::ICMP_SLE>},
    {Op::LogicalEqual, int_compare<CmpInst::ICMP_EQ>},
    {Op::LogicalNotEqual, int_compare<CmpInst::ICMP_NE>},
    {Op::FOrdEqual, float_compare<CmpInst::FCMP_OEQ>},
    {Op::FUnordEqual, float_compare<CmpInst::FCMP_UEQ>},
    {Op::FOrdNotEqual, float_compare<CmpInst::FCMP_ONE>},
    {Op::FUnordNotEqual, float_compare<CmpInst::FCMP_UNE>},
    {Op::FOrdLessThan, float_compare<CmpInst::FCMP_OLT>},
    {Op::FUnordLessThan, float_compare<CmpInst::FCMP_ULT>},
    {Op::FOrdGreaterThan, float_compare<CmpInst::FCMP_OGT>},
    {Op::FUnordGreaterThan, float_compare<CmpInst::FCMP_UGT>},
    {Op::FOrdLessThanEqual, float_compare<CmpInst::FCMP_OLE>},
    {Op::FUnordLessThanEqual, float_compare<CmpInst::FCMP_ULE>},
    {Op::FOrdGreaterThanEqual, float_compare<CmpInst::FCMP_OGE>},
    {Op::FUnordGreaterThanEqual, float_compare<CmpInst::FCMP_UGE>},
    {Op::LessOrGreater, float_compare<CmpInst::FCMP_ONE>},
    {Op::Ordered, float_compare<CmpInst::FCMP_ORD>},
    {Op::Unordered, float_compare<CmpInst::FCMP_UNO>},
    {Op::IsNan, is_nan},
    {Op::IsInf, is_inf},
    {Op::IsFinite, is_finite},
    {Op::IsNormal, is_normal},
    {Op::SignBitSet, sign_bit},
    {Op::Any, any},
    {Op::All, all},
    {Op::Select, select},
};

} // namespace

EmitterTable comparison_emitters() { return table; }

} // namespace zeroth::spirv
