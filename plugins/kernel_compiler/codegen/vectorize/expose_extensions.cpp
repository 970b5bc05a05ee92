#include "expose_extensions.hpp"

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

llvm::Value* rewrite(llvm::Instruction& instruction) {
  if (!instruction.getType()->isIntegerTy()) return nullptr;
  llvm::IRBuilder<> builder(&instruction);
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

} // namespace

void expose_extensions(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (llvm::Value* value = rewrite(instruction)) {
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
    }
}

} // namespace zeroth::codegen
