// Slices run a region one after the other: which loads of local memory see the same in all of them.
#include "shared_loads.hpp"

#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace zeroth::codegen {
namespace {

// A function around %body; the load whose value is called %v is asked about.
class Slice {
public:
  explicit Slice(const std::string& body) {
    llvm::SMDiagnostic problem;
    module_ =
        llvm::parseAssemblyString("declare void @zeroth.barrier(i32, i32, i32) convergent\n"
                                  "define void @f(ptr addrspace(3) %l, ptr addrspace(1) %g, ptr %any, i1 %c) {\n" +
                                      body + "}\n",
                                  problem, context_);
    EXPECT_TRUE(module_) << problem.getMessage().str();
    slice_ = module_->getFunction("f");
    layout_.emplace(*slice_);
  }

  bool shares() const {
    const SharedLoads shared(*layout_);
    for (const llvm::Instruction& instruction : llvm::instructions(*slice_))
      if (instruction.getName() == "v") return shared.contains(&instruction);
    ADD_FAILURE() << "there is no load";
    return false;
  }
  bool has_fences() const {
    return llvm::any_of(llvm::instructions(*slice_), [](const auto& i) { return llvm::isa<llvm::FenceInst>(i); });
  }
  const RegionLayout& layout() const { return *layout_; }

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  llvm::Function* slice_ = nullptr;
  std::optional<RegionLayout> layout_;
};

const std::string Load = "  %v = load i32, ptr addrspace(3) %l\n", Store = "  store i32 7, ptr addrspace(3) %l\n",
                  Barrier = "  call void @zeroth.barrier(i32 2, i32 2, i32 0)\n", End = "  ret void\n";

TEST(SharedLoads, WritesBehindOtherBarriersDoNotCount) {
  EXPECT_TRUE(Slice(Load + End).shares());
  EXPECT_TRUE(Slice(Store + Barrier + Load + Barrier + Store + End).shares());
}

TEST(SharedLoads, WritesBeforeOrAfterInTheSameRegionDo) {
  EXPECT_FALSE(Slice(Load + Store + End).shares());
  EXPECT_FALSE(Slice(Store + Load + Barrier + End).shares());
  EXPECT_FALSE(
      Slice(Barrier + Load + "  br i1 %c, label %a, label %b\na:\n" + Store + "  br label %b\nb:\n" + End).shares());
  EXPECT_FALSE(Slice("  br i1 %c, label %a, label %b\na:\n" + Store + "  br label %b\nb:\n" + Load + End).shares());
}

TEST(SharedLoads, WritesOnAnotherWayDoNot) {
  EXPECT_TRUE(Slice("  br i1 %c, label %a, label %b\na:\n" + Store + End + "b:\n" + Load + End).shares());
}

TEST(SharedLoads, LoopsComeBackToWhatTheyWrote) {
  const std::string loop = "  br label %a\na:\n" + Load + "  br i1 %c, label %b, label %d\nb:\n";
  EXPECT_FALSE(Slice(loop + Store + "  br label %a\nd:\n" + End).shares());
  EXPECT_TRUE(Slice(loop + Barrier + Store + Barrier + "  br label %a\nd:\n" + End).shares());
}

TEST(SharedLoads, OnlyWhatMayReachLocalMemoryWritesIt) {
  EXPECT_TRUE(Slice(Load + "  store i32 1, ptr addrspace(1) %g\n" + End).shares());
  EXPECT_TRUE(Slice("  %p = alloca i32\n" + Load + "  store i32 1, ptr %p\n" + End).shares());
  EXPECT_FALSE(Slice(Load + "  store i32 1, ptr %any\n" + End).shares());
  EXPECT_FALSE(Slice(Load + "  %o = atomicrmw add ptr addrspace(3) %l, i32 1 monotonic\n" + End).shares());
}

TEST(SharedLoads, LoadsOfOtherMemoryAndSpecialOnesAreNot) {
  EXPECT_FALSE(Slice("  %v = load i32, ptr addrspace(1) %g\n" + End).shares());
  EXPECT_FALSE(Slice("  %v = load volatile i32, ptr addrspace(3) %l\n" + End).shares());
  EXPECT_FALSE(Slice("  %v = load atomic i32, ptr addrspace(3) %l monotonic, align 4\n" + End).shares());
}

TEST(RegionLayout, AFenceForTheCompilerIsPassedOnceByAll) {
  const std::string fence = "  fence syncscope(\"singlethread\") acq_rel\n";
  const Slice fenced(Load + fence + Barrier + End), other(Load + "  fence acq_rel\n" + Barrier + End);
  EXPECT_FALSE(fenced.has_fences());
  EXPECT_TRUE(fenced.layout().regions()[1].is_fenced);
  EXPECT_TRUE(other.has_fences());
  EXPECT_FALSE(other.layout().regions()[1].is_fenced);
}

} // namespace
} // namespace zeroth::codegen
