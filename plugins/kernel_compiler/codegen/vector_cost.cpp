#include "vector_cost.hpp"

#include "../dialect.hpp"
#include "../llvm_versions.hpp"
#include "vectorize/full_loops.hpp"

#include <algorithm>
#include <cstdlib>

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
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) return add_atomic(instruction);
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

  // Updates of global memory fetch their lines together before (see widen_atomic): the more, the better.
  void add_atomic(const llvm::Instruction& instruction) {
    const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    add_scalarised();
    if (update && update->getPointerAddressSpace() == dialect::Global) cost_.scalarised -= lanes_ * per_scalar_item;
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

// Do neighbouring work-items access places that do not lie side by side?
bool is_scattered(const Divergence& divergence, const llvm::Value* address, llvm::Type* type,
                  const llvm::DataLayout& layout) {
  ValueShape shape = divergence.shape(address);
  if (shape.is_varying()) return !divergence.hope(address);
  return shape.is_strided() && std::abs(shape.stride) > int64_t(layout.getTypeAllocSize(type).getFixedValue());
}

// What the work-items of a loop do that differs between them.
struct LoopWork {
  unsigned scattered = 0; // accesses
  unsigned comparisons = 0, others = 0;
  unsigned partings = 0; // branches
};

LoopWork work_of(const llvm::Loop& loop, const Divergence& divergence) {
  const llvm::DataLayout& layout = loop.getHeader()->getModule()->getDataLayout();
  LoopWork work;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    if (divergence.is_divergent_branch(block)) ++work.partings;
    for (const llvm::Instruction& i : *block) {
      const llvm::Value* address = llvm::getLoadStorePointerOperand(&i);
      if (address && is_scattered(divergence, address, llvm_version::accessed_type(i), layout))
        ++work.scattered;
      else if (!divergence.shape(&i).is_varying() ||
               llvm::isa<llvm::PHINode, llvm::CastInst, llvm::GetElementPtrInst>(i))
        continue;
      else
        ++(llvm::isa<llvm::CmpInst>(i) ? work.comparisons : work.others);
    }
  }
  return work;
}

bool is_better_alone(const llvm::Loop& loop, const Divergence& divergence) {
  if (!divergence.is_divergent_loop(&loop)) return false;
  constexpr unsigned Worthwhile = 2, OthersEach = 4; // accesses; instructions beside each that vectors would pay for
  constexpr unsigned ManyPartings = 4, WorkEach = 2; // branches; instructions between them
  const LoopWork work = work_of(loop, divergence);
  if (work.scattered >= Worthwhile && work.others + work.comparisons <= OthersEach * work.scattered) return true;
  const llvm::Loop* outer = loop.getParentLoop();
  return outer && divergence.is_divergent_loop(outer) && work.scattered && work.partings >= ManyPartings &&
         work.others <= WorkEach * work.partings;
}

} // namespace

bool works_in_scattered_loops(const FunctionLayout& layout, const Divergence& divergence) {
  constexpr unsigned LongBody = 900; // instructions: much to do beside the loops
  if (layout.function().getInstructionCount() > LongBody) return false;
  unsigned deepest = 0;
  bool all = false;
  for (const llvm::Loop* loop : layout.loops().getLoopsInPreorder()) {
    if (loop->getLoopDepth() < deepest) continue;
    all = is_better_alone(*loop, divergence) && (all || loop->getLoopDepth() > deepest);
    deepest = loop->getLoopDepth();
  }
  return all;
}

bool waits_for_the_slowest(const FunctionLayout& layout, const Divergence& divergence) {
  auto is_of_data = [&](const llvm::Value* condition) {
    const auto* compare = llvm::dyn_cast<llvm::CmpInst>(condition);
    return !compare || llvm::any_of(compare->operands(), [&](const llvm::Use& operand) {
      return divergence.shape(operand.get()).is_varying();
    });
  };
  for (const llvm::Loop* loop : layout.loops().getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    loop->getExitingBlocks(exiting);
    for (const llvm::BasicBlock* block : exiting)
      if (divergence.is_divergent_branch(block) &&
          is_of_data(llvm::cast<llvm::BranchInst>(block->getTerminator())->getCondition()))
        return true;
  }
  return false;
}

static unsigned most_masks(const FunctionLayout& layout, const Divergence& divergence) {
  unsigned most = 0;
  for (llvm::Loop* loop : layout.loops().getLoopsInPreorder()) {
    // Nearly all rounds of full loops go without; what they skip between rounds is worth wide slices.
    if (!loop->isInnermost() || is_full_loop(*loop, divergence)) continue;
    const auto parting = llvm::count_if(
        loop->blocks(), [&](const llvm::BasicBlock* block) { return divergence.is_divergent_branch(block); });
    most = std::max(most, unsigned(parting));
  }
  return most;
}

VectorCost estimate_cost(const FunctionLayout& layout, const Divergence& divergence, unsigned lanes,
                         unsigned vector_bits) {
  Estimate estimate(divergence, lanes, vector_bits, layout.function().getParent()->getDataLayout());
  for (const llvm::Instruction& instruction : llvm::instructions(layout.function())) estimate.add(instruction);
  VectorCost cost = estimate.result();
  cost.masks = most_masks(layout, divergence);
  cost.is_scattered = works_in_scattered_loops(layout, divergence);
  cost.waits = waits_for_the_slowest(layout, divergence);
  return cost;
}

} // namespace zeroth::codegen
