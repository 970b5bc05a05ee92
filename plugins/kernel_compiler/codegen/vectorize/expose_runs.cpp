#include "expose_runs.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace zeroth::codegen {

namespace {

using namespace llvm::PatternMatch;

bool is_type_width(uint64_t bits, const llvm::Type* type) {
  return (bits == 8 || bits == 16 || bits == 32) && bits < type->getScalarSizeInBits();
}

llvm::Value* extended(llvm::IRBuilder<>& builder, llvm::Value* value, uint64_t bits, bool is_signed) {
  llvm::Value* low = builder.CreateTrunc(value, builder.getIntNTy(unsigned(bits)));
  return is_signed ? builder.CreateSExt(low, value->getType()) : builder.CreateZExt(low, value->getType());
}

// Low bits, extended.
llvm::Value* as_extension(llvm::IRBuilder<>& builder, llvm::Instruction& instruction) {
  uint64_t width = instruction.getType()->getScalarSizeInBits();
  llvm::Value* value = nullptr;
  uint64_t up = 0, down = 0;
  if (match(&instruction, m_Shr(m_Shl(m_Value(value), m_ConstantInt(up)), m_ConstantInt(down))) && up >= down &&
      up < width && is_type_width(width - up, instruction.getType())) {
    llvm::Value* low = extended(builder, value, width - up, instruction.getOpcode() == llvm::Instruction::AShr);
    return builder.CreateShl(low, up - down);
  }
  const llvm::APInt* mask = nullptr;
  if (match(&instruction, m_And(m_Value(value), m_APInt(mask))) && mask->isMask() &&
      is_type_width(mask->popcount(), instruction.getType()))
    return extended(builder, value, mask->popcount(), false);
  return nullptr;
}

// What is a sum, or an extension by the sign, only because of a promise.
llvm::Value* without_promise(llvm::IRBuilder<>& builder, llvm::Instruction& instruction) {
  const auto* bits = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
  if (bits && bits->isDisjoint())
    return builder.CreateAdd(instruction.getOperand(0), instruction.getOperand(1), "", true, true);
  if (llvm::isa<llvm::ZExtInst>(instruction) && instruction.hasNonNeg())
    return builder.CreateSExt(instruction.getOperand(0), instruction.getType());
  return nullptr;
}

llvm::Value* rewrite(llvm::Instruction& instruction) {
  if (!instruction.getType()->isIntegerTy() || instruction.getType()->isIntegerTy(1)) return nullptr;
  llvm::IRBuilder<> builder(&instruction);
  if (llvm::Value* extension = as_extension(builder, instruction)) return extension;
  return without_promise(builder, instruction);
}

} // namespace

void expose_runs(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (llvm::Value* value = rewrite(instruction)) {
      value->takeName(&instruction);
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
    }
}

} // namespace zeroth::codegen
