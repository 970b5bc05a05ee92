// Conversions between numbers, and bit casts.
#include "emitter.hpp"
#include "rounding.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zeroth::spirv {
namespace {

using llvm::Value;

llvm::Type* shaped_result(Emitter& e, const Instruction& inst, Value* from, bool floating) {
  llvm::Type* type = e.result_type(inst);
  if (!(floating ? type->isFPOrFPVectorTy() : type->isIntOrIntVectorTy())) inst.fail("has a result of the wrong kind");
  if (!same_shape(type, from->getType())) inst.fail("has a result of another length than its operand");
  return type;
}

template <bool Signed> void from_float(Emitter& e, const Instruction& inst) {
  Value* v = e.float_operand(inst, 0);
  llvm::Type* type = shaped_result(e, inst, v, false);
  const bool saturate = e.decorated(inst, Decoration::SaturatedConversion);
  e.define(inst, float_to_int(e, v, type, Signed, saturate, rounding_of(e, inst, Rounding::TowardZero)));
}

template <bool Signed> void to_float(Emitter& e, const Instruction& inst) {
  Value* v = e.int_operand(inst, 0);
  llvm::Type* type = shaped_result(e, inst, v, true);
  e.define(inst, int_to_float(e, v, type, Signed, rounding_of(e, inst, Rounding::NearestEven)));
}

void float_convert(Emitter& e, const Instruction& inst) {
  Value* v = e.float_operand(inst, 0);
  llvm::Type* type = shaped_result(e, inst, v, true);
  e.define(inst, float_to_float(e, v, type, rounding_of(e, inst, Rounding::NearestEven)));
}

template <bool Signed> void int_convert(Emitter& e, const Instruction& inst) {
  Value* v = e.int_operand(inst, 0);
  llvm::Type* type = shaped_result(e, inst, v, false);
  if (e.decorated(inst, Decoration::SaturatedConversion))
    e.define(inst, saturated(e, v, type, Signed, Signed));
  else
    e.define(inst, e.ir.CreateIntCast(v, type, Signed));
}

template <bool FromSigned> void sat_convert(Emitter& e, const Instruction& inst) {
  Value* v = e.int_operand(inst, 0);
  e.define(inst, saturated(e, v, shaped_result(e, inst, v, false), FromSigned, !FromSigned));
}

void quantize_to_f16(Emitter& e, const Instruction& inst) {
  Value* v = e.float_operand(inst, 0);
  llvm::Type* type = shaped_result(e, inst, v, true);
  Value* half = float_to_float(e, v, type->getWithNewType(e.ir.getHalfTy()), Rounding::NearestEven);
  e.define(inst, float_to_float(e, half, type, Rounding::NearestEven));
}

void to_bfloat(Emitter& e, const Instruction& inst) {
  Value* v = e.float_operand(inst, 0);
  if (!v->getType()->getScalarType()->isFloatTy()) inst.fail("has an operand that is not of 32 bits");
  e.define(inst, float_to_bfloat_bits(e, v));
}

void from_bfloat(Emitter& e, const Instruction& inst) {
  Value* v = e.int_operand(inst, 0);
  if (v->getType()->getScalarSizeInBits() != 16) inst.fail("has an operand that is not of 16 bits");
  e.define(inst, bfloat_bits_to_float(e, v));
}

// float with the mantissa rounded to the 10 bits of TF32, ties away from zero in even numbers.
void to_tf32(Emitter& e, const Instruction& inst) {
  Value* v = e.float_operand(inst, 0);
  if (!v->getType()->getScalarType()->isFloatTy()) inst.fail("has an operand that is not of 32 bits");
  llvm::Type* word = v->getType()->getWithNewType(e.ir.getInt32Ty());
  const auto constant = [&](uint32_t n) { return llvm::ConstantInt::get(word, n); };
  Value* bits = e.ir.CreateBitCast(v, word);
  Value* odd = e.ir.CreateAnd(e.ir.CreateLShr(bits, 13), constant(1));
  Value* rounded = e.ir.CreateAdd(e.ir.CreateAdd(bits, constant(0xFFF)), odd);
  rounded = e.ir.CreateAnd(rounded, constant(~0x1FFFu));
  e.define(inst, e.ir.CreateSelect(e.ir.CreateFCmpUNO(v, v), v, e.ir.CreateBitCast(rounded, v->getType())));
}

Value* ptr_as_bits(Emitter& e, Value* v) {
  if (!v->getType()->isPtrOrPtrVectorTy()) return v;
  return e.ir.CreatePtrToInt(v, v->getType()->getWithNewType(e.ir.getInt64Ty()));
}

// Same bits, other type: also between pointers and integers or vectors of 64 bits, which SPIR-V allows.
void bitcast(Emitter& e, const Instruction& inst) {
  Value* v = e.operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  if (v->getType()->isPointerTy() && type->isPointerTy()) {
    if (v->getType() != type) v = e.ir.CreateAddrSpaceCast(v, type);
    e.define(inst, v);
    return;
  }
  if (v->getType()->isAggregateType() || type->isAggregateType()) inst.fail("casts a structure or an array");
  v = ptr_as_bits(e, v);
  llvm::Type* plain = type->isPtrOrPtrVectorTy() ? type->getWithNewType(e.ir.getInt64Ty()) : type;
  if (v->getType()->getPrimitiveSizeInBits() != plain->getPrimitiveSizeInBits())
    inst.fail("casts to a type of another size");
  v = e.ir.CreateBitCast(v, plain);
  e.define(inst, type == plain ? v : e.ir.CreateIntToPtr(v, type));
}

constexpr EmitterEntry table[] = {
    {Op::ConvertFToU, from_float<false>},
    {Op::ConvertFToS, from_float<true>},
    {Op::ConvertSToF, to_float<true>},
    {Op::ConvertUToF, to_float<false>},
    {Op::UConvert, int_convert<false>},
    {Op::SConvert, int_convert<true>},
    {Op::FConvert, float_convert},
    {Op::QuantizeToF16, quantize_to_f16},
    {Op::SatConvertSToU, sat_convert<true>},
    {Op::SatConvertUToS, sat_convert<false>},
    {Op::Bitcast, bitcast},
    {Op::ConvertFToBF16INTEL, to_bfloat},
    {Op::ConvertBF16ToFINTEL, from_bfloat},
    {Op::RoundFToTF32INTEL, to_tf32},
};

} // namespace

EmitterTable conversion_emitters() { return table; }

} // namespace zeroth::spirv
