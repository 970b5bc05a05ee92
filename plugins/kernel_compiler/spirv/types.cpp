// SPIR-V types → LLVM types.
#include "module_reader.hpp"

#include "../dialect.hpp"
#include "error.hpp"

namespace zeroth::spirv {
namespace {

constexpr uint32_t MaxTypeDepth = 100;

llvm::Type* float_type(const Instruction& t, llvm::LLVMContext& context) {
  if (t.size() > 1) {
    if (t.operand(1) == 0 && t.operand(0) == 16) return llvm::Type::getBFloatTy(context);
    t.fail("floating-point encoding " + std::to_string(t.operand(1)) + " is not supported");
  }
  switch (t.operand(0)) {
  case 16:
    return llvm::Type::getHalfTy(context);
  case 32:
    return llvm::Type::getFloatTy(context);
  case 64:
    return llvm::Type::getDoubleTy(context);
  default:
    t.fail("floating-point width " + std::to_string(t.operand(0)) + " is not supported");
  }
}

llvm::Type* int_type(const Instruction& t, llvm::LLVMContext& context) {
  const uint32_t width = t.operand(0);
  if (width == 0 || width > MaxIntegerWidth) t.fail("integer width " + std::to_string(width) + " is not supported");
  return llvm::Type::getIntNTy(context, width);
}

} // namespace

llvm::Type* ModuleReader::type(uint32_t id, uint32_t depth) {
  const Instruction& t = layout.type(id);
  if (types_[id]) return types_[id];
  if (depth > MaxTypeDepth || in_progress_[id]) t.fail("types are nested too deeply or contain themselves");
  in_progress_[id] = 1;
  types_[id] = make_type(t, depth);
  in_progress_[id] = 0;
  return types_[id];
}

llvm::Type* ModuleReader::make_type(const Instruction& t, uint32_t depth) {
  const auto pointer = [&](unsigned space) { return llvm::PointerType::get(context, space); };
  switch (t.op) {
  case Op::TypeVoid:
    return llvm::Type::getVoidTy(context);
  case Op::TypeBool:
    return llvm::Type::getInt1Ty(context);
  case Op::TypeInt:
    return int_type(t, context);
  case Op::TypeFloat:
    return float_type(t, context);
  case Op::TypeVector:
    return make_vector(t, depth);
  case Op::TypeArray: {
    llvm::Type* element = type(t.operand(0), depth + 1);
    layout.of(t.result); // checks that it is finite and of a size that a process can have
    return llvm::ArrayType::get(element, layout.array_length(t));
  }
  case Op::TypeStruct:
    return make_struct(t, depth);
  case Op::TypePointer:
  case Op::TypeUntypedPointerKHR:
    return pointer(address_space(t));
  case Op::TypeImage:
    return pointer(dialect::Global);
  case Op::TypeSampler:
    return pointer(dialect::Constant);
  case Op::TypeSampledImage:
    return llvm::StructType::get(context, {pointer(dialect::Global), pointer(dialect::Constant)});
  case Op::TypeEvent:
    return pointer(dialect::Private);
  case Op::TypeFunction: {
    std::vector<llvm::Type*> parameters;
    for (uint32_t parameter : t.operands.subspan(1)) parameters.push_back(type(parameter, depth + 1));
    llvm::Type* result = type(t.operand(0), depth + 1);
    if (!llvm::FunctionType::isValidReturnType(result)) t.fail("has a result type that functions cannot have");
    for (llvm::Type* parameter : parameters)
      if (!llvm::FunctionType::isValidArgumentType(parameter))
        t.fail("has a parameter type that functions cannot have");
    return llvm::FunctionType::get(result, parameters, false);
  }
  case Op::TypeDeviceEvent:
  case Op::TypeQueue:
    t.fail("device-side enqueue is not supported");
  case Op::TypePipe:
  case Op::TypeReserveId:
  case Op::TypePipeStorage:
    t.fail("pipes are not supported");
  case Op::TypeOpaque:
    t.fail("opaque type " + std::string(t.string(0)) + " is not supported");
  default:
    t.fail("is not a type that kernels can have");
  }
}

llvm::Type* ModuleReader::make_vector(const Instruction& t, uint32_t depth) {
  llvm::Type* element = type(t.operand(0), depth + 1);
  const uint32_t count = t.operand(1);
  if (count < 1 || count > MaxVectorLength) t.fail("vector length " + std::to_string(count) + " is not supported");
  if (!element->isIntegerTy() && !element->isFloatingPointTy() && !element->isPointerTy())
    t.fail("is a vector of something that is no scalar");
  if (count * layout.of(t.operand(0)).size > 4096) t.fail("the vector is too large");
  return llvm::FixedVectorType::get(element, count);
}

llvm::Type* ModuleReader::make_struct(const Instruction& t, uint32_t depth) {
  std::vector<llvm::Type*> members;
  for (uint32_t id : all_members(index.module, t, 0)) {
    llvm::Type* member = type(id, depth + 1);
    if (!llvm::StructType::isValidElementType(member) || member->isFunctionTy()) t.fail("has a member without a size");
    members.push_back(member);
  }
  layout.of(t.result);
  const bool packed = index.decoration(t.result, Decoration::CPacked) != nullptr;
  const std::string_view name = index.name(t.result);
  if (name.empty()) return llvm::StructType::get(context, members, packed);
  return llvm::StructType::create(context, members, llvm::StringRef(name.data(), name.size()), packed);
}

llvm::Type* ModuleReader::value_type(uint32_t id) {
  llvm::Type* result = type(id);
  if (result->isVoidTy() || result->isFunctionTy()) layout.type(id).fail("is not the type of a value");
  if (result->isAggregateType() && scalar_count(result) > MaxAggregateScalars)
    layout.type(id).fail("a value of this type is too large; it can only be used in memory");
  return result;
}

llvm::FunctionType* ModuleReader::function_type(const Instruction& function) {
  llvm::Type* result = type(function.operand(1));
  if (!result->isFunctionTy()) function.fail("has a type that is no function type");
  return llvm::cast<llvm::FunctionType>(result);
}

const Instruction& ModuleReader::type_of(uint32_t value_id) const {
  const Instruction* definition = index.module.definition(value_id);
  if (!definition) throw ReadError("id " + std::to_string(value_id) + " is not defined");
  if (definition->type == 0) definition->fail("has no type");
  return layout.type(definition->type);
}

uint64_t ModuleReader::scalar_count(llvm::Type* type) {
  constexpr uint64_t Many = uint64_t{1} << 40;
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const uint64_t each = scalar_count(array->getElementType());
    return each != 0 && array->getNumElements() > Many / each ? Many : each * array->getNumElements();
  }
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    uint64_t sum = 0;
    for (llvm::Type* member : structure->elements()) sum = std::min(Many, sum + scalar_count(member));
    return sum;
  }
  return 1;
}

} // namespace zeroth::spirv
