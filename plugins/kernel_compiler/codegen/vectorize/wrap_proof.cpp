#include "wrap_proof.hpp"

#include "../dialect_calls.hpp"
#include "divergence.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace zeroth::codegen {

namespace {

constexpr unsigned MaxDepth = 16;
constexpr unsigned AllZeros = 64;

class LowZeros {
public:
  explicit LowZeros(const Shape& shape) : shape_(shape), lane_bits_(unsigned(std::bit_width(shape.lanes) - 1)) {}

  unsigned of(const llvm::Value* value, unsigned depth = 0) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
      return constant->isZero() ? AllZeros : constant->getValue().countr_zero();
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth > MaxDepth) return 0;
    return of_instruction(*instruction, depth + 1);
  }

private:
  unsigned of_instruction(const llvm::Instruction& i, unsigned depth) {
    switch (i.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      return std::min(of(i.getOperand(0), depth), of(i.getOperand(1), depth));
    case llvm::Instruction::And:
      return std::max(of(i.getOperand(0), depth), of(i.getOperand(1), depth));
    case llvm::Instruction::Mul:
      return std::min(AllZeros, of(i.getOperand(0), depth) + of(i.getOperand(1), depth));
    case llvm::Instruction::Shl:
      return shifted(i, depth);
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Freeze:
      return of(i.getOperand(0), depth);
    case llvm::Instruction::Select:
      return std::min(of(i.getOperand(1), depth), of(i.getOperand(2), depth));
    case llvm::Instruction::PHI:
      return of_phi(llvm::cast<llvm::PHINode>(i), depth);
    case llvm::Instruction::Call:
      return of_query(llvm::cast<llvm::CallBase>(i));
    default:
      return 0;
    }
  }

  unsigned shifted(const llvm::Instruction& shift, unsigned depth) {
    const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(shift.getOperand(1));
    unsigned base = of(shift.getOperand(0), depth);
    return amount ? std::min<unsigned>(AllZeros, base + unsigned(amount->getLimitedValue(64))) : base;
  }

  unsigned of_phi(const llvm::PHINode& phi, unsigned depth) {
    if (!open_.insert(&phi).second) return AllZeros; // by induction
    unsigned zeros = AllZeros;
    for (const llvm::Value* value : phi.incoming_values()) zeros = std::min(zeros, of(value, depth));
    open_.erase(&phi);
    return zeros;
  }

  unsigned of_query(const llvm::CallBase& call) {
    std::string_view name = dialect_name(&call);
    bool first = call.arg_size() == 1 && llvm::isa<llvm::ConstantInt>(call.getArgOperand(0)) &&
                 llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->isZero();
    bool rows = shape_.cut == Cut::Rows;
    if (name == dialect::LocalId && first && shape_.cut != Cut::MaskedLinear) return lane_bits_;
    if (name == dialect::LocalLinearId && shape_.cut != Cut::MaskedRows) return lane_bits_;
    if ((name == dialect::EnqueuedLocalSize || name == dialect::GlobalOffset) && first && rows) return lane_bits_;
    return 0;
  }

  const Shape& shape_;
  unsigned lane_bits_;
  std::set<const llvm::PHINode*> open_;
};

// An upper bound of a value that is certain not to be negative; no bound: Huge.
class UpperBound {
public:
  static constexpr uint64_t Huge = ~uint64_t(0);

  uint64_t of(const llvm::Value* value, unsigned depth = 0) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
      return constant->getBitWidth() <= 64 && !constant->isNegative() ? constant->getZExtValue() : Huge;
    const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i || depth > MaxDepth) return Huge;
    switch (i->getOpcode()) {
    case llvm::Instruction::Add:
      return sum(of(i->getOperand(0), depth + 1), of(i->getOperand(1), depth + 1));
    case llvm::Instruction::Mul:
      return product(of(i->getOperand(0), depth + 1), of(i->getOperand(1), depth + 1));
    case llvm::Instruction::And:
      return std::min(of(i->getOperand(0), depth + 1), of(i->getOperand(1), depth + 1));
    case llvm::Instruction::Shl:
      if (const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(i->getOperand(1));
          amount && amount->getLimitedValue(64) < 32)
        return product(of(i->getOperand(0), depth + 1), uint64_t(1) << amount->getZExtValue());
      return Huge;
    case llvm::Instruction::ZExt:
      return of(i->getOperand(0), depth + 1);
    case llvm::Instruction::SExt:
      return if_not_negative(of(i->getOperand(0), depth + 1), *i->getOperand(0)->getType());
    case llvm::Instruction::Trunc:
      return if_not_negative(of(i->getOperand(0), depth + 1), *i->getType());
    case llvm::Instruction::Call:
      return of_query(*i);
    default:
      return Huge;
    }
  }

private:
  static uint64_t if_not_negative(uint64_t bound, const llvm::Type& type) {
    const unsigned bits = type.getScalarSizeInBits();
    return bits <= 64 && bound < (uint64_t(1) << (bits - 1)) ? bound : Huge;
  }
  static uint64_t sum(uint64_t a, uint64_t b) { return a > (Huge >> 1) || b > (Huge >> 1) ? Huge : a + b; }
  static uint64_t product(uint64_t a, uint64_t b) { return a > 0xFFFFFFFFu || b > 0xFFFFFFFFu ? Huge : a * b; }
  static uint64_t of_query(const llvm::Instruction& call) {
    std::string_view name = dialect_name(&call);
    constexpr uint64_t GroupItems = 1 << 16;
    if (name == dialect::LocalId || name == dialect::LocalLinearId || name == dialect::EnqueuedLocalSize)
      return GroupItems;
    if (name == dialect::SubGroupLocalId) return 64;
    return Huge;
  }
};

// Flags are promises to those who use a value; an instruction may have been moved out of the branch in which that is.
bool all_rely_on_flags(const llvm::Instruction& i, const Divergence& divergence) {
  return divergence.come_together(i.getParent()) && llvm::programUndefinedIfPoison(&i);
}

// Is the first work-item's value in range also where it does not use it, given that those of others are, and its
// operands?
bool flags_hold_for_first(const llvm::Instruction& i, bool is_signed, const Divergence& divergence) {
  if (all_rely_on_flags(i, divergence)) return true;
  const int64_t stride = divergence.shape(&i).stride;
  const bool is_difference = i.getOpcode() == llvm::Instruction::Sub;
  if (!is_signed) return stride > 0 && !is_difference; // it lies between 0 and the others' values
  const unsigned running = divergence.shape(i.getOperand(0)).same_in_part() ? 1 : 0;
  if (!divergence.shape(i.getOperand(1 - running)).same_in_part()) return false;
  // From 0 or above, away from it with the others, or moved as far as they.
  const llvm::Value* from = i.getOperand(running);
  if (divergence.shape(from).stride > 0 && UpperBound().of(from) != UpperBound::Huge) return true;
  // Moved towards the others' values.
  const auto* step = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
  return step && running == 0 && (is_difference || i.getOpcode() == llvm::Instruction::Add) &&
         (step->isNegative() == is_difference) == (stride > 0);
}

bool flags_forbid_wrapping(const llvm::Value* value, bool is_signed, const Divergence& divergence, const Shape& shape,
                           std::set<const llvm::Value*>& open, unsigned depth) {
  if (divergence.shape(value).same_in_part()) return true;
  const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
  if (!i || depth > MaxDepth) return false;
  auto operand = [&](unsigned n) {
    return flags_forbid_wrapping(i->getOperand(n), is_signed, divergence, shape, open, depth + 1);
  };
  if (const auto* binary = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(i)) {
    // As an unsigned factor it is huge; the stride has it as a negative one.
    const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(i->getOperand(1));
    if (!is_signed && i->getOpcode() == llvm::Instruction::Mul && factor && factor->isNegative()) return false;
    bool flag = is_signed ? binary->hasNoSignedWrap() : binary->hasNoUnsignedWrap();
    return flag && flags_hold_for_first(*i, is_signed, divergence) && operand(0) && operand(1);
  }
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(i)) {
    if (!open.insert(phi).second) return true;
    return llvm::all_of(phi->incoming_values(), [&](const llvm::Value* v) {
      return flags_forbid_wrapping(v, is_signed, divergence, shape, open, depth + 1);
    });
  }
  return lanes_do_not_wrap(value, is_signed, divergence, shape);
}

} // namespace

unsigned certain_low_zeros(const llvm::Value* value, const Shape& shape) { return LowZeros(shape).of(value); }

bool lies_in_one_block(const llvm::Value* value, int64_t stride, const Shape& shape, bool is_signed) {
  const uint64_t length = uint64_t(stride) * shape.lanes;
  if (stride <= 0 || !std::has_single_bit(length)) return false;
  const unsigned length_bits = unsigned(std::bit_width(length) - 1);
  return length_bits + is_signed <= value->getType()->getScalarSizeInBits() &&
         certain_low_zeros(value, shape) >= length_bits;
}

bool lanes_do_not_wrap(const llvm::Value* value, bool is_signed, const Divergence& divergence, const Shape& shape) {
  int64_t stride = divergence.shape(value).stride;
  unsigned bits = value->getType()->getScalarSizeInBits();
  uint64_t reach = uint64_t(std::abs(stride)) * shape.lanes;
  if (lies_in_one_block(value, stride, shape, is_signed)) return true;
  if (const uint64_t half = uint64_t(1) << (std::min(bits, 64u) - 1);
      bits < 64 && reach < half && UpperBound().of(value) < half - reach)
    return true;
  std::set<const llvm::Value*> open;
  const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
  return i && llvm::isa<llvm::OverflowingBinaryOperator, llvm::PHINode>(i) &&
         flags_forbid_wrapping(value, is_signed, divergence, shape, open, 0);
}

} // namespace zeroth::codegen
