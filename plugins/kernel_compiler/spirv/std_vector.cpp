// OpenCL.std: vector loads and stores (with conversion from and to half), shuffles, printf.
#include "../dialect.hpp"
#include "opencl_std.hpp"
#include "rounding.hpp"

namespace zeroth::spirv::opencl_std {
namespace {

using llvm::Value;

unsigned length_of(llvm::Type* type) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

// pointer + offset * stride elements
Value* address(Emitter& e, const Instruction& inst, size_t pointer, size_t offset, llvm::Type* element,
               unsigned stride) {
  Value* index = e.int_operand(inst, offset);
  if (index->getType()->isVectorTy()) inst.fail("has an offset that is no scalar");
  index = e.ir.CreateMul(e.ir.CreateZExtOrTrunc(index, e.ir.getInt64Ty()), e.ir.getInt64(stride));
  return e.ir.CreateGEP(element, e.pointer_operand(inst, pointer), index);
}

llvm::Align element_alignment(Emitter& e, llvm::Type* type) {
  return e.reader.module().getDataLayout().getABITypeAlign(type->getScalarType());
}

} // namespace

void vector_load(Emitter& e, const Instruction& inst, std::string_view) {
  llvm::Type* type = e.result_type(inst);
  Value* from = address(e, inst, 1, 0, type->getScalarType(), length_of(type));
  e.define(inst, e.ir.CreateAlignedLoad(type, from, element_alignment(e, type)));
}

void vector_store(Emitter& e, const Instruction& inst, std::string_view) {
  Value* data = e.operand(inst, 0);
  if (data->getType()->isAggregateType()) inst.fail("stores something that is no vector");
  Value* to = address(e, inst, 2, 1, data->getType()->getScalarType(), length_of(data->getType()));
  e.ir.CreateAlignedStore(data, to, element_alignment(e, data->getType()));
}

// The "a" forms have vectors of three at the distance of four.
void vector_load_half(Emitter& e, const Instruction& inst, std::string_view name) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isFPOrFPVectorTy()) inst.fail("has a result that is no floating-point value");
  const unsigned length = length_of(type);
  const bool aligned = name.starts_with("vloada");
  llvm::Type* half = type->getWithNewType(e.ir.getHalfTy());
  const unsigned stride = aligned && length == 3 ? 4 : length;
  Value* from = address(e, inst, 1, 0, e.ir.getHalfTy(), stride);
  Value* v = e.ir.CreateAlignedLoad(half, from, llvm::Align(2));
  e.define(inst, float_to_float(e, v, type, Rounding::NearestEven));
}

void vector_store_half(Emitter& e, const Instruction& inst, std::string_view name) {
  Value* data = e.float_operand(inst, 0);
  const unsigned length = length_of(data->getType());
  const bool aligned = name.starts_with("vstorea");
  Rounding rounding = Rounding::NearestEven;
  if (name.ends_with("_r")) {
    if (inst.operand(3) > 3) inst.fail("has a rounding mode that does not exist");
    rounding = Rounding(inst.operand(3));
  }
  Value* to = address(e, inst, 2, 1, e.ir.getHalfTy(), aligned && length == 3 ? 4 : length);
  Value* half = float_to_float(e, data, data->getType()->getWithNewType(e.ir.getHalfTy()), rounding);
  e.ir.CreateAlignedStore(half, to, llvm::Align(2));
}

void vector_shuffle(Emitter& e, const Instruction& inst, std::string_view name) {
  Value* x = e.operand(inst, 0);
  auto* source = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!source) inst.fail("has an operand that is no vector");
  const bool two = name == "shuffle2";
  if (two) {
    llvm::SmallVector<int, 32> both;
    for (unsigned i = 0; i < source->getNumElements() * 2; ++i) both.push_back(int(i));
    x = e.ir.CreateShuffleVector(x, e.operand_of(inst, 1, source), both);
  }
  Value* mask = e.int_operand(inst, two ? 2 : 1);
  llvm::Type* type = e.result_type(inst);
  if (!type->isVectorTy() || !same_shape(type, mask->getType()))
    inst.fail("has a result of another length than its mask");
  const unsigned count = length_of(x->getType());
  Value* result = llvm::PoisonValue::get(type);
  if (type->getScalarType() != source->getElementType()) inst.fail("has a result of another component type");
  for (unsigned i = 0; i < length_of(type); ++i) {
    Value* index = e.ir.CreateExtractElement(mask, uint64_t{i});
    index = e.ir.CreateURem(
        index, llvm::ConstantInt::get(index->getType(),
                                      llvm::APInt(64, count).zextOrTrunc(index->getType()->getIntegerBitWidth())));
    result = e.ir.CreateInsertElement(result, e.ir.CreateExtractElement(x, index), uint64_t{i});
  }
  e.define(inst, result);
}

void print(Emitter& e, const Instruction& inst, std::string_view) {
  Value* format = e.pointer_operand(inst, 0);
  llvm::Type* text = llvm::PointerType::get(e.context, dialect::Constant);
  llvm::SmallVector<Value*, 8> arguments{format->getType() == text ? format : e.ir.CreateAddrSpaceCast(format, text)};
  for (size_t i = 1; i < inst.size(); ++i) {
    Value* v = e.operand(inst, i);
    if (v->getType()->isAggregateType()) inst.fail("prints a structure or an array");
    if (v->getType()->isHalfTy() || v->getType()->isFloatTy()) v = e.ir.CreateFPExt(v, e.ir.getDoubleTy());
    if (v->getType()->isIntegerTy() && v->getType()->getIntegerBitWidth() < 32)
      v = e.ir.CreateIntCast(v, e.ir.getInt32Ty(), !v->getType()->isIntegerTy(1));
    arguments.push_back(v);
  }
  const llvm::StringRef name(dialect::Printf.data(), dialect::Printf.size());
  llvm::FunctionCallee callee = e.reader.dialect_function(name, e.ir.getInt32Ty(), {text}, false, false, true);
  Value* count = e.ir.CreateCall(callee, arguments);
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntegerTy()) inst.fail("has a result that is no integer");
  e.define(inst, e.ir.CreateSExtOrTrunc(count, type));
}

void ignore(Emitter&, const Instruction&, std::string_view) {}

} // namespace zeroth::spirv::opencl_std
