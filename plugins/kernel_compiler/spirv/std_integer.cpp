// OpenCL.std: integer functions, all exact and inline.
#include "opencl_std.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zeroth::spirv::opencl_std {
namespace {

using llvm::Value;

bool is_signed(std::string_view name) { return name.starts_with("s_"); }

// All operands of the result's type.
llvm::SmallVector<Value*, 4> operands(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntOrIntVectorTy()) inst.fail("has a result that is no integer");
  llvm::SmallVector<Value*, 4> list;
  for (size_t i = 0; i < inst.size(); ++i) list.push_back(e.operand_of(inst, i, type));
  return list;
}

llvm::Type* twice_as_wide(Value* v) {
  return v->getType()->getWithNewBitWidth(v->getType()->getScalarSizeInBits() * 2);
}

Value* multiply_high(Emitter& e, Value* a, Value* b, bool as_signed) {
  llvm::Type* wide = twice_as_wide(a);
  Value* product = e.ir.CreateMul(e.ir.CreateIntCast(a, wide, as_signed), e.ir.CreateIntCast(b, wide, as_signed));
  return e.ir.CreateTrunc(e.ir.CreateLShr(product, a->getType()->getScalarSizeInBits()), a->getType());
}

Value* extreme(Emitter& e, Value* a, Value* b, bool as_signed, bool largest) {
  const auto id = largest ? (as_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax)
                          : (as_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin);
  return e.ir.CreateBinaryIntrinsic(id, a, b);
}

} // namespace

void integer_abs(Emitter& e, const Instruction& inst, std::string_view) {
  Value* v = operands(e, inst)[0];
  e.define(inst, e.ir.CreateIntrinsic(llvm::Intrinsic::abs, {v->getType()}, {v, e.ir.getFalse()}));
}

void integer_same(Emitter& e, const Instruction& inst, std::string_view) { e.define(inst, operands(e, inst)[0]); }

void integer_abs_diff(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = operands(e, inst);
  Value* high = extreme(e, v[0], v[1], is_signed(name), true);
  e.define(inst, e.ir.CreateSub(high, extreme(e, v[0], v[1], is_signed(name), false)));
}

void integer_binary(Emitter& e, const Instruction& inst, std::string_view name) {
  static const std::unordered_map<std::string_view, llvm::Intrinsic::ID> ids = {
      {"s_add_sat", llvm::Intrinsic::sadd_sat}, {"u_add_sat", llvm::Intrinsic::uadd_sat},
      {"s_sub_sat", llvm::Intrinsic::ssub_sat}, {"u_sub_sat", llvm::Intrinsic::usub_sat},
      {"s_max", llvm::Intrinsic::smax},         {"u_max", llvm::Intrinsic::umax},
      {"s_min", llvm::Intrinsic::smin},         {"u_min", llvm::Intrinsic::umin},
  };
  const auto v = operands(e, inst);
  e.define(inst, e.ir.CreateBinaryIntrinsic(ids.at(name), v[0], v[1]));
}

// (a + b) >> 1 without overflow; "rhadd" rounds up.
void integer_half_add(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = operands(e, inst);
  const auto half = [&](Value* x) { return is_signed(name) ? e.ir.CreateAShr(x, 1) : e.ir.CreateLShr(x, 1); };
  Value* carry = name.find("rhadd") != name.npos ? e.ir.CreateOr(v[0], v[1]) : e.ir.CreateAnd(v[0], v[1]);
  carry = e.ir.CreateAnd(carry, llvm::ConstantInt::get(v[0]->getType(), 1));
  e.define(inst, e.ir.CreateAdd(e.ir.CreateAdd(half(v[0]), half(v[1])), carry));
}

void integer_clamp(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = operands(e, inst);
  e.define(inst, extreme(e, extreme(e, v[0], v[1], is_signed(name), true), v[2], is_signed(name), false));
}

void integer_count(Emitter& e, const Instruction& inst, std::string_view name) {
  Value* v = operands(e, inst)[0];
  if (name == "popcount") return e.define(inst, e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, v));
  const auto id = name == "clz" ? llvm::Intrinsic::ctlz : llvm::Intrinsic::cttz;
  e.define(inst, e.ir.CreateIntrinsic(id, {v->getType()}, {v, e.ir.getFalse()}));
}

void integer_mul_high(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = operands(e, inst);
  Value* high = multiply_high(e, v[0], v[1], is_signed(name));
  e.define(inst, v.size() > 2 ? e.ir.CreateAdd(high, v[2]) : high);
}

void integer_mad_sat(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = operands(e, inst);
  llvm::Type* type = v[0]->getType();
  llvm::Type* wide = twice_as_wide(v[0]);
  const bool as_signed = is_signed(name);
  const auto extend = [&](Value* x) { return e.ir.CreateIntCast(x, wide, as_signed); };
  Value* exact = e.ir.CreateAdd(e.ir.CreateMul(extend(v[0]), extend(v[1])), extend(v[2]));
  const unsigned width = type->getScalarSizeInBits();
  const llvm::APInt high = as_signed ? llvm::APInt::getSignedMaxValue(width).sext(width * 2)
                                     : llvm::APInt::getMaxValue(width).zext(width * 2);
  exact = extreme(e, exact, llvm::ConstantInt::get(wide, high), as_signed, false);
  if (as_signed)
    exact = extreme(e, exact, llvm::ConstantInt::get(wide, llvm::APInt::getSignedMinValue(width).sext(width * 2)), true,
                    true);
  e.define(inst, e.ir.CreateTrunc(exact, type));
}

void integer_rotate(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = operands(e, inst);
  e.define(inst, e.ir.CreateIntrinsic(llvm::Intrinsic::fshl, {v[0]->getType()}, {v[0], v[0], v[1]}));
}

void integer_upsample(Emitter& e, const Instruction& inst, std::string_view) {
  Value* high = e.int_operand(inst, 0);
  Value* low = e.operand_of(inst, 1, high->getType());
  llvm::Type* wide = twice_as_wide(high);
  Value* shifted = e.ir.CreateShl(e.ir.CreateZExt(high, wide), high->getType()->getScalarSizeInBits());
  e.define(inst, e.ir.CreateOr(shifted, e.ir.CreateZExt(low, wide)));
}

// Operands outside 24 bits have no defined result, so a full product is right.
void integer_mul24(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = operands(e, inst);
  Value* product = e.ir.CreateMul(v[0], v[1]);
  e.define(inst, v.size() > 2 ? e.ir.CreateAdd(product, v[2]) : product);
}

} // namespace zeroth::spirv::opencl_std
