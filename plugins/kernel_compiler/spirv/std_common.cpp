// OpenCL.std: common, geometric and relational functions.
#include "opencl_std.hpp"

#include <llvm/IR/Intrinsics.h>

namespace zeroth::spirv::opencl_std {
namespace {

using llvm::Value;

llvm::SmallVector<Value*, 4> float_operands(Emitter& e, const Instruction& inst) {
  llvm::SmallVector<Value*, 4> operands{e.float_operand(inst, 0)};
  for (size_t i = 1; i < inst.size(); ++i) operands.push_back(e.operand_of(inst, i, operands[0]->getType()));
  return operands;
}

Value* number(Value* like, double value) { return llvm::ConstantFP::get(like->getType(), value); }

unsigned length_of(Value* v) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
  return vector ? vector->getNumElements() : 1;
}

Value* component(Emitter& e, Value* v, unsigned i) {
  return v->getType()->isVectorTy() ? e.ir.CreateExtractElement(v, uint64_t{i}) : v;
}

Value* dot(Emitter& e, Value* a, Value* b) {
  Value* sum = nullptr;
  for (unsigned i = 0; i < length_of(a); ++i) {
    Value* product = e.ir.CreateFMul(component(e, a, i), component(e, b, i));
    sum = sum ? e.ir.CreateFAdd(sum, product) : product;
  }
  return sum;
}

Value* root(Emitter& e, Value* v) { return e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, v); }

Value* widened(Emitter& e, Value* v) {
  llvm::Type* scalar = v->getType()->getScalarType();
  llvm::Type* wide = scalar->isHalfTy() ? e.ir.getFloatTy() : e.ir.getDoubleTy();
  return scalar->isDoubleTy() ? v : e.ir.CreateFPExt(v, v->getType()->getWithNewType(wide));
}

// Euclidean length, in the next wider type so that squares neither overflow nor vanish; doubles by hypot, which is
// safe.
Value* length(Emitter& e, Value* v, bool fast) {
  if (fast) return root(e, dot(e, v, v));
  llvm::Type* scalar = v->getType()->getScalarType();
  if (!scalar->isDoubleTy()) {
    Value* wide = widened(e, v);
    return e.ir.CreateFPTrunc(root(e, dot(e, wide, wide)), scalar);
  }
  Value* sum = e.ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, component(e, v, 0));
  for (unsigned i = 1; i < length_of(v); ++i) sum = e.call("zeroth.math.hypot.f64", scalar, {sum, component(e, v, i)});
  return sum;
}

Value* splat(Emitter& e, Value* scalar, Value* like) {
  return like->getType()->isVectorTy() ? e.ir.CreateVectorSplat(length_of(like), scalar) : scalar;
}

} // namespace

void common_clamp(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = float_operands(e, inst);
  Value* low = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, v[0], v[1]);
  e.define(inst, e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, low, v[2]));
}

void common_scale(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = float_operands(e, inst);
  constexpr double pi = 3.14159265358979323846;
  e.define(inst, e.ir.CreateFMul(v[0], number(v[0], name == "degrees" ? 180 / pi : pi / 180)));
}

void common_extreme(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = float_operands(e, inst);
  Value* second = name == "fmax_common" ? e.ir.CreateFCmpOLT(v[0], v[1]) : e.ir.CreateFCmpOLT(v[1], v[0]);
  e.define(inst, e.ir.CreateSelect(second, v[1], v[0]));
}

void common_mix(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = float_operands(e, inst);
  e.define(inst, e.ir.CreateFAdd(v[0], e.ir.CreateFMul(e.ir.CreateFSub(v[1], v[0]), v[2])));
}

void common_step(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = float_operands(e, inst);
  e.define(inst, e.ir.CreateSelect(e.ir.CreateFCmpOLT(v[1], v[0]), number(v[0], 0), number(v[0], 1)));
}

void common_smoothstep(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = float_operands(e, inst);
  Value* t = e.ir.CreateFDiv(e.ir.CreateFSub(v[2], v[0]), e.ir.CreateFSub(v[1], v[0]));
  t = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, t, number(t, 0));
  t = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, t, number(t, 1));
  Value* factor = e.ir.CreateFSub(number(t, 3), e.ir.CreateFMul(number(t, 2), t));
  e.define(inst, e.ir.CreateFMul(e.ir.CreateFMul(t, t), factor));
}

void common_sign(Emitter& e, const Instruction& inst, std::string_view) {
  Value* v = float_operands(e, inst)[0];
  Value* zero = number(v, 0);
  Value* one = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, number(v, 1), v);
  Value* keep = e.ir.CreateFCmpOEQ(v, zero); // -0 stays -0
  e.define(inst, e.ir.CreateSelect(e.ir.CreateFCmpUNO(v, v), zero, e.ir.CreateSelect(keep, v, one)));
}

void geometric_cross(Emitter& e, const Instruction& inst, std::string_view) {
  const auto v = float_operands(e, inst);
  const unsigned count = length_of(v[0]);
  if (count != 3 && count != 4) inst.fail("needs vectors of three or four components");
  Value* result = llvm::Constant::getNullValue(v[0]->getType());
  for (unsigned i = 0; i < 3; ++i) {
    const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
    Value* left = e.ir.CreateFMul(component(e, v[0], j), component(e, v[1], k));
    Value* right = e.ir.CreateFMul(component(e, v[0], k), component(e, v[1], j));
    result = e.ir.CreateInsertElement(result, e.ir.CreateFSub(left, right), uint64_t{i});
  }
  e.define(inst, result);
}

void geometric_distance(Emitter& e, const Instruction& inst, std::string_view name) {
  const auto v = float_operands(e, inst);
  e.define(inst, length(e, e.ir.CreateFSub(v[0], v[1]), name.starts_with("fast")));
}

void geometric_length(Emitter& e, const Instruction& inst, std::string_view name) {
  e.define(inst, length(e, float_operands(e, inst)[0], name.starts_with("fast")));
}

void geometric_normalize(Emitter& e, const Instruction& inst, std::string_view name) {
  Value* v = float_operands(e, inst)[0];
  llvm::Type* type = v->getType();
  Value* wide = widened(e, v);
  Value* size = name.starts_with("fast") || wide != v ? root(e, dot(e, wide, wide)) : length(e, v, false);
  Value* empty = e.ir.CreateFCmpOEQ(size, number(size, 0)); // a zero vector stays as it is
  Value* divisor = e.ir.CreateSelect(empty, number(size, 1), size);
  Value* result = e.ir.CreateFDiv(wide, splat(e, divisor, wide));
  e.define(inst, wide == v ? result : e.ir.CreateFPTrunc(result, type));
}

void relational_bitselect(Emitter& e, const Instruction& inst, std::string_view) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntOrIntVectorTy() && !type->isFPOrFPVectorTy()) inst.fail("has a result of the wrong kind");
  llvm::Type* bits = type->getWithNewType(e.ir.getIntNTy(type->getScalarSizeInBits()));
  const auto operand = [&](size_t i) { return e.ir.CreateBitCast(e.operand_of(inst, i, type), bits); };
  Value* mask = operand(2);
  Value* mixed = e.ir.CreateOr(e.ir.CreateAnd(mask, operand(1)), e.ir.CreateAnd(e.ir.CreateNot(mask), operand(0)));
  e.define(inst, e.ir.CreateBitCast(mixed, type));
}

// Vectors choose by the highest bit of each component, scalars by not being zero.
void relational_select(Emitter& e, const Instruction& inst, std::string_view) {
  llvm::Type* type = e.result_type(inst);
  Value* choice = e.int_operand(inst, 2);
  if (!same_shape(choice->getType(), type)) inst.fail("has operands of different lengths");
  Value* zero = llvm::Constant::getNullValue(choice->getType());
  Value* second = type->isVectorTy() ? e.ir.CreateICmpSLT(choice, zero) : e.ir.CreateICmpNE(choice, zero);
  e.define(inst, e.ir.CreateSelect(second, e.operand_of(inst, 1, type), e.operand_of(inst, 0, type)));
}

} // namespace zeroth::spirv::opencl_std
