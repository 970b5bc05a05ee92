#include "prepare_module.hpp"

#include "codegen.hpp"
#include "dialect_calls.hpp"
#include "expand_queries.hpp"
#include "pipelines.hpp"
#include "target_machine.hpp"
#include "unnoticed_groups.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace zeroth::codegen {

namespace {

bool is_kernel(const llvm::Function& function) {
  return !function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL;
}

// A kernel that another one calls is a function as well: calls go to an internal copy.
void split_called_kernel(llvm::Function& kernel) {
  if (kernel.use_empty()) return;
  llvm::ValueToValueMapTy map;
  llvm::Function* callee = llvm::CloneFunction(&kernel, map);
  callee->setLinkage(llvm::GlobalValue::InternalLinkage);
  callee->setCallingConv(llvm::CallingConv::C);
  kernel.replaceUsesWithIf(callee, [&](llvm::Use& use) { return use.getUser() != callee; });
}

void use_plain_calling_convention(llvm::Function& function) {
  function.setCallingConv(llvm::CallingConv::C);
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->setCallingConv(llvm::CallingConv::C);
}

void allow_inlining(llvm::Function& function) {
  for (auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::OptimizeNone, llvm::Attribute::OptimizeForSize,
                         llvm::Attribute::MinSize})
    function.removeFnAttr(attribute);
  if (!is_kernel(function)) function.addFnAttr(llvm::Attribute::AlwaysInline);
}

// What asks for its work-item only makes sense inlined into a kernel. Exported functions that were, are dropped.
void remove_dialect_outside_kernels(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.isDeclaration() || is_kernel(function) || !calls_dialect(function, "zeroth.")) continue;
    if (!function.use_empty())
      throw CodegenError("function " + function.getName().str() +
                         " asks for its work-item and is called recursively or through a pointer");
    function.eraseFromParent();
  }
}

bool is_private_variable(const llvm::GlobalVariable& variable) {
  return variable.getAddressSpace() == dialect::Private && !variable.isConstant() && variable.hasInternalLinkage();
}

void collect_functions(const llvm::Value& value, llvm::SmallPtrSetImpl<llvm::Function*>& functions) {
  for (const llvm::User* user : value.users())
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(const_cast<llvm::Function*>(instruction->getFunction()));
    else if (llvm::isa<llvm::ConstantExpr>(user))
      collect_functions(*user, functions);
}

// Private and local variables are there while a kernel runs. An exported function that needs one is not offered.
void remove_exported_users_of_kernel_memory(llvm::Module& module) {
  llvm::SmallPtrSet<llvm::Function*, 8> functions;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (is_private_variable(variable) || variable.getAddressSpace() == dialect::Local)
      collect_functions(variable, functions);
  for (llvm::Function* function : functions)
    if (!is_kernel(*function) && function->use_empty()) function->eraseFromParent();
}

// The initial value as a constant to copy from, so that large arrays do not become one store for each element.
llvm::GlobalVariable& initial_value(llvm::GlobalVariable& variable) {
  auto* value =
      new llvm::GlobalVariable(*variable.getParent(), variable.getValueType(), true, llvm::GlobalValue::PrivateLinkage,
                               variable.getInitializer(), variable.getName() + ".initial");
  value->setAlignment(variable.getAlign());
  return *value;
}

// A private variable of the program is one of each work-item: memory of the kernel that uses it.
void place_private_variable(llvm::GlobalVariable& variable, llvm::Function& kernel) {
  llvm::convertUsersOfConstantsToInstructions({&variable}, &kernel, false);
  llvm::AllocaInst* memory = nullptr;
  for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
    auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user || user->getFunction() != &kernel) continue;
    if (!memory) {
      llvm::BasicBlock& entry = kernel.getEntryBlock();
      llvm::IRBuilder<> builder(&entry, entry.begin());
      memory = builder.CreateAlloca(variable.getValueType(), nullptr, variable.getName());
      memory->setAlignment(std::max(memory->getAlign(), variable.getAlign().valueOrOne()));
      const uint64_t size = variable.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType());
      if (variable.getInitializer()->isNullValue())
        builder.CreateMemSet(memory, builder.getInt8(0), size, memory->getAlign());
      else if (!llvm::isa<llvm::UndefValue>(variable.getInitializer()))
        builder.CreateMemCpy(memory, memory->getAlign(), &initial_value(variable), variable.getAlign(), size);
    }
    use.set(memory);
  }
}

void place_private_variables(llvm::Module& module, llvm::ArrayRef<llvm::Function*> kernels) {
  llvm::SmallVector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (is_private_variable(variable)) variables.push_back(&variable);
  for (llvm::GlobalVariable* variable : variables) {
    for (llvm::Function* kernel : kernels) place_private_variable(*variable, *kernel);
    variable->removeDeadConstantUsers();
    if (!variable->use_empty())
      throw CodegenError("private variable " + variable->getName().str() +
                         " of the program is used by a function that is called recursively or through a pointer");
    variable->eraseFromParent();
  }
}

} // namespace

llvm::SmallVector<llvm::Function*> kernels_of(llvm::Module& module) {
  llvm::SmallVector<llvm::Function*> kernels;
  for (llvm::Function& function : module)
    if (is_kernel(function)) kernels.push_back(&function);
  return kernels;
}

void prepare_module(llvm::Module& module, llvm::TargetMachine& machine, bool quick) {
  const llvm::SmallVector<llvm::Function*> kernels = kernels_of(module);
  for (llvm::Function* kernel : kernels) split_called_kernel(*kernel);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) {
      if (function.getCallingConv() == llvm::CallingConv::SPIR_FUNC) use_plain_calling_convention(function);
      continue;
    }
    if (!is_kernel(function)) use_plain_calling_convention(function);
    allow_inlining(function);
  }
  set_target(module, machine);
  check_dialect(module);
  run_inline_pipeline(module, machine);
  remove_exported_users_of_kernel_memory(module);
  place_private_variables(module, kernels);
  for (llvm::Function* kernel : kernels) {
    mark_unnoticed_groups(*kernel);
    expand_queries(*kernel);
  }
  run_prepare_pipeline(module, machine, quick);
  remove_dialect_outside_kernels(module);
}

} // namespace zeroth::codegen
