#include "group_arithmetic.hpp"

#include "codegen.hpp"

namespace zeroth::codegen {

GroupOperation parse_group_operation(llvm::StringRef name, llvm::StringRef prefix) {
  name.consume_front(prefix);
  name = name.substr(0, name.find('.'));
  for (llvm::StringRef kind : {"clustered_reduce", "scan_inclusive", "scan_exclusive", "reduce"})
    if (name.starts_with((kind + "_").str())) return {kind, name.drop_front(kind.size() + 1)};
  return {name, {}};
}

llvm::Constant* neutral_element(llvm::StringRef op, llvm::Type* type) {
  unsigned bits = type->getScalarSizeInBits();
  if (type->getScalarType()->isFloatingPointTy()) {
    if (op == "mul") return llvm::ConstantFP::get(type, 1.0);
    if (op == "min") return llvm::ConstantFP::getInfinity(type, false);
    if (op == "max") return llvm::ConstantFP::getInfinity(type, true);
    return llvm::ConstantFP::getNegativeZero(type);
  }
  if (op == "mul") return llvm::ConstantInt::get(type, 1);
  if (op == "and" || op == "umin") return llvm::Constant::getAllOnesValue(type);
  if (op == "smin") return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
  if (op == "smax") return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
  return llvm::Constant::getNullValue(type);
}

llvm::Value* combine(llvm::IRBuilderBase& builder, llvm::StringRef op, llvm::Value* a, llvm::Value* b) {
  bool is_float = a->getType()->getScalarType()->isFloatingPointTy();
  if (op == "add") return is_float ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
  if (op == "mul") return is_float ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
  if (op == "and") return builder.CreateAnd(a, b);
  if (op == "or") return builder.CreateOr(a, b);
  if (op == "xor") return builder.CreateXor(a, b);
  if (op == "min") return builder.CreateMinNum(a, b);
  if (op == "max") return builder.CreateMaxNum(a, b);
  if (op == "smin") return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
  if (op == "smax") return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
  if (op == "umin") return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
  if (op == "umax") return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
  throw CodegenError("unknown group operator '" + op.str() + "'");
}

} // namespace zeroth::codegen
