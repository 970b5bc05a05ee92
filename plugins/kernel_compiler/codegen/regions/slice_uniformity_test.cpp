#include "slice_uniformity.hpp"

#include "../dialect_calls.hpp"
#include "../slice_function.hpp"

#include <gtest/gtest.h>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {
namespace {

// A slice function that chooses among some of three ways by its position: return, a, b. Both others end in `end`.
class Choice {
public:
  Choice()
      : slice_(llvm::Function::Create(slice_function_type(context_), llvm::GlobalValue::ExternalLinkage, "slice",
                                      module_)) {
    for (llvm::BasicBlock** block : {&entry, &leave, &a, &b, &end})
      *block = llvm::BasicBlock::Create(context_, "", slice_);
    llvm::IRBuilder<>(leave).CreateRetVoid();
    llvm::IRBuilder<>(a).CreateBr(end);
    llvm::IRBuilder<>(b).CreateBr(end);
    llvm::IRBuilder<>(end).CreateRetVoid();
  }

  SliceUniformity among(llvm::BasicBlock* first, std::initializer_list<llvm::BasicBlock*> others) {
    llvm::IRBuilder<> builder(entry);
    auto* choice = builder.CreateSwitch(slice_->getArg(slice_argument::X), first);
    for (llvm::BasicBlock* other : others) choice->addCase(builder.getInt64(choice->getNumCases()), other);
    return SliceUniformity(*slice_);
  }

  void add_barrier(llvm::BasicBlock* block) {
    llvm::IRBuilder<> builder(block->getTerminator());
    llvm::Type* integer = builder.getInt32Ty();
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {integer, integer, integer}, false);
    llvm::Value* two = builder.getInt32(2);
    builder.CreateCall(module_.getOrInsertFunction(dialect::Barrier, type), {two, two, two});
  }

private:
  llvm::LLVMContext context_;
  llvm::Module module_{"test", context_};
  llvm::Function* slice_;

public:
  llvm::BasicBlock *entry, *leave, *a, *b, *end;
};

TEST(SliceUniformity, SlicesPartWhereTwoWaysGoOnBesideOneThatReturns) {
  Choice choice;
  const SliceUniformity slices = choice.among(choice.leave, {choice.a, choice.b});
  EXPECT_FALSE(slices.is_reached_together(*choice.a));
  EXPECT_FALSE(slices.is_reached_together(*choice.b));
}

TEST(SliceUniformity, SlicesPartAtTwoWaysUntilTheyMeet) {
  Choice choice;
  const SliceUniformity slices = choice.among(choice.b, {choice.a});
  EXPECT_FALSE(slices.is_reached_together(*choice.a));
  EXPECT_TRUE(slices.is_reached_together(*choice.end));
}

// One waits in `a` while the other has gone on to `end`.
TEST(SliceUniformity, SlicesDoNotMeetBehindABarrierOfSome) {
  Choice choice;
  choice.add_barrier(choice.a);
  const SliceUniformity slices = choice.among(choice.b, {choice.a});
  EXPECT_FALSE(slices.is_reached_together(*choice.end));
}

TEST(SliceUniformity, SlicesThatDoNotReturnStayTogether) {
  Choice choice;
  const SliceUniformity slices = choice.among(choice.leave, {choice.a, choice.a});
  EXPECT_TRUE(slices.is_reached_together(*choice.a));
  EXPECT_FALSE(slices.is_reached_together(*choice.leave));
}

TEST(SliceUniformity, WaysLeadApartWhereOneEndsBeforeTheyMeet) {
  Choice choice;
  const SliceUniformity slices = choice.among(choice.b, {choice.a});
  EXPECT_FALSE(
      slices.may_lead_apart(*choice.entry, [&](const llvm::BasicBlock& block) { return &block == choice.end; }));
  EXPECT_TRUE(slices.may_lead_apart(*choice.entry, [&](const llvm::BasicBlock& block) { return &block == choice.a; }));
  Choice returning;
  const SliceUniformity others = returning.among(returning.leave, {returning.a});
  EXPECT_TRUE(others.may_lead_apart(*returning.entry,
                                    [&](const llvm::BasicBlock& block) { return &block == returning.leave; }));
}

} // namespace
} // namespace zeroth::codegen
