// Functions: declared when first named, read in order of need; kernels get their own convention, name and metadata.
#include "emitter.hpp"
#include "error.hpp"

#include "../llvm_versions.hpp"
#include "library_functions.hpp"

#include <bit>

namespace zeroth::spirv {
namespace {

enum Attribute : uint32_t { Zext = 0, Sext = 1, ByVal = 2, NoAlias = 4, NoWrite = 6 };

bool reserved(std::string_view name) { return name.starts_with("zeroth.") || name.starts_with("llvm."); }

bool is_intrinsic_signature(llvm::Intrinsic::ID id, llvm::FunctionType* type,
                            llvm::SmallVectorImpl<llvm::Type*>& overloads) {
  return id != llvm::Intrinsic::not_intrinsic && llvm::Intrinsic::getIntrinsicSignature(id, type, overloads);
}

} // namespace

llvm::Function* ModuleReader::function(uint32_t id) {
  if (const auto found = functions_.find(id); found != functions_.end()) return found->second;
  const auto range = index.function_by_id.find(id);
  if (range == index.function_by_id.end()) throw ReadError("function id " + std::to_string(id) + " is not defined");
  return functions_[id] = declare(index.functions[range->second]);
}

llvm::Function* ModuleReader::declare(const FunctionRange& range) {
  const Instruction& inst = index.module.instructions[range.first];
  llvm::FunctionType* t = function_type(inst);
  if (type(inst.type) != t->getReturnType()) inst.fail("has another result type than its function type");
  if (range.parameters.size() != t->getNumParams()) inst.fail("has not as many parameters as its type");
  for (size_t i = 0; i < range.parameters.size(); ++i)
    if (value_type(range.parameters[i]->type) != t->getParamType(unsigned(i)))
      range.parameters[i]->fail("has another type than the function type says");
  if (!t->getReturnType()->isVoidTy()) value_type(inst.type);
  std::string_view name = index.name(range.id);
  const Linkage linkage = index.linkage(range.id, &name);
  const bool has_body = range.body != range.end;
  if (!has_body) {
    if (linkage != Linkage::Import) inst.fail("has neither a body nor an import");
    return declare_import(range, name, t);
  }
  if (reserved(name)) name = {};
  auto llvm_linkage = llvm::GlobalValue::InternalLinkage;
  if (options.exports && linkage == Linkage::Export) llvm_linkage = llvm::GlobalValue::ExternalLinkage;
  if (options.exports && linkage == Linkage::LinkOnceOdr) llvm_linkage = llvm::GlobalValue::LinkOnceODRLinkage;
  if (options.exports && linkage == Linkage::Weak) llvm_linkage = llvm::GlobalValue::WeakAnyLinkage;
  auto* function = llvm::Function::Create(t, llvm_linkage, llvm::StringRef(name.data(), name.size()), *module_);
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (inst.operand(0) & 2)
    function->addFnAttr(llvm::Attribute::NoInline);
  else if (inst.operand(0) & 1)
    function->addFnAttr(llvm::Attribute::InlineHint);
  decorate_parameters(range, *function, false);
  pending_.push_back(&range);
  return function;
}

llvm::Function* ModuleReader::declare_import(const FunctionRange& range, std::string_view name, llvm::FunctionType* t) {
  const Instruction& inst = index.module.instructions[range.first];
  const llvm::StringRef text(name.data(), name.size());
  if (text.starts_with("zeroth.") || text.empty()) inst.fail("the name '" + text.str() + "' cannot be imported");
  if (text.starts_with("llvm.")) {
    llvm::SmallVector<llvm::Type*, 4> overloads;
    const llvm::Intrinsic::ID id = llvm_version::intrinsic_named(text);
    if (!is_known_intrinsic(name) || !is_intrinsic_signature(id, t, overloads))
      inst.fail("imports " + text.str() + ", which is not supported");
    return llvm_version::declare_intrinsic(*module_, id, overloads);
  }
  const bool library = is_library_function(name);
  if (llvm::GlobalValue* other = module_->getNamedValue(text)) {
    auto* same = llvm::dyn_cast<llvm::Function>(other);
    if (!same || same->getFunctionType() != t) inst.fail("imports " + text.str() + " a second time, as something else");
    return same;
  }
  auto* function = llvm::Function::Create(t, llvm::GlobalValue::ExternalLinkage, text, *module_);
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::Convergent);
  decorate_parameters(range, *function, false);
  if (library) define_library_function(*this, range, name, *function);
  return function;
}

void ModuleReader::decorate_parameters(const FunctionRange& range, llvm::Function& function, bool kernel) {
  for (unsigned i = 0; i < range.parameters.size(); ++i) {
    const Instruction& parameter = *range.parameters[i];
    llvm::Type* t = function.getArg(i)->getType();
    const Instruction& source = layout.type(parameter.type);
    llvm::AttrBuilder attributes(context);
    bool by_value = kernel && source.op == Op::TypePointer && t->getPointerAddressSpace() == 0;
    uint64_t alignment = 0;
    for (const DecorationUse& use : index.decorations_of(parameter.result)) {
      const uint32_t number = use.operands.empty() ? ~0u : use.operands[0];
      if (use.decoration == Decoration::FuncParamAttr) {
        if (number == Zext && t->isIntegerTy()) attributes.addAttribute(llvm::Attribute::ZExt);
        if (number == Sext && t->isIntegerTy()) attributes.addAttribute(llvm::Attribute::SExt);
        if (number == NoAlias && t->isPointerTy()) attributes.addAttribute(llvm::Attribute::NoAlias);
        if (number == NoWrite && t->isPointerTy() && !by_value) attributes.addAttribute(llvm::Attribute::ReadOnly);
        if (number == ByVal && source.op == Op::TypePointer && t->getPointerAddressSpace() == 0) by_value = true;
      }
      if (use.decoration == Decoration::Restrict && t->isPointerTy()) attributes.addAttribute(llvm::Attribute::NoAlias);
      if (use.decoration == Decoration::Alignment && t->isPointerTy() && std::has_single_bit(number) && number <= 4096)
        alignment = number;
    }
    if (by_value) {
      llvm::Type* pointee = type(source.operand(1));
      if (pointee->isFunctionTy() || pointee->isVoidTy()) parameter.fail("is passed by value but has no size");
      attributes.removeAttribute(llvm::Attribute::ReadOnly);
      attributes.addByValAttr(pointee);
      alignment = std::max(alignment, std::min<uint64_t>(256, layout.of(source.operand(1)).alignment));
    }
    if (attributes.contains(llvm::Attribute::ZExt)) attributes.removeAttribute(llvm::Attribute::SExt);
    if (alignment) attributes.addAlignmentAttr(llvm::Align(alignment));
    function.addParamAttrs(i, attributes);
  }
}

bool ModuleReader::is_called(uint32_t id) const {
  const auto found = called_.find(id);
  return found != called_.end();
}

// The kernel of an entry point: the function itself when nothing else needs it, else a new one that calls it.
void ModuleReader::make_kernel(const EntryPoint& entry, const Kernel& kernel) {
  if (reserved(entry.name)) entry.instruction->fail("the name " + entry.name + " is reserved");
  const FunctionRange& range = index.functions[index.function_by_id.at(entry.function)];
  llvm::Function* body = function(entry.function);
  if (body->isDeclaration() && range.body == range.end)
    entry.instruction->fail("kernel " + entry.name + " has no body");
  if (!body->getReturnType()->isVoidTy()) entry.instruction->fail("kernel " + entry.name + " returns a value");
  size_t entries = 0;
  for (const EntryPoint& other : index.entry_points) entries += other.function == entry.function;
  llvm::Function* result = body;
  if (entries > 1 || is_called(entry.function)) {
    result = llvm::Function::Create(body->getFunctionType(), llvm::GlobalValue::ExternalLinkage, "", *module_);
    result->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::IRBuilder<> ir(llvm::BasicBlock::Create(context, "", result));
    llvm::SmallVector<llvm::Value*, 16> arguments;
    for (llvm::Argument& argument : result->args()) arguments.push_back(&argument);
    llvm::CallInst* call = ir.CreateCall(body, arguments);
    call->setCallingConv(body->getCallingConv());
    for (unsigned i = 0; i < arguments.size(); ++i)
      if (llvm::Type* t = body->getParamByValType(i))
        call->addParamAttr(i, llvm::Attribute::getWithByValType(context, t));
    ir.CreateRetVoid();
    if (!body->hasFnAttribute(llvm::Attribute::NoInline)) body->addFnAttr(llvm::Attribute::AlwaysInline);
  }
  if (llvm::GlobalValue* other = module_->getNamedValue(entry.name); other && other != result)
    other->setName(entry.name + ".function");
  result->setName(entry.name);
  result->setLinkage(llvm::GlobalValue::ExternalLinkage);
  result->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  decorate_parameters(range, *result, true);
  attach_kernel_metadata(*result, kernel);
}

bool ModuleReader::contraction_allowed(uint32_t id) const {
  if (index.mode(id, ExecutionMode::ContractionOff)) return false;
  for (const EntryPoint& entry : index.entry_points)
    if (entry.function == id) return true;
  return !index.any_mode(ExecutionMode::ContractionOff);
}

std::optional<uint32_t> ModuleReader::float_defaults(uint32_t function, uint32_t type) {
  if (!index.has_float_defaults || type == 0) return std::nullopt;
  const Instruction* scalar = &layout.type(type);
  if (scalar->op == Op::TypeVector) scalar = &layout.type(scalar->operand(0));
  const auto of_entry = [&](uint32_t entry) -> std::optional<uint32_t> {
    const auto modes = index.modes.find(entry);
    if (modes == index.modes.end()) return std::nullopt;
    for (const ModeUse& use : modes->second)
      if (use.mode == ExecutionMode::FPFastMathDefault && use.operands.size() == 2 && use.operands[0] == scalar->result)
        return uint32_t(layout.integer(use.operands[1]));
    return std::nullopt;
  };
  std::optional<uint32_t> common;
  for (const EntryPoint& entry : index.entry_points) {
    const std::optional<uint32_t> flags = of_entry(entry.function);
    if (entry.function == function) return flags;
    common = flags ? std::optional(common.value_or(*flags) & *flags) : common;
  }
  return common;
}

llvm::FunctionCallee ModuleReader::dialect_function(llvm::StringRef name, llvm::Type* result,
                                                    llvm::ArrayRef<llvm::Type*> parameters, bool convergent, bool pure,
                                                    bool variadic) {
  llvm::FunctionType* t = llvm::FunctionType::get(result, parameters, variadic);
  llvm::FunctionCallee callee = module_->getOrInsertFunction(name, t);
  auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
  if (!function || function->getFunctionType() != t)
    throw ReadError("the name " + name.str() + " is used for something else");
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (convergent) function->addFnAttr(llvm::Attribute::Convergent);
  if (pure) {
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->setMemoryEffects(llvm::MemoryEffects::none());
  }
  return callee;
}

} // namespace zeroth::spirv
