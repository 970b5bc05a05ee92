#include "vector_cost.hpp"

#include "../llvm_versions.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

constexpr uint64_t per_scalar_item = 3; // taking a lane out, working on it, putting it back

class Estimate {
public:
  Estimate(const Divergence& divergence, unsigned lanes, unsigned vector_bits, const llvm::DataLayout& data_layout)
      : divergence_(divergence), lanes_(lanes), vector_bits_(vector_bits), data_layout_(data_layout) {}

  void add(const llvm::Instruction& instruction) {
    const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) return add_scalarised();
    if (address && divergence_.shape(address).is_varying()) return add_gather(instruction);
    if (address && llvm::isa<llvm::StoreInst>(instruction) && !divergence_.shape(address).is_uniform()) {
      cost_.operations += vectors(llvm_version::accessed_type(instruction));
      return;
    }
    if (!divergence_.shape(&instruction).is_varying()) return; // done once, whatever W is
    ++(bits_of(instruction.getType()) == 64 ? cost_.wide_values : cost_.narrow_values);
    if (is_integer_division(instruction)) return add_scalarised();
    cost_.operations += vectors(instruction.getType());
  }

  VectorCost result() const { return cost_; }

private:
  static bool is_integer_division(const llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
      return !llvm::isa<llvm::Constant>(instruction.getOperand(1));
    default:
      return false;
    }
  }

  // Registers that a value of all lanes takes.
  uint64_t vectors(llvm::Type* type) const {
    unsigned components = type->isVectorTy() ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements() : 1;
    return components * std::max<uint64_t>(1, (bits_of(type) * lanes_ + vector_bits_ - 1) / vector_bits_);
  }

  uint64_t bits_of(llvm::Type* type) const {
    llvm::Type* element = type->getScalarType();
    return element->isSized() ? data_layout_.getTypeSizeInBits(element).getFixedValue() : 0;
  }

  void add_scalarised() {
    cost_.operations += lanes_ * per_scalar_item;
    cost_.scalarised += lanes_ * per_scalar_item;
  }

  void add_gather(const llvm::Instruction& instruction) {
    llvm::Type* type = llvm_version::accessed_type(instruction);
    ++cost_.gathers;
    if (bits_of(type) < 32) return add_scalarised();
    cost_.operations += 3 * vectors(type);
  }

  const Divergence& divergence_;
  const unsigned lanes_, vector_bits_;
  const llvm::DataLayout& data_layout_;
  VectorCost cost_;
};

} // namespace

VectorCost estimate_cost(const FunctionLayout& layout, const Divergence& divergence, unsigned lanes,
                         unsigned vector_bits) {
  Estimate estimate(divergence, lanes, vector_bits, layout.function().getParent()->getDataLayout());
  for (const llvm::Instruction& instruction : llvm::instructions(layout.function())) estimate.add(instruction);
  return estimate.result();
}

} // namespace zeroth::codegen
