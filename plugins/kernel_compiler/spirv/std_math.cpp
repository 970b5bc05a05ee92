// OpenCL.std: mathematics. What is exact is an LLVM intrinsic or plain arithmetic, the rest a call of the built-in
// library.
#include "opencl_std.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zeroth::spirv::opencl_std {
namespace {

using llvm::Value;

std::string library_name(std::string_view name, llvm::Type* type) {
  return "zeroth.math." + std::string(name) + "." + type_suffix(type->getScalarType());
}

// All operands of the result's type.
llvm::SmallVector<Value*, 4> float_operands(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isFPOrFPVectorTy()) inst.fail("has a result that is no floating-point value");
  llvm::SmallVector<Value*, 4> operands;
  for (size_t i = 0; i < inst.size(); ++i) operands.push_back(e.operand_of(inst, i, type));
  return operands;
}

Value* magnitude(Emitter& e, Value* v) { return e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v); }
Value* is_infinite(Emitter& e, Value* v) {
  return e.ir.CreateFCmpOEQ(magnitude(e, v), llvm::ConstantFP::getInfinity(v->getType()));
}
Value* zero_like(Emitter& e, Value* v) {
  return e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, llvm::Constant::getNullValue(v->getType()), v);
}

void store_result(Emitter& e, const Instruction& inst, size_t pointer_index, Value* v) {
  Value* pointer = e.pointer_operand(inst, pointer_index);
  const llvm::Align natural = e.reader.module().getDataLayout().getABITypeAlign(v->getType()->getScalarType());
  e.ir.CreateAlignedStore(v, pointer, natural);
}

} // namespace

void math_call(Emitter& e, const Instruction& inst, std::string_view name) {
  e.define(inst, e.per_component(float_operands(e, inst), [&](llvm::ArrayRef<Value*> v) -> Value* {
    return e.call(library_name(name, v[0]->getType()), v[0]->getType(), v);
  }));
}

// The last operand is an integer; a scalar one serves all components.
void math_with_int(Emitter& e, const Instruction& inst, std::string_view name) {
  Value* x = e.operand_of(inst, 0, e.result_type(inst));
  Value* n = e.int_operand(inst, 1);
  if (!x->getType()->isFPOrFPVectorTy()) inst.fail("has a result that is no floating-point value");
  if (n->getType()->isVectorTy() && !same_shape(x->getType(), n->getType()))
    inst.fail("has operands of different lengths");
  n = e.ir.CreateSExtOrTrunc(n, n->getType()->getWithNewBitWidth(32));
  e.define(inst, e.per_component({x, n}, [&](llvm::ArrayRef<Value*> v) -> Value* {
    return e.call(library_name(name, v[0]->getType()), v[0]->getType(), v);
  }));
}

void math_ilogb(Emitter& e, const Instruction& inst, std::string_view name) {
  Value* x = e.float_operand(inst, 0);
  Value* result = e.per_component({x}, [&](llvm::ArrayRef<Value*> v) -> Value* {
    return e.call(library_name(name, v[0]->getType()), e.ir.getInt32Ty(), v);
  });
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntOrIntVectorTy() || !same_shape(type, result->getType())) inst.fail("has a result of the wrong type");
  e.define(inst, e.ir.CreateSExtOrTrunc(result, type));
}

// The second result goes through a private place per component, then in one store to where it belongs.
void math_with_pointer(Emitter& e, const Instruction& inst, std::string_view name) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isFPOrFPVectorTy()) inst.fail("has a result that is no floating-point value");
  const size_t pointer = inst.size() - 1;
  llvm::SmallVector<Value*, 4> operands;
  for (size_t i = 0; i < pointer; ++i) operands.push_back(e.operand_of(inst, i, type));
  llvm::Type* second = name == "sincos" ? type->getScalarType() : e.ir.getInt32Ty();
  llvm::SmallVector<Value*, 16> seconds;
  Value* result = e.per_component(operands, [&](llvm::ArrayRef<Value*> v) -> Value* {
    llvm::AllocaInst* place = e.entry_alloca(second, llvm::Align(8));
    llvm::SmallVector<Value*, 4> arguments(v.begin(), v.end());
    arguments.push_back(place);
    Value* part = e.call(library_name(name, v[0]->getType()), v[0]->getType(), arguments, false, false);
    seconds.push_back(e.ir.CreateLoad(second, place));
    return part;
  });
  Value* stored = seconds[0];
  if (type->isVectorTy()) {
    stored = llvm::PoisonValue::get(type->getWithNewType(second));
    for (unsigned i = 0; i < seconds.size(); ++i) stored = e.ir.CreateInsertElement(stored, seconds[i], uint64_t{i});
  }
  store_result(e, inst, pointer, stored);
  e.define(inst, result);
}

void math_fract(Emitter& e, const Instruction& inst, std::string_view) {
  Value* x = e.operand_of(inst, 0, e.result_type(inst));
  if (!x->getType()->isFPOrFPVectorTy()) inst.fail("has a result that is no floating-point value");
  e.ir.setFastMathFlags({});
  llvm::APFloat below_one(x->getType()->getScalarType()->getFltSemantics(), 1);
  below_one.next(true);
  Value* limit = llvm::ConstantFP::get(x->getType(), below_one);
  Value* floor = e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x);
  Value* rest = e.ir.CreateFSub(x, floor);
  rest = e.ir.CreateSelect(e.ir.CreateFCmpOGT(rest, limit), limit, rest);
  store_result(e, inst, 1, floor);
  e.define(inst, e.ir.CreateSelect(is_infinite(e, x), zero_like(e, x), rest));
}

void math_modf(Emitter& e, const Instruction& inst, std::string_view) {
  Value* x = e.operand_of(inst, 0, e.result_type(inst));
  if (!x->getType()->isFPOrFPVectorTy()) inst.fail("has a result that is no floating-point value");
  e.ir.setFastMathFlags({});
  Value* whole = e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x);
  Value* rest = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, e.ir.CreateFSub(x, whole), x);
  store_result(e, inst, 1, whole);
  e.define(inst, e.ir.CreateSelect(is_infinite(e, x), zero_like(e, x), rest));
}

void math_unary(Emitter& e, const Instruction& inst, std::string_view name) {
  static const std::unordered_map<std::string_view, llvm::Intrinsic::ID> ids = {
      {"ceil", llvm::Intrinsic::ceil},   {"floor", llvm::Intrinsic::floor},    {"fabs", llvm::Intrinsic::fabs},
      {"rint", llvm::Intrinsic::rint},   {"round", llvm::Intrinsic::round},    {"sqrt", llvm::Intrinsic::sqrt},
      {"trunc", llvm::Intrinsic::trunc}, {"half_sqrt", llvm::Intrinsic::sqrt}, {"native_sqrt", llvm::Intrinsic::sqrt},
  };
  e.define(inst, e.ir.CreateUnaryIntrinsic(ids.at(name), float_operands(e, inst)[0]));
}

void math_binary(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = float_operands(e, inst);
  const auto id = name == "copysign" ? llvm::Intrinsic::copysign
                  : name == "fmax"   ? llvm::Intrinsic::maxnum
                                     : llvm::Intrinsic::minnum;
  e.define(inst, e.ir.CreateBinaryIntrinsic(id, v[0], v[1]));
}

void math_ternary(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = float_operands(e, inst);
  const auto id = name == "fma" ? llvm::Intrinsic::fma : llvm::Intrinsic::fmuladd;
  e.define(inst, e.ir.CreateIntrinsic(id, {v[0]->getType()}, {v[0], v[1], v[2]}));
}

void math_fdim(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = float_operands(e, inst);
  Value* zero = llvm::Constant::getNullValue(v[0]->getType());
  e.define(inst, e.ir.CreateSelect(e.ir.CreateFCmpOLE(v[0], v[1]), zero, e.ir.CreateFSub(v[0], v[1])));
}

void math_magnitude(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = float_operands(e, inst);
  const bool largest = name == "maxmag";
  Value* a = magnitude(e, v[0]);
  Value* b = magnitude(e, v[1]);
  Value* equal = e.ir.CreateBinaryIntrinsic(largest ? llvm::Intrinsic::maxnum : llvm::Intrinsic::minnum, v[0], v[1]);
  Value* first = largest ? e.ir.CreateFCmpOGT(a, b) : e.ir.CreateFCmpOLT(a, b);
  Value* second = largest ? e.ir.CreateFCmpOGT(b, a) : e.ir.CreateFCmpOLT(b, a);
  e.define(inst, e.ir.CreateSelect(first, v[0], e.ir.CreateSelect(second, v[1], equal)));
}

void math_nan(Emitter& e, const Instruction& inst, std::string_view) {
  llvm::Type* type = e.result_type(inst);
  Value* code = e.int_operand(inst, 0);
  const unsigned width = type->getScalarSizeInBits();
  if (!type->isFPOrFPVectorTy() || !same_shape(type, code->getType())) inst.fail("has a result of the wrong type");
  llvm::Type* bits = type->getWithNewType(e.ir.getIntNTy(width));
  const llvm::APInt quiet = llvm::APFloat::getQNaN(type->getScalarType()->getFltSemantics()).bitcastToAPInt();
  e.define(inst, e.ir.CreateBitCast(
                     e.ir.CreateOr(e.ir.CreateZExtOrTrunc(code, bits), llvm::ConstantInt::get(bits, quiet)), type));
}

void math_divide(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = float_operands(e, inst);
  llvm::FastMathFlags flags = e.ir.getFastMathFlags();
  flags.setAllowReciprocal();
  e.ir.setFastMathFlags(flags);
  e.define(inst, e.ir.CreateFDiv(v[0], v[1]));
}

void math_recip(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = float_operands(e, inst);
  llvm::FastMathFlags flags = e.ir.getFastMathFlags();
  flags.setAllowReciprocal();
  e.ir.setFastMathFlags(flags);
  e.define(inst, e.ir.CreateFDiv(llvm::ConstantFP::get(v[0]->getType(), 1.0), v[0]));
}

} // namespace zeroth::spirv::opencl_std
