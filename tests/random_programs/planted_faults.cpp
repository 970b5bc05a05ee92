#include "planted_faults.hpp"

#include <kernel_compiler/dialect.hpp>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace zeroth::random_programs {
namespace {

// Calls `change` on instructions in turn, until it says that it has changed one: a fault happens once in a function.
void change_one(llvm::Module& module, const std::function<bool(llvm::Instruction&)>& change) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (change(instruction)) break;
}

bool is_mask(const llvm::Value* value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return type && type->getElementType()->isIntegerTy(1) && type->getNumElements() > 1;
}

// A join of two paths takes the values of the wrong one.
bool swap_blend(llvm::Instruction& instruction) {
  auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
  if (!select || !is_mask(select->getCondition()) || select->getTrueValue() == select->getFalseValue()) return false;
  select->swapValues();
  return true;
}

// A masked store is lost.
bool lose_store(llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || (call->getIntrinsicID() != llvm::Intrinsic::masked_store &&
                call->getIntrinsicID() != llvm::Intrinsic::masked_scatter))
    return false;
  for (llvm::Use& operand : call->args())
    if (is_mask(operand.get())) operand.set(llvm::Constant::getNullValue(operand->getType()));
  return true;
}

// Barriers are forgotten. (One alone is often made up for by the next, or by work-items that go in step anyway.)
void lose_barriers(llvm::Module& module) {
  const std::string_view name = dialect::Barrier;
  llvm::Function* barrier = module.getFunction(llvm::StringRef(name.data(), name.size()));
  if (!barrier) return;
  for (llvm::User* user : llvm::make_early_inc_range(barrier->users()))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) call->eraseFromParent();
}

// A signed comparison is made unsigned.
bool forget_sign(llvm::Instruction& instruction) {
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  if (!compare || !compare->isSigned() || !compare->getType()->isVectorTy()) return false;
  compare->setPredicate(compare->getUnsignedPredicate());
  return true;
}

// "Is any work-item active?" asks the first one only.
bool ask_first_lane(llvm::Instruction& instruction) {
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  auto* bits = compare ? llvm::dyn_cast<llvm::BitCastInst>(compare->getOperand(0)) : nullptr;
  if (!bits || compare->getPredicate() != llvm::CmpInst::ICMP_NE || !is_mask(bits->getOperand(0))) return false;
  llvm::IRBuilder<> builder(compare);
  compare->setOperand(0, builder.CreateAnd(bits, llvm::ConstantInt::get(bits->getType(), 1)));
  return true;
}

// Of the lanes that update one cell, only the first is counted.
bool count_first_lane(llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != llvm::Intrinsic::vector_reduce_add) return false;
  llvm::IRBuilder<> builder(call);
  call->replaceAllUsesWith(builder.CreateExtractElement(call->getArgOperand(0), uint64_t(0)));
  return true;
}

// A scalar that should be the value of each lane is that of the first.
bool splat_first_lane(llvm::Instruction& instruction) {
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  if (!sum || sum->getOpcode() != llvm::Instruction::Add || !sum->getType()->isVectorTy()) return false;
  auto* steps = llvm::dyn_cast<llvm::ConstantDataVector>(sum->getOperand(1));
  if (!steps || steps->getNumElements() < 2 || steps->getElementAsInteger(1) == steps->getElementAsInteger(0))
    return false;
  sum->setOperand(1, llvm::Constant::getNullValue(sum->getType()));
  return true;
}

Tamper in_code(bool (*change)(llvm::Instruction&)) {
  return {{}, [change](llvm::Module& module) { change_one(module, change); }};
}
} // namespace

const std::vector<PlantedFault>& planted_faults() {
  static const std::vector<PlantedFault> faults = {
      {"SwappedBlend", in_code(swap_blend)},          {"LostStore", in_code(lose_store)},
      {"LostBarriers", {lose_barriers, {}}},          {"UnsignedComparison", in_code(forget_sign)},
      {"FirstLaneForAny", in_code(ask_first_lane)},   {"FirstLaneForSum", in_code(count_first_lane)},
      {"FirstLaneForIds", in_code(splat_first_lane)},
  };
  return faults;
}

} // namespace zeroth::random_programs
