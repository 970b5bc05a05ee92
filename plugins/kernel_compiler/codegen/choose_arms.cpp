#include "choose_arms.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace zeroth::codegen {

namespace {

constexpr unsigned ArmCost = 5, TotalCost = 16; // instructions; of all arms of one branch
constexpr unsigned MostChoices = 3;             // values that the arms give

bool is_cheap(const llvm::Instruction& i) {
  switch (i.getOpcode()) {
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
    return false;
  default:
    break;
  }
  const bool computes = llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                                  llvm::GetElementPtrInst, llvm::FreezeInst, llvm::UnaryOperator>(i);
  return computes && !i.getType()->isVectorTy() && llvm::isSafeToSpeculativelyExecute(&i);
}

// What a block costs that does nothing but compute and go on; none of all others.
std::optional<unsigned> arm_cost(const llvm::BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || branch->isConditional() || !block.phis().empty()) return std::nullopt;
  const llvm::BasicBlock& next = *branch->getSuccessor(0);
  if (&next == &block || llvm::range_size(next.phis()) > MostChoices) return std::nullopt;
  unsigned cost = 0;
  for (const llvm::Instruction& i : block) {
    if (&i == branch) break;
    if (!is_cheap(i) || ++cost > ArmCost) return std::nullopt;
  }
  return cost;
}

// Does a value come from a load in the loop, over a few steps?
bool comes_from_load(const llvm::Value* value, const llvm::Loop& loop, unsigned depth = 4) {
  const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
  if (!i || !loop.contains(i) || depth == 0 || llvm::isa<llvm::PHINode>(i)) return false;
  if (llvm::isa<llvm::LoadInst>(i)) return !loop.isLoopInvariant(llvm::cast<llvm::LoadInst>(i)->getPointerOperand());
  return llvm::any_of(i->operands(),
                      [&](const llvm::Use& operand) { return comes_from_load(operand.get(), loop, depth - 1); });
}

llvm::Value* subject_of(llvm::Instruction& terminator) {
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator)) return choice->getCondition();
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator);
  return branch && branch->isConditional() ? branch->getCondition() : nullptr;
}

class ArmChooser {
public:
  explicit ArmChooser(llvm::BasicBlock& head) : head_(head) {}

  void run() {
    while (llvm::BasicBlock* arm = next_arm()) take_in(*arm);
  }

private:
  bool is_of_head(const llvm::BasicBlock& block) const {
    return llvm::all_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* p) { return p == &head_; });
  }

  // An arm whose results are to be chosen (or that others then go through): something of it must meet another way
  // from the head, else nothing would be gained.
  llvm::BasicBlock* next_arm() {
    for (llvm::BasicBlock* arm : llvm::successors(&head_)) {
      if (arm == &head_ || arm->getSingleSuccessor() == &head_ || !is_of_head(*arm)) continue;
      fold_phis(*arm);
      const std::optional<unsigned> cost = arm_cost(*arm);
      if (!cost || spent_ + *cost > TotalCost || !meets_another_way(*arm)) continue;
      spent_ += *cost;
      return arm;
    }
    return nullptr;
  }

  // All ways into `block` come from the head, with the same values: its phis are those.
  void fold_phis(llvm::BasicBlock& block) {
    for (llvm::PHINode& phi : llvm::make_early_inc_range(block.phis())) {
      phi.replaceAllUsesWith(phi.getIncomingValue(0));
      phi.eraseFromParent();
    }
  }

  bool meets_another_way(const llvm::BasicBlock& arm) const {
    const llvm::BasicBlock* meeting = arm.getSingleSuccessor();
    return llvm::any_of(llvm::successors(&head_), [&](const llvm::BasicBlock* other) {
      return other == meeting ||
             (other != &arm && other->getSingleSuccessor() == meeting && is_of_head(*other) && arm_cost(*other));
    });
  }

  bool leads_to(const llvm::BasicBlock& block) const { return llvm::is_contained(llvm::successors(&head_), &block); }

  void take_in(llvm::BasicBlock& arm) {
    llvm::Instruction* end = head_.getTerminator();
    while (&arm.front() != arm.getTerminator()) {
      arm.front().dropPoisonGeneratingFlags();
      arm.front().dropUnknownNonDebugMetadata();
      arm.front().moveBefore(head_, end->getIterator());
    }
    llvm::BasicBlock& meeting = *arm.getSingleSuccessor();
    llvm::IRBuilder<> builder(end);
    const bool both = leads_to(meeting);
    llvm::Value* takes_arm = both && !meeting.phis().empty() ? condition_of(builder, arm, meeting) : nullptr;
    for (llvm::PHINode& phi : meeting.phis()) {
      llvm::Value* value = phi.getIncomingValueForBlock(&arm);
      phi.removeIncomingValue(&arm, false);
      if (both) {
        llvm::Value* other = phi.getIncomingValueForBlock(&head_);
        value = value == other ? value : builder.CreateSelect(takes_arm, value, other);
        while (phi.getBasicBlockIndex(&head_) >= 0) phi.removeIncomingValue(&head_, false);
      }
      values_.push_back({&phi, value});
    }
    for (unsigned n = 0; n < end->getNumSuccessors(); ++n)
      if (end->getSuccessor(n) == &arm) end->setSuccessor(n, &meeting);
    for (const auto& [phi, value] : values_)
      for (llvm::BasicBlock* successor : llvm::successors(&head_))
        if (successor == phi->getParent()) phi->addIncoming(value, &head_);
    values_.clear();
    arm.getTerminator()->eraseFromParent();
    arm.eraseFromParent();
  }

  // Of the ways to `arm` and to `meeting`, is it one to `arm`?
  llvm::Value* condition_of(llvm::IRBuilder<>& builder, const llvm::BasicBlock& arm, const llvm::BasicBlock& meeting) {
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(head_.getTerminator())) {
      llvm::Value* condition = branch->getCondition();
      return branch->getSuccessor(0) == &arm ? condition : builder.CreateNot(condition);
    }
    auto* choice = llvm::cast<llvm::SwitchInst>(head_.getTerminator());
    const bool by_default = choice->getDefaultDest() == &arm;
    llvm::Value* any = nullptr;
    for (const auto& option : choice->cases())
      if (option.getCaseSuccessor() == (by_default ? &meeting : &arm)) {
        llvm::Value* is = builder.CreateICmpEQ(choice->getCondition(), option.getCaseValue());
        any = any ? builder.CreateOr(any, is) : is;
      }
    any = any ? any : builder.getFalse();
    return by_default ? builder.CreateNot(any) : any;
  }

  llvm::BasicBlock& head_;
  unsigned spent_ = 0;
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>> values_;
};

} // namespace

void choose_between_arms(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::SmallVector<llvm::BasicBlock*> heads;
  for (llvm::BasicBlock& block : function)
    if (const llvm::Loop* loop = loops.getLoopFor(&block))
      if (const llvm::Value* subject = subject_of(*block.getTerminator()); subject && comes_from_load(subject, *loop))
        heads.push_back(&block);
  for (llvm::BasicBlock* head : heads) ArmChooser(*head).run();
}

} // namespace zeroth::codegen
