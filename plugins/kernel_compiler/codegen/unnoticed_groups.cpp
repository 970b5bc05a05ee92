#include "unnoticed_groups.hpp"

#include "dialect_calls.hpp"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

namespace zeroth::codegen {

namespace {

constexpr const char* Mark = "zeroth-unnoticed-groups";

bool is_about_other_dimensions(const llvm::CallBase& query) {
  const auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(query.getArgOperand(0));
  return dimension && !dimension->isZero();
}

// Is it the same whichever groups are one? What is not known may not be.
bool is_indifferent(const llvm::Instruction& instruction) {
  using namespace dialect;
  std::string_view name = dialect_name(&instruction);
  if (name.empty()) return true;
  if (name == LocalId || name == GroupId) return is_about_other_dimensions(llvm::cast<llvm::CallBase>(instruction));
  for (std::string_view same : {GlobalId, GlobalSize, GlobalOffset, GlobalLinearId, LocalSize, EnqueuedLocalSize,
                                NumGroups, WorkDim, ReadClock, Printf})
    if (name == same) return true;
  return name.starts_with(MathPrefix) || name.starts_with(ImagePrefix) || name.starts_with(LoadWords) ||
         name.starts_with(StoreWords) || name.starts_with(ByteFraction);
}

// Local memory is the group's.
bool is_local_memory(const llvm::Value* value) {
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value))
    return llvm::any_of(expression->operands(), [](const llvm::Use& use) { return is_local_memory(use.get()); });
  return value->getType()->isPointerTy() && value->getType()->getPointerAddressSpace() == dialect::Local;
}

bool touches_local_memory(const llvm::Instruction& instruction) {
  return llvm::any_of(instruction.operands(), [](const llvm::Use& use) { return is_local_memory(use.get()); });
}

bool may_wait(const llvm::Function& kernel) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> back_edges;
  llvm::FindFunctionBackedges(kernel, back_edges);
  return !back_edges.empty() && llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    return instruction.isAtomic() || instruction.isVolatile();
  });
}

} // namespace

void mark_unnoticed_groups(llvm::Function& kernel) {
  for (const llvm::Instruction& instruction : llvm::instructions(kernel))
    if (!is_indifferent(instruction) || touches_local_memory(instruction)) return;
  if (!may_wait(kernel)) kernel.addFnAttr(Mark);
}

bool groups_go_unnoticed(const llvm::Function& kernel) { return kernel.hasFnAttribute(Mark); }

void inherit_unnoticed_groups(llvm::Function& body, const llvm::Function& kernel) {
  if (groups_go_unnoticed(kernel)) body.addFnAttr(Mark);
}

} // namespace zeroth::codegen
