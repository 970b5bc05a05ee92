#include "prepare_module.hpp"

#include "codegen.hpp"
#include "dialect_calls.hpp"
#include "expand_queries.hpp"
#include "pipelines.hpp"
#include "target_machine.hpp"

#include <llvm/IR/Module.h>
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

} // namespace

llvm::SmallVector<llvm::Function*> prepare_module(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<llvm::Function*> kernels;
  for (llvm::Function& function : module)
    if (is_kernel(function)) kernels.push_back(&function);
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
  for (llvm::Function* kernel : kernels) expand_queries(*kernel);
  run_prepare_pipeline(module, machine);
  remove_dialect_outside_kernels(module);
  return kernels;
}

} // namespace zeroth::codegen
