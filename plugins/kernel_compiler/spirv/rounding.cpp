#include "rounding.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zeroth::spirv {
namespace {

using llvm::Value;

llvm::Type* bits_of(Emitter& e, llvm::Type* type) {
  return type->getWithNewType(e.ir.getIntNTy(type->getScalarSizeInBits()));
}

// The neighbour of `v` (finite, or infinite and stepped back) one step away from zero (+1) or towards it (-1).
Value* step(Emitter& e, Value* v, int direction) {
  llvm::Type* bits = bits_of(e, v->getType());
  Value* moved = e.ir.CreateAdd(e.ir.CreateBitCast(v, bits), llvm::ConstantInt::getSigned(bits, direction));
  return e.ir.CreateBitCast(moved, v->getType());
}

Value* is_negative(Emitter& e, Value* v) {
  llvm::Type* bits = bits_of(e, v->getType());
  return e.ir.CreateICmpSLT(e.ir.CreateBitCast(v, bits), llvm::Constant::getNullValue(bits));
}

// `nearest` is the exact value rounded to nearest; `too_high`, `too_low` say on which side of it that lies.
Value* correct(Emitter& e, Value* nearest, Value* too_high, Value* too_low, Rounding rounding) {
  Value* negative = is_negative(e, nearest);
  Value* outward = step(e, nearest, 1);
  Value* inward = step(e, nearest, -1);
  Value* next_up = e.ir.CreateSelect(negative, inward, outward);
  Value* next_down = e.ir.CreateSelect(negative, outward, inward);
  switch (rounding) {
  case Rounding::NearestEven:
    return nearest;
  case Rounding::Up:
    return e.ir.CreateSelect(too_low, next_up, nearest);
  case Rounding::Down:
    return e.ir.CreateSelect(too_high, next_down, nearest);
  case Rounding::TowardZero:
    return e.ir.CreateSelect(e.ir.CreateSelect(negative, too_low, too_high), inward, nearest);
  }
  return nearest;
}

Value* directed_narrow(Emitter& e, Value* v, llvm::Type* to, Rounding rounding) {
  Value* nearest = e.ir.CreateFPTrunc(v, to);
  Value* back = e.ir.CreateFPExt(nearest, v->getType());
  return correct(e, nearest, e.ir.CreateFCmpOGT(back, v), e.ir.CreateFCmpOLT(back, v), rounding);
}

// Shortens a 64-bit magnitude to 53 significant bits, the last of which remembers whether anything was lost: whatever
// is rounded from that to fewer bits is rounded right.
Value* sticky_double(Emitter& e, Value* v, bool is_signed) {
  llvm::Type* type = v->getType();
  llvm::Type* wide = type->getWithNewType(e.ir.getDoubleTy());
  Value* zero = llvm::Constant::getNullValue(type);
  Value* negative = is_signed ? e.ir.CreateICmpSLT(v, zero) : llvm::Constant::getNullValue(type->getWithNewBitWidth(1));
  Value* size = e.ir.CreateSelect(negative, e.ir.CreateNeg(v), v);
  Value* low_mask = llvm::ConstantInt::get(type, 0x7FF);
  Value* lost = e.ir.CreateICmpNE(e.ir.CreateAnd(size, low_mask), zero);
  Value* rounded = e.ir.CreateAnd(size, llvm::ConstantInt::get(type, ~uint64_t{0x7FF}));
  rounded = e.ir.CreateOr(rounded, e.ir.CreateSelect(lost, llvm::ConstantInt::get(type, 0x800), zero));
  Value* large = e.ir.CreateICmpUGE(size, llvm::ConstantInt::get(type, uint64_t{1} << 53));
  Value* exact = e.ir.CreateUIToFP(e.ir.CreateSelect(large, rounded, size), wide);
  return e.ir.CreateSelect(negative, e.ir.CreateFNeg(exact), exact);
}

// 64-bit integer to double, directed: the nearest double compared with the integer it came from.
Value* directed_double(Emitter& e, Value* v, llvm::Type* to, bool is_signed, Rounding rounding) {
  llvm::Type* type = v->getType();
  Value* nearest = is_signed ? e.ir.CreateSIToFP(v, to) : e.ir.CreateUIToFP(v, to);
  Value* limit = llvm::ConstantFP::get(to, is_signed ? 0x1p63 : 0x1p64);
  Value* above = e.ir.CreateFCmpOGE(nearest, limit); // no integer of the type is as large
  const auto id = is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  Value* back = e.ir.CreateIntrinsic(id, {type, to}, {nearest});
  const auto order = is_signed ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT;
  Value* too_high = e.ir.CreateOr(above, e.ir.CreateICmp(order, back, v));
  Value* too_low = e.ir.CreateAnd(e.ir.CreateNot(above), e.ir.CreateICmp(order, v, back));
  return correct(e, nearest, too_high, too_low, rounding);
}

} // namespace

Rounding rounding_of(Emitter& e, const Instruction& inst, Rounding fallback) {
  const DecorationUse* use = e.reader.index.decoration(inst.result, Decoration::FPRoundingMode);
  if (!use || use->operands.empty()) return fallback;
  if (use->operands[0] > 3)
    inst.fail("has rounding mode " + std::to_string(use->operands[0]) + ", which does not exist");
  return Rounding(use->operands[0]);
}

Value* float_to_float(Emitter& e, Value* v, llvm::Type* to, Rounding rounding) {
  const unsigned from_bits = v->getType()->getScalarSizeInBits();
  const unsigned to_bits = to->getScalarSizeInBits();
  if (v->getType() == to) return v;
  e.ir.setFastMathFlags({});
  llvm::Type* single = to->getWithNewType(e.ir.getFloatTy());
  if (v->getType()->getScalarType()->isBFloatTy())
    return float_to_float(e, bfloat_bits_to_float(e, e.ir.CreateBitCast(v, bits_of(e, v->getType()))), to, rounding);
  if (to->getScalarType()->isBFloatTy()) {
    Value* narrow =
        from_bits == 64 ? directed_narrow(e, v, single, Rounding::TowardZero) : float_to_float(e, v, single, rounding);
    if (from_bits == 64) { // to odd: the last bit remembers what was lost
      Value* lost = e.ir.CreateFCmpUNE(e.ir.CreateFPExt(narrow, v->getType()), v);
      Value* bits = e.ir.CreateBitCast(narrow, bits_of(e, single));
      narrow = e.ir.CreateBitCast(e.ir.CreateOr(bits, e.ir.CreateZExt(lost, bits->getType())), single);
    }
    return e.ir.CreateBitCast(float_to_bfloat_bits(e, narrow), to);
  }
  if (to_bits > from_bits) return e.ir.CreateFPExt(v, to);
  return rounding == Rounding::NearestEven ? e.ir.CreateFPTrunc(v, to) : directed_narrow(e, v, to, rounding);
}

Value* int_to_float(Emitter& e, Value* v, llvm::Type* to, bool is_signed, Rounding rounding) {
  e.ir.setFastMathFlags({});
  llvm::Type* single = to->getWithNewType(e.ir.getFloatTy());
  if (to->getScalarType()->isBFloatTy())
    return float_to_float(e, int_to_float(e, v, single, is_signed, rounding), to, rounding);
  const unsigned width = v->getType()->getScalarSizeInBits();
  if (rounding == Rounding::NearestEven || width > 64 || width < 12)
    return is_signed ? e.ir.CreateSIToFP(v, to) : e.ir.CreateUIToFP(v, to);
  llvm::Type* wide = to->getWithNewType(e.ir.getDoubleTy());
  if (width <= 53) {
    Value* exact = is_signed ? e.ir.CreateSIToFP(v, wide) : e.ir.CreateUIToFP(v, wide);
    return float_to_float(e, exact, to, rounding);
  }
  llvm::Type* word = v->getType()->getWithNewBitWidth(64);
  v = e.ir.CreateIntCast(v, word, is_signed);
  if (to == wide) return directed_double(e, v, to, is_signed, rounding);
  return float_to_float(e, sticky_double(e, v, is_signed), to, rounding);
}

Value* float_to_int(Emitter& e, Value* v, llvm::Type* to, bool is_signed, bool saturate, Rounding rounding) {
  e.ir.setFastMathFlags({});
  if (v->getType()->getScalarType()->isBFloatTy())
    v = float_to_float(e, v, v->getType()->getWithNewType(e.ir.getFloatTy()), rounding);
  switch (rounding) {
  case Rounding::NearestEven:
    v = e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, v);
    break;
  case Rounding::Up:
    v = e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, v);
    break;
  case Rounding::Down:
    v = e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::floor, v);
    break;
  case Rounding::TowardZero:
    break;
  }
  if (saturate) {
    const auto id = is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    return e.ir.CreateIntrinsic(id, {to, v->getType()}, {v});
  }
  return is_signed ? e.ir.CreateFPToSI(v, to) : e.ir.CreateFPToUI(v, to);
}

Value* float_to_bfloat_bits(Emitter& e, Value* v) {
  llvm::Type* word = bits_of(e, v->getType());
  Value* bits = e.ir.CreateBitCast(v, word);
  const auto constant = [&](uint64_t n) { return llvm::ConstantInt::get(word, n); };
  Value* odd = e.ir.CreateAnd(e.ir.CreateLShr(bits, 16), constant(1));
  Value* rounded = e.ir.CreateLShr(e.ir.CreateAdd(e.ir.CreateAdd(bits, constant(0x7FFF)), odd), 16);
  Value* quiet = e.ir.CreateOr(e.ir.CreateLShr(bits, 16), constant(0x40)); // a NaN stays one
  Value* result = e.ir.CreateSelect(e.ir.CreateFCmpUNO(v, v), quiet, rounded);
  return e.ir.CreateTrunc(result, word->getWithNewBitWidth(16));
}

Value* bfloat_bits_to_float(Emitter& e, Value* v) {
  llvm::Type* word = v->getType()->getWithNewBitWidth(32);
  return e.ir.CreateBitCast(e.ir.CreateShl(e.ir.CreateZExt(v, word), 16), word->getWithNewType(e.ir.getFloatTy()));
}

llvm::Value* saturated(Emitter& e, llvm::Value* v, llvm::Type* type, bool from_signed, bool to_signed) {
  const unsigned from = v->getType()->getScalarSizeInBits();
  const unsigned to = type->getScalarSizeInBits();
  llvm::Type* wide = v->getType()->getWithNewBitWidth(std::max(from, to) + 1);
  llvm::Value* exact = e.ir.CreateIntCast(v, wide, from_signed);
  const unsigned bits = wide->getScalarSizeInBits();
  const llvm::APInt high =
      to_signed ? llvm::APInt::getSignedMaxValue(to).zext(bits) : llvm::APInt::getMaxValue(to).zext(bits);
  const llvm::APInt low = to_signed ? llvm::APInt::getSignedMinValue(to).sext(bits) : llvm::APInt(bits, 0);
  exact = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, exact, llvm::ConstantInt::get(wide, high));
  exact = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, exact, llvm::ConstantInt::get(wide, low));
  return e.ir.CreateTrunc(exact, type);
}

} // namespace zeroth::spirv
