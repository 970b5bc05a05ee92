#include "extra_cuts.hpp"

#include "../dialect_calls.hpp"
#include "../slice_function.hpp"
#include "region_layout.hpp"

#include <gtest/gtest.h>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>

namespace zeroth::codegen {
namespace {

// A slice function with `steps` barriers in a row around each of which leads another way, the same for all slices. With
// `some_slices`, only those of them come to it that a look at their position sends there.
class Ladder {
public:
  Ladder(unsigned steps, bool some_slices)
      : module_("test", context_), slice_(llvm::Function::Create(slice_function_type(context_),
                                                                 llvm::GlobalValue::ExternalLinkage, "slice", module_)),
        builder_(llvm::BasicBlock::Create(context_, "entry", slice_)) {
    value_ = builder_.CreateAlloca(builder_.getInt64Ty());
    auto* ladder = llvm::BasicBlock::Create(context_, "ladder", slice_);
    auto* end = llvm::BasicBlock::Create(context_, "end", slice_);
    auto* done = llvm::BasicBlock::Create(context_, "done", slice_);
    if (some_slices)
      builder_.CreateCondBr(builder_.CreateICmpUGT(slice_->getArg(slice_argument::X), builder_.getInt64(7)), ladder,
                            end);
    else
      builder_.CreateBr(ladder);
    builder_.SetInsertPoint(ladder);
    for (unsigned i = 0; i < steps; ++i)
      add_step(builder_.CreateICmpUGT(slice_->getArg(slice_argument::GroupX), builder_.getInt64(i)));
    builder_.CreateBr(end);
    builder_.SetInsertPoint(end);
    work();
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
  }

  llvm::Function& slice() { return *slice_; }
  bool is_valid() const { return !llvm::verifyModule(module_); }

  unsigned barriers() const {
    unsigned count = 0;
    for (llvm::Instruction& instruction : llvm::instructions(*slice_))
      count += is_dialect_call(&instruction, dialect::Barrier);
    return count;
  }

  // Instructions of all regions together; the slice is cut.
  uint64_t size_of_regions() {
    uint64_t size = 0;
    RegionLayout layout(*slice_);
    for (const Region& region : layout.regions())
      for (const llvm::BasicBlock* block : region.blocks) size += block->size();
    return size;
  }

private:
  void work() {
    for (int i = 0; i < 10; ++i)
      builder_.CreateStore(builder_.CreateAdd(builder_.CreateLoad(builder_.getInt64Ty(), value_), builder_.getInt64(i)),
                           value_);
  }
  void add_step(llvm::Value* choice) {
    auto* with = llvm::BasicBlock::Create(context_, "with", slice_);
    auto* behind = llvm::BasicBlock::Create(context_, "behind", slice_);
    builder_.CreateCondBr(choice, with, behind);
    builder_.SetInsertPoint(with);
    llvm::Type* integer = builder_.getInt32Ty();
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {integer, integer, integer}, false);
    llvm::Value* two = builder_.getInt32(2);
    builder_.CreateCall(module_.getOrInsertFunction(dialect::Barrier, type), {two, two, two});
    work();
    builder_.CreateBr(behind);
    builder_.SetInsertPoint(behind);
    work();
  }

  llvm::LLVMContext context_;
  llvm::Module module_;
  llvm::Function* slice_;
  llvm::IRBuilder<> builder_;
  llvm::Value* value_;
};

TEST(ExtraCuts, KeepRegionsInProportionToTheFunction) {
  Ladder ladder(40, false);
  const unsigned size = ladder.slice().getInstructionCount();
  EXPECT_TRUE(limit_region_copies(ladder.slice()));
  EXPECT_TRUE(ladder.is_valid());
  EXPECT_GT(ladder.barriers(), 40u);
  EXPECT_LE(ladder.size_of_regions(), 4 * size);
}

TEST(ExtraCuts, AreNotMadeWhereCopiesAreCheap) {
  Ladder ladder(3, false);
  EXPECT_TRUE(limit_region_copies(ladder.slice()));
  EXPECT_EQ(ladder.barriers(), 3u);
}

// No point behind a choice of single slices is passed by all of them together.
TEST(ExtraCuts, AreNotMadeWhereSlicesPart) {
  Ladder ladder(60, true);
  const unsigned size = ladder.slice().getInstructionCount();
  EXPECT_FALSE(limit_region_copies(ladder.slice()));
  EXPECT_TRUE(ladder.is_valid());
  EXPECT_EQ(ladder.barriers(), 60u);
  EXPECT_GT(ladder.size_of_regions(), 12 * size);
}

} // namespace
} // namespace zeroth::codegen
