#include "dialect_calls.hpp"

#include "codegen.hpp"

#include <llvm/IR/InstIterator.h>

namespace zeroth::codegen {

std::string_view dialect_name(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(value);
  if (!call || !call->getCalledFunction()) return {};
  llvm::StringRef name = call->getCalledFunction()->getName();
  return name.starts_with("zeroth.") ? std::string_view(name) : std::string_view();
}

bool calls_dialect(const llvm::Function& function, std::string_view prefix) {
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (dialect_name(&instruction).starts_with(prefix)) return true;
  return false;
}

llvm::FunctionCallee declare_query(llvm::Module& module, std::string_view name, llvm::FunctionType* type) {
  llvm::FunctionCallee callee = module.getOrInsertFunction(llvm::StringRef(name), type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  function->setDoesNotThrow();
  return callee;
}

namespace {

bool is_query(std::string_view name) {
  using namespace dialect;
  for (std::string_view known :
       {GlobalId,          GlobalSize,      GlobalOffset,    LocalId,        LocalSize,
        EnqueuedLocalSize, GroupId,         NumGroups,       GlobalLinearId, LocalLinearId,
        WorkDim,           SubGroupSize,    SubGroupMaxSize, NumSubGroups,   NumEnqueuedSubGroups,
        SubGroupId,        SubGroupLocalId, Barrier,         ReadClock,      ToLocal,
        ToGlobal,          ToPrivate,       Printf})
    if (name == known) return true;
  return false;
}

bool is_known(std::string_view name) {
  return is_query(name) || name.starts_with(dialect::SubGroupPrefix) || name.starts_with(dialect::WorkGroupPrefix) ||
         name.starts_with(dialect::AsyncCopy) || name.starts_with(dialect::WaitEvents) ||
         name.starts_with(dialect::LoadWords) || name.starts_with(dialect::StoreWords) ||
         name.starts_with(dialect::ByteFraction);
}

} // namespace

void check_dialect(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() || function.use_empty() || !function.getName().starts_with("zeroth.")) continue;
    if (is_known(function.getName())) continue;
    std::string where;
    for (const llvm::User* user : function.users())
      if (const auto* call = llvm::dyn_cast<llvm::Instruction>(user))
        where = " (called by " + call->getFunction()->getName().str() + ")";
    throw CodegenError("no code for built-in function " + function.getName().str() + where);
  }
}

} // namespace zeroth::codegen
