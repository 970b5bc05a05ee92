// Program-scope and work-group variables.
#include "../dialect.hpp"
#include "error.hpp"
#include "module_reader.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <bit>

namespace zeroth::spirv {
namespace {

llvm::GlobalValue::LinkageTypes llvm_linkage(Linkage linkage) {
  switch (linkage) {
  case Linkage::Export:
  case Linkage::Import:
    return llvm::GlobalValue::ExternalLinkage;
  case Linkage::LinkOnceOdr:
    return llvm::GlobalValue::LinkOnceODRLinkage;
  case Linkage::Weak:
    return llvm::GlobalValue::WeakAnyLinkage;
  default:
    return llvm::GlobalValue::InternalLinkage;
  }
}

uint64_t size_limit(uint32_t space) {
  return space == dialect::Local ? MaxLocalBytes : space == dialect::Private ? MaxPrivateBytes : MaxGlobalBytes;
}

} // namespace

llvm::Constant* ModuleReader::global(const Instruction& variable) {
  const uint32_t id = variable.result;
  if (constants_[id]) return constants_[id];
  const auto storage = StorageClass(variable.operand(0));
  if (storage == StorageClass::Function) return nullptr; // local to a function: the emitter's business
  if (builtin_of(index, id)) return nullptr;             // likewise
  const uint32_t space = address_space(storage, variable);
  if (storage == StorageClass::Input) variable.fail("is an input variable that stands for no built-in");
  if (storage == StorageClass::Generic)
    variable.fail("program-scope variables cannot have this storage class");
  const Instruction& pointer = layout.type(variable.type);
  const bool untyped = variable.op == Op::UntypedVariableKHR;
  if (pointer.op != (untyped ? Op::TypeUntypedPointerKHR : Op::TypePointer)) variable.fail("is not of pointer type");
  if (address_space(pointer) != space) variable.fail("has another storage class than its type");
  if (untyped && variable.size() < 2) variable.fail("has no data type");
  const uint32_t pointee = untyped ? variable.operand(1) : pointer.operand(1);
  llvm::Type* t = type(pointee);
  const TypeLayout place = layout.of(pointee);
  if (place.size > size_limit(space))
    variable.fail("the variable of " + std::to_string(place.size) + " bytes is too large");
  std::string_view name = index.name(id);
  const Linkage linkage = index.linkage(id, &name);
  // Of each work-item: code generation makes a copy in each kernel, so nobody else can share it.
  const bool is_private = space == dialect::Private;
  if (is_private && linkage != Linkage::None) variable.fail("private variables cannot be exported or imported");
  if (linkage != Linkage::None && (name.starts_with("zeroth.") || name.starts_with("llvm.")))
    variable.fail("the name " + std::string(name) + " is reserved");
  const bool is_local = space == dialect::Local;
  const bool is_constant = space == dialect::Constant || index.decoration(id, Decoration::Constant);
  auto* result = new llvm::GlobalVariable(
      *module_, t, is_constant && !is_local, is_local ? llvm::GlobalValue::InternalLinkage : llvm_linkage(linkage),
      nullptr, name.starts_with("llvm.") ? llvm::StringRef() : llvm::StringRef(name.data(), name.size()), nullptr,
      llvm::GlobalValue::NotThreadLocal, space);
  uint64_t alignment = place.alignment;
  if (const DecorationUse* use = index.decoration(id, Decoration::Alignment); use && !use->operands.empty())
    if (std::has_single_bit(use->operands[0]) && use->operands[0] <= 4096)
      alignment = std::max<uint64_t>(alignment, use->operands[0]);
  result->setAlignment(llvm::Align(std::min<uint64_t>(std::bit_ceil(std::max<uint64_t>(alignment, 1)), 4096)));
  constants_[id] = result; // before the initializer: it may refer to the variable itself
  set_initializer(variable, *result);
  return result;
}

void ModuleReader::set_initializer(const Instruction& variable, llvm::GlobalVariable& global) {
  llvm::Type* t = global.getValueType();
  const size_t at = variable.op == Op::UntypedVariableKHR ? 2 : 1;
  if (global.getAddressSpace() == dialect::Local) {
    global.setInitializer(llvm::UndefValue::get(t));
  } else if (variable.size() > at) {
    global.setInitializer(checked_member(variable, variable.operand(at), t, 0));
  } else if (index.linkage(variable.result) != Linkage::Import) {
    global.setInitializer(llvm::Constant::getNullValue(t));
  }
}

} // namespace zeroth::spirv
