#include "running_forms.hpp"

#include <kernel_compiler/kernel_abi.h>

#include <cstddef>
#include <optional>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

namespace zeroth::random_programs {
namespace {

// What the launch says at this offset, if it is known.
std::optional<uint64_t> field_of_launch(uint64_t offset, const Program& program) {
  for (unsigned d = 0; d < 3; ++d) {
    if (offset == offsetof(zeroth_launch, group_size) + d * sizeof(uint32_t)) return program.group_size[d];
    if (offset == offsetof(zeroth_launch, global_offset) + d * sizeof(uint64_t)) return 0;
  }
  return std::nullopt;
}

llvm::Constant* known_value(llvm::Instruction& instruction, const Program& program, const llvm::DataLayout& layout) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load) return llvm::ConstantFoldInstruction(&instruction, layout);
  llvm::APInt offset(64, 0);
  const llvm::Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (base != instruction.getFunction()->getArg(0)) return nullptr;
  const auto field = field_of_launch(offset.getZExtValue(), program);
  return field ? llvm::ConstantInt::get(load->getType(), *field) : nullptr;
}

void decide(llvm::Function& entry, const Program& program) {
  const llvm::DataLayout& layout = entry.getParent()->getDataLayout();
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(entry)))
    if (llvm::Constant* value = known_value(instruction, program, layout)) instruction.replaceAllUsesWith(value);
  for (llvm::BasicBlock& block : entry) llvm::ConstantFoldTerminator(&block, true);
  llvm::removeUnreachableBlocks(entry);
}

bool remove_unused_functions(llvm::Module& module) {
  bool removed = false;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    function.removeDeadConstantUsers();
    if (!function.hasLocalLinkage() || !function.use_empty()) continue;
    function.eraseFromParent();
    removed = true;
  }
  return removed;
}

} // namespace

void keep_running_forms(llvm::Module& module, const Program& program) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage()) decide(function, program);
  while (remove_unused_functions(module)) {
  }
}

} // namespace zeroth::random_programs
