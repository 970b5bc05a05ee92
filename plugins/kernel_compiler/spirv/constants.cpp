// SPIR-V constants → LLVM constants, in any order of definition.
#include "../dialect.hpp"
#include "../image_abi.h"
#include "emitter.hpp"
#include "error.hpp"

#include <llvm/IR/Constants.h>

namespace zeroth::spirv {
namespace {

constexpr uint32_t MaxConstantDepth = 200;

bool is_module_constant(Op op) {
  switch (op) {
  case Op::ConstantTrue:
  case Op::ConstantFalse:
  case Op::Constant:
  case Op::ConstantComposite:
  case Op::ConstantCompositeReplicateEXT:
  case Op::ConstantNull:
  case Op::SpecConstantTrue:
  case Op::SpecConstantFalse:
  case Op::SpecConstant:
  case Op::SpecConstantComposite:
  case Op::SpecConstantCompositeReplicateEXT:
  case Op::SpecConstantOp:
  case Op::ConstantSampler:
  case Op::ConstantFunctionPointerINTEL:
  case Op::Undef:
  case Op::PoisonKHR:
    return true;
  default:
    return false;
  }
}

std::vector<uint64_t> literal_words(const Instruction& inst) {
  std::vector<uint64_t> words((inst.size() + 1) / 2);
  for (size_t i = 0; i < inst.size(); ++i) words[i / 2] |= uint64_t{inst.operand(i)} << (i % 2 * 32);
  return words;
}

} // namespace

bool ModuleReader::is_constant_sampler(uint32_t id) const {
  const Instruction* inst = index.module.definition(id);
  return inst && inst->op == Op::ConstantSampler;
}

llvm::Constant* ModuleReader::constant(uint32_t id, uint32_t depth) {
  if (id < constants_.size() && constants_[id]) return constants_[id];
  const Instruction* inst = index.module.definition(id);
  if (!inst) return nullptr;
  if (inst->op == Op::Variable || inst->op == Op::UntypedVariableKHR) return global(*inst);
  if (inst->op == Op::Function) return function(id);
  if (!is_module_constant(inst->op)) return nullptr;
  if (depth > MaxConstantDepth || in_progress_[id]) inst->fail("constants are nested too deeply or contain themselves");
  in_progress_[id] = 1;
  llvm::Constant* result = make_constant(*inst, depth);
  in_progress_[id] = 0;
  if (result->getType() != type(inst->type)) inst->fail("does not have the type that it says");
  return constants_[id] = result;
}

llvm::Constant* ModuleReader::make_constant(const Instruction& inst, uint32_t depth) {
  llvm::Type* t = type(inst.type);
  if (t->isVoidTy() || t->isFunctionTy()) inst.fail("has a type that no constant can have");
  const auto truth = [&](bool value) -> llvm::Constant* {
    if (!t->isIntegerTy(1)) inst.fail("is not of boolean type");
    return llvm::ConstantInt::get(t, layout.specialised(inst.result).value_or(value) != 0);
  };
  switch (inst.op) {
  case Op::ConstantTrue:
  case Op::SpecConstantTrue:
    return truth(true);
  case Op::ConstantFalse:
  case Op::SpecConstantFalse:
    return truth(false);
  case Op::Constant:
  case Op::SpecConstant:
    return scalar_constant(inst);
  case Op::ConstantNull:
    return llvm::Constant::getNullValue(t);
  case Op::Undef:
    return llvm::UndefValue::get(t);
  case Op::PoisonKHR:
    return llvm::PoisonValue::get(t);
  case Op::ConstantSampler:
    return sampler_constant(inst);
  case Op::ConstantFunctionPointerINTEL: {
    llvm::Function* target = function(inst.operand(0));
    return target;
  }
  case Op::SpecConstantOp:
    return constant_operation(inst);
  default:
    return composite_constant(inst, depth);
  }
}

llvm::Constant* ModuleReader::sampler_constant(const Instruction& inst) {
  const uint32_t bits = (inst.operand(0) & ZEROTH_ADDRESS_MASK) |
                        (inst.operand(1) & 1 ? ZEROTH_SAMPLER_NORMALIZED : 0) |
                        (inst.operand(2) & 1 ? ZEROTH_SAMPLER_LINEAR : 0);
  llvm::Constant* value = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), bits);
  return new llvm::GlobalVariable(*module_, value->getType(), true, llvm::GlobalValue::InternalLinkage, value,
                                  "sampler", nullptr, llvm::GlobalValue::NotThreadLocal, dialect::Constant);
}

llvm::Constant* ModuleReader::scalar_constant(const Instruction& inst) {
  llvm::Type* t = type(inst.type);
  if (!t->isIntegerTy() && !t->isFloatingPointTy()) inst.fail("is a scalar constant of a type that is none");
  const unsigned width = t->getScalarSizeInBits();
  if (inst.size() != (width + 31) / 32) inst.fail("has not as many words as its type needs");
  std::vector<uint64_t> words = literal_words(inst);
  if (inst.op == Op::SpecConstant && width <= 64) words[0] = layout.specialised(inst.result).value_or(words[0]);
  const llvm::APInt bits(width, words);
  if (t->isIntegerTy()) return llvm::ConstantInt::get(t, bits);
  return llvm::ConstantFP::get(t, llvm::APFloat(t->getFltSemantics(), bits));
}

llvm::Constant* ModuleReader::checked_member(const Instruction& inst, uint32_t id, llvm::Type* expected,
                                             uint32_t depth) {
  llvm::Constant* member = constant(id, depth + 1);
  if (!member) inst.fail("contains id " + std::to_string(id) + ", which is no constant");
  if (member->getType() != expected) inst.fail("contains a member of another type than its own type says");
  return member;
}

llvm::Constant* ModuleReader::composite_constant(const Instruction& inst, uint32_t depth) {
  llvm::Type* t = type(inst.type);
  std::vector<uint32_t> ids = all_members(index.module, inst, 0);
  uint64_t count = 0;
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(t))
    count = array->getNumElements();
  else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(t))
    count = vector->getNumElements();
  else if (auto* structure = llvm::dyn_cast<llvm::StructType>(t))
    count = structure->getNumElements();
  else
    inst.fail("is a composite constant of a type that is none");
  if (inst.op == Op::ConstantCompositeReplicateEXT || inst.op == Op::SpecConstantCompositeReplicateEXT) {
    if (count > MaxConstantElements) inst.fail("the constant is too large");
    ids.assign(count, inst.operand(0));
  }
  if (ids.size() != count) inst.fail("has not as many members as its type");
  std::vector<llvm::Constant*> members;
  members.reserve(count);
  for (size_t i = 0; i < ids.size(); ++i) {
    llvm::Type* expected = t->isStructTy() ? t->getStructElementType(unsigned(i)) : t->getContainedType(0);
    members.push_back(checked_member(inst, ids[i], expected, depth));
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(t)) return llvm::ConstantArray::get(array, members);
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(t)) return llvm::ConstantStruct::get(structure, members);
  return llvm::ConstantVector::get(members);
}

// Runs the instruction's own emitter where nothing but constants can come in: LLVM folds as it builds.
llvm::Constant* ModuleReader::constant_operation(const Instruction& inst) {
  Instruction inner = inst;
  inner.op = Op(inst.operand(0));
  inner.operands = inst.operands.subspan(1);
  switch (inner.op) {
  case Op::Load:
  case Op::FunctionCall:
  case Op::Phi:
  case Op::Variable:
    inst.fail("does something that a constant cannot do");
  default:
    break;
  }
  llvm::FunctionType* nothing = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  llvm::Function* scratch = llvm::Function::Create(nothing, llvm::GlobalValue::InternalLinkage, "", *module_);
  struct Eraser {
    llvm::Function* function;
    ~Eraser() { function->eraseFromParent(); }
  } eraser{scratch};
  Emitter emitter(*this, *scratch);
  llvm::Constant* result = llvm::dyn_cast_or_null<llvm::Constant>(emitter.emit_constant(inner));
  if (!result) inst.fail(std::string("cannot be computed at compile time: Op") + op_name(inner.op));
  return result;
}

} // namespace zeroth::spirv
