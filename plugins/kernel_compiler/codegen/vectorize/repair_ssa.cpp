#include "repair_ssa.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace zeroth::codegen {

namespace {

void repair_value(llvm::Instruction& value, const llvm::DominatorTree& dominators) {
  llvm::SmallVector<llvm::Use*> broken;
  for (llvm::Use& use : value.uses())
    if (!dominators.dominates(&value, use)) broken.push_back(&use);
  if (broken.empty()) return;
  llvm::SSAUpdater updater;
  updater.Initialize(value.getType(), value.getName());
  updater.AddAvailableValue(&value.getFunction()->getEntryBlock(), llvm::PoisonValue::get(value.getType()));
  updater.AddAvailableValue(value.getParent(), &value);
  for (llvm::Use* use : broken) updater.RewriteUse(*use);
}

} // namespace

void repair_ssa(llvm::Function& function) {
  llvm::EliminateUnreachableBlocks(function);
  llvm::DominatorTree dominators(function);
  llvm::SmallVector<llvm::Instruction*> values;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (!instruction.getType()->isVoidTy()) values.push_back(&instruction);
  for (llvm::Instruction* value : values) repair_value(*value, dominators);
  llvm::SmallVector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction); memory && llvm::isAllocaPromotable(memory))
      variables.push_back(memory);
  llvm::PromoteMemToReg(variables, dominators);
}

} // namespace zeroth::codegen
