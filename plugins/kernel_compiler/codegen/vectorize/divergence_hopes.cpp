// Hopes: varying values that run with the work-items unless an index wraps around or meets the edge of data.
#include "../dialect_calls.hpp"
#include "divergence.hpp"

#include <cstdlib>

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace zeroth::codegen {

namespace {

bool is_scalar_integer(const llvm::Value* value) {
  return value->getType()->isIntegerTy() && !value->getType()->isIntegerTy(1);
}

} // namespace

void Divergence::find_hopes() {
  for (const llvm::BasicBlock* block : layout_.order())
    for (const llvm::Instruction& instruction : *block)
      if (shape(&instruction).is_varying())
        if (std::optional<int64_t> stride = compute_hope(instruction);
            stride && ValueShape::strided(*stride).is_strided())
          hopes_[&instruction] = *stride;
}

std::optional<int64_t> Divergence::stride_or_hope(const llvm::Value* value) const {
  ValueShape form = shape(value);
  if (form.same_in_part()) return 0;
  return form.is_strided() ? std::optional(form.stride) : hope(value);
}

bool Divergence::runs_through_parts(const llvm::Value* value, unsigned depth) const {
  constexpr unsigned MaxDepth = 12;
  ValueShape form = shape(value);
  if (form.is_uniform() || parts_ == 1) return true;
  const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
  if (!i || !form.is_strided() || depth > MaxDepth) return false;
  switch (i->getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
  case llvm::Instruction::Trunc:
    return llvm::all_of(i->operands(), [&](const llvm::Use& use) { return runs_through_parts(use.get(), depth + 1); });
  case llvm::Instruction::Call: {
    std::string_view name = dialect_name(i);
    return name == dialect::LocalLinearId ? shape_.whole_rows || shape_.cut == Cut::MaskedLinear
                                          : name == dialect::LocalId && shape_.whole_rows;
  }
  default:
    return false;
  }
}

// Indices are clamped or wrapped at the edges of data: within, all work-items keep the one operand that runs with them.
const llvm::Value* Divergence::hoped_arm(const llvm::Instruction& i) const {
  if (!is_scalar_integer(&i) || !llvm::isa<llvm::SelectInst, llvm::MinMaxIntrinsic>(i)) return nullptr;
  unsigned first = llvm::isa<llvm::SelectInst>(i) ? 1 : 0;
  for (unsigned n : {first + 1, first})
    if (stride_or_hope(i.getOperand(n)).value_or(0)) return i.getOperand(n);
  return nullptr;
}

// An index divided by a power of two that is known only at run time: "i & (p - 1)" hopes to run with i, "i & -p" to be
// the same for all.
std::optional<int64_t> Divergence::hope_of_bits(const llvm::Instruction& conjunction) const {
  using namespace llvm::PatternMatch;
  const llvm::Value *index = conjunction.getOperand(0), *bits = conjunction.getOperand(1);
  if (shape(index).same_in_part()) std::swap(index, bits);
  std::optional<int64_t> stride = stride_or_hope(index);
  if (!is_scalar_integer(&conjunction) || !stride || !shape(bits).same_in_part()) return std::nullopt;
  const llvm::APInt* constant = nullptr;
  if (match(bits, m_APInt(constant))) {
    const llvm::APInt block = constant->isNegative() ? -*constant : *constant + 1;
    if (!block.isPowerOf2() || block.ult(uint64_t(std::abs(*stride)) * shape_.lanes)) return std::nullopt;
    return constant->isNegative() ? 0 : *stride;
  }
  if (match(bits, m_Add(m_Value(), m_AllOnes()))) return *stride;
  if (match(bits, m_Neg(m_Value())) || match(bits, m_Not(m_Value()))) return 0;
  return std::nullopt;
}

std::optional<int64_t> Divergence::compute_hope(const llvm::Instruction& i) const {
  auto operand = [&](unsigned n) { return stride_or_hope(i.getOperand(n)); };
  auto both = [&](int64_t sign) {
    std::optional<int64_t> a = operand(0), b = operand(1);
    return a && b && is_scalar_integer(&i) ? std::optional(*a + sign * *b) : std::nullopt;
  };
  if (const llvm::Value* arm = hoped_arm(i)) return stride_or_hope(arm);
  switch (i.getOpcode()) {
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
    return is_scalar_integer(i.getOperand(0)) ? operand(0) : std::nullopt;
  case llvm::Instruction::Add:
    return both(1);
  case llvm::Instruction::Sub:
    return both(-1);
  case llvm::Instruction::And:
    return hope_of_bits(i);
  case llvm::Instruction::AddrSpaceCast:
    return operand(0);
  case llvm::Instruction::Shl: {
    const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
    std::optional<int64_t> stride = operand(0);
    if (!is_scalar_integer(&i) || !stride || !amount || amount->getLimitedValue() >= 30) return std::nullopt;
    return *stride << amount->getZExtValue();
  }
  case llvm::Instruction::GetElementPtr:
    return hope_of_address(llvm::cast<llvm::GetElementPtrInst>(i));
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> Divergence::hope_of_address(const llvm::GetElementPtrInst& address) const {
  std::optional<int64_t> stride = stride_or_hope(address.getPointerOperand());
  if (address.getType()->isVectorTy() || !stride) return std::nullopt;
  const llvm::DataLayout& layout = layout_.function().getParent()->getDataLayout();
  for (auto type = llvm::gep_type_begin(address); type != llvm::gep_type_end(address); ++type) {
    std::optional<int64_t> index = stride_or_hope(type.getOperand());
    if (!index || (*index && type.getOperand()->getType()->getScalarSizeInBits() != 64)) return std::nullopt;
    if (*index) *stride += *index * int64_t(type.getSequentialElementStride(layout).getFixedValue());
  }
  return stride;
}

} // namespace zeroth::codegen
