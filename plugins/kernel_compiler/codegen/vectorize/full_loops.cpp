#include "full_loops.hpp"

#include "../dialect_calls.hpp"
#include "full_slices.hpp"
#include "guarded_loop.hpp"

#include <array>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace zeroth::codegen {

namespace {

class FullVersion {
public:
  explicit FullVersion(GuardedLoop& loop) : loop_(loop), function_(*loop.header->getParent()), builder_(loop.check) {}

  void make() {
    clone();
    ask_before();
    gate_ = block("last.rounds");
    enter_rest();
    leave();
    ask_each_round();
  }

private:
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(function_.getContext(), name, &function_, loop_.exit);
  }
  llvm::Value* full(llvm::Value* value) {
    llvm::Value* copy = map_.lookup(value);
    return copy ? copy : value;
  }
  // Of all work-items: does `branch` lead to `wanted`?
  llvm::Value* all_go_to(llvm::BranchInst& branch, llvm::BasicBlock* wanted) {
    llvm::Value* goes = branch.getCondition();
    if (branch.getSuccessor(0) != wanted) goes = builder_.CreateNot(goes);
    auto* type = llvm::FunctionType::get(builder_.getInt1Ty(), {builder_.getInt1Ty()}, false);
    return builder_.CreateCall(declare_query(*function_.getParent(), slice_query::All, type), goes);
  }

  void clone() {
    llvm::SmallVector<llvm::BasicBlock*> clones;
    for (llvm::BasicBlock* original : loop_.blocks) {
      map_[original] = llvm::CloneBasicBlock(original, map_, ".full", &function_);
      clones.push_back(llvm::cast<llvm::BasicBlock>(map_[original]));
    }
    llvm::remapInstructionsInBlocks(clones, map_);
  }

  // The guard moves to a block of its own, which is for slices of whom only some begin.
  void ask_before() {
    llvm::BasicBlock* all = loop_.guard->getParent();
    llvm::BasicBlock* some = all->splitBasicBlock(loop_.guard, "some");
    auto* full_begin = llvm::cast<llvm::BasicBlock>(map_[loop_.preheader]);
    builder_.SetInsertPoint(all->getTerminator());
    builder_.CreateCondBr(all_go_to(*loop_.guard, loop_.preheader), full_begin, some);
    all->getTerminator()->eraseFromParent();
  }

  // Into the loop as it was: from its preheader or with what the full version has left.
  void enter_rest() {
    llvm::BasicBlock* begin = block("rest");
    builder_.SetInsertPoint(begin);
    builder_.SetInsertPoint(builder_.CreateBr(loop_.header));
    for (llvm::PHINode& phi : loop_.header->phis()) {
      const int entry = phi.getBasicBlockIndex(loop_.preheader);
      llvm::Value* next = full(phi.getIncomingValueForBlock(loop_.latch));
      phi.setIncomingValue(unsigned(entry), join(phi.getIncomingValue(unsigned(entry)), loop_.preheader, next));
      phi.setIncomingBlock(unsigned(entry), begin);
    }
    loop_.preheader->getTerminator()->replaceSuccessorWith(loop_.header, begin);
    rest_ = begin;
    for (llvm::Instruction& value : *loop_.preheader) join_at_rest(value);
  }

  // What the preheader made comes from either version.
  void join_at_rest(llvm::Instruction& value) {
    auto concerns = [&](const llvm::Use& use) {
      const llvm::BasicBlock* user = llvm::cast<llvm::Instruction>(use.getUser())->getParent();
      return user != loop_.preheader && user != rest_;
    };
    if (llvm::none_of(value.uses(), concerns)) return;
    builder_.SetInsertPoint(rest_, rest_->begin());
    llvm::Value *of_full = full(&value), *joined = join(&value, loop_.preheader, of_full);
    value.replaceUsesWithIf(joined, concerns);
    map_[joined] = of_full;
    joined_.push_back(joined);
  }

  // Out of both loops.
  void leave() {
    llvm::BasicBlock* behind = loop_.exit->splitBasicBlock(loop_.exit->getFirstNonPHIIt(), "left");
    builder_.SetInsertPoint(behind, behind->begin());
    for (llvm::PHINode& phi : loop_.exit->phis()) {
      llvm::Value* joined = join(&phi, loop_.exit, full(phi.getIncomingValue(0)));
      phi.replaceUsesWithIf(joined, [&](const llvm::Use& use) { return use.getUser() != joined; });
    }
    for (llvm::Value* value : joined_) {
      llvm::Value* joined = join(value, loop_.exit, full(value));
      value->replaceUsesWithIf(joined, [&](const llvm::Use& use) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        return user != joined && user->getParent() != loop_.exit &&
               !llvm::is_contained(loop_.blocks, user->getParent());
      });
    }
    behind_ = behind;
  }

  llvm::Value* join(llvm::Value* value, llvm::BasicBlock* from, llvm::Value* of_full) {
    if (value == of_full) return value;
    llvm::PHINode* phi = builder_.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, from);
    phi->addIncoming(of_full, gate_);
    return phi;
  }

  void ask_each_round() {
    auto* check = llvm::cast<llvm::BranchInst>(map_[loop_.check]);
    auto* latch = llvm::cast<llvm::BasicBlock>(map_[loop_.latch]);
    const bool first = check->getSuccessor(0) == latch;
    builder_.SetInsertPoint(gate_);
    builder_.CreateCondBr(check->getCondition(), first ? rest_ : behind_, first ? behind_ : rest_);
    builder_.SetInsertPoint(check);
    builder_.CreateCondBr(all_go_to(*check, latch), latch, gate_);
    check->eraseFromParent();
  }

  GuardedLoop& loop_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  llvm::ValueToValueMapTy map_;
  llvm::SmallVector<llvm::Value*> joined_;
  llvm::BasicBlock *gate_ = nullptr, *rest_ = nullptr, *behind_ = nullptr;
};

} // namespace

static llvm::SmallVector<GuardedLoop> guarded_loops(const FunctionLayout& layout, const Divergence& divergence) {
  llvm::SmallVector<GuardedLoop> found;
  for (llvm::Loop* loop : layout.loops().getLoopsInPreorder())
    if (auto one = find_guarded_loop(*loop, divergence)) found.push_back(std::move(*one));
  return found;
}

bool is_full_loop(llvm::Loop& loop, const Divergence& divergence) {
  return find_guarded_loop(loop, divergence).has_value();
}

bool has_full_loops(const FunctionLayout& layout, const Divergence& divergence) {
  return !guarded_loops(layout, divergence).empty();
}

// Of loops that share a block around them (one's exit is the next one's preheader) only the first: the others are not
// what they were when it has been rewritten.
static llvm::SmallVector<GuardedLoop> apart(llvm::SmallVector<GuardedLoop> loops) {
  llvm::SmallVector<GuardedLoop> chosen;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> around;
  for (GuardedLoop& loop : loops) {
    const std::array<const llvm::BasicBlock*, 3> own = {loop.guard->getParent(), loop.preheader, loop.exit};
    if (llvm::any_of(own, [&](const llvm::BasicBlock* block) { return around.contains(block); })) continue;
    around.insert(own.begin(), own.end());
    chosen.push_back(std::move(loop));
  }
  return chosen;
}

void expect_full_loops(llvm::Function& body, const Shape& shape) {
  llvm::SmallVector<GuardedLoop> found;
  {
    FunctionLayout layout(body);
    if (layout.loops().empty()) return;
    found = apart(guarded_loops(layout, Divergence(layout, shape)));
  }
  for (GuardedLoop& loop : found) FullVersion(loop).make();
}

} // namespace zeroth::codegen
