#include "kernel_traits.hpp"

#include "../dialect.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace zeroth::compiler {
namespace {

bool touches_double(const llvm::Instruction& instruction) {
  if (instruction.getType()->getScalarType()->isDoubleTy()) return true;
  for (const llvm::Value* operand : instruction.operands())
    if (operand->getType()->getScalarType()->isDoubleTy()) return true;
  return false;
}

} // namespace

KernelTraits traits_of(const llvm::Module& module, const std::string& kernel) {
  KernelTraits traits;
  llvm::SmallVector<const llvm::Function*> pending;
  llvm::SmallPtrSet<const llvm::Function*, 16> seen;
  const auto reach = [&](const llvm::Function* function) {
    if (function && seen.insert(function).second) pending.push_back(function);
  };
  reach(module.getFunction(kernel));
  while (!pending.empty()) {
    const llvm::Function& function = *pending.pop_back_val();
    traits.prints = traits.prints || function.getName() == llvm::StringRef(dialect::Printf);
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call) reach(call->getCalledFunction());
      // printf widens its floats by itself.
      const bool printing =
          call && call->getCalledFunction() && call->getCalledFunction()->getName() == llvm::StringRef(dialect::Printf);
      traits.doubles = traits.doubles || (!printing && touches_double(instruction));
    }
  }
  return traits;
}

} // namespace zeroth::compiler
