// Cycles that goto enters at several places: whatever form they get, it means what the program says.
#include "irreducible.hpp"
#include "testing/test_program.hpp"

#include <gtest/gtest.h>

#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>

namespace zeroth::codegen::testing {
namespace {

// tests/kernels/gotos.cl of one work-item.
int reference(int item, int limit) {
  enum class State { Grow, Shrink, Mix } state = item & 1 ? State::Shrink : State::Grow;
  int r = item, steps = 0;
  for (;;) {
    r = state == State::Grow ? r + 3 : state == State::Shrink ? int(unsigned(r) * 5 - 1) : r ^ steps;
    if (++steps > limit) return int(unsigned(r) * 100 + unsigned(steps));
    switch (state) {
    case State::Grow:
      state = r % 5 == 0 ? State::Shrink : r % 7 != 0 ? State::Grow : State::Mix;
      break;
    case State::Shrink:
      state = r & 4 ? State::Mix : State::Grow;
      break;
    case State::Mix:
      state = r & 2 ? State::Grow : State::Shrink;
      break;
    }
  }
}

class Gotos : public ::testing::TestWithParam<uint32_t> {};

TEST_P(Gotos, OfSeveralEntriesMeanWhatTheySay) {
  constexpr int Items = 150, Limit = 9;
  CompileOptions options;
  options.width = GetParam();
  auto program = Program::from_opencl(std::string(KERNELS_FOLDER) + "/gotos.ll", options);
  std::vector<int> out(Items), expected(Items);
  for (int i = 0; i < Items; ++i) expected[i] = reference(i, Limit);
  program->run("gotos", Arguments().buffer(out).value(Limit), {{5, 1, 1}, {Items / 5, 1, 1}});
  EXPECT_EQ(out, expected);
}

// The block `p` leads to one entry of its cycle and to the other.
constexpr std::string_view Entries = R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @entries(ptr addrspace(1) %out, i32 %most) {
  %g = call i64 @zeroth.global_id(i32 0)
  %item = trunc i64 %g to i32
  %low = and i32 %item, 4
  %a = icmp eq i32 %low, 0
  br i1 %a, label %h, label %e
h:
  %i = phi i32 [ %item, %0 ], [ %k, %p ]
  %i1 = add i32 %i, 1
  br label %p
e:
  %j = phi i32 [ 100, %0 ], [ %k, %p ]
  %j1 = add i32 %j, 7
  %q = icmp ugt i32 %j1, %most
  br i1 %q, label %end, label %p
p:
  %k = phi i32 [ %i1, %h ], [ %j1, %e ]
  %bit = and i32 %k, 2
  %c = icmp eq i32 %bit, 0
  br i1 %c, label %h, label %e
end:
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %j1, ptr addrspace(1) %po
  ret void
})";

uint32_t entries_reference(uint32_t item, uint32_t most) {
  bool at_h = (item & 4) == 0;
  for (uint32_t k = at_h ? item : 100;; at_h = (k & 2) == 0) {
    k += at_h ? 1 : 7;
    if (!at_h && k > most) return k;
  }
}

TEST_P(Gotos, FromEntryToEntryKeepValues) {
  constexpr uint32_t Items = 150, Most = 300;
  CompileOptions options;
  options.width = GetParam();
  auto program = Program::from_text(Entries, options);
  std::vector<uint32_t> out(Items), expected(Items);
  for (uint32_t i = 0; i < Items; ++i) expected[i] = entries_reference(i, Most);
  program->run("entries", Arguments().buffer(out).value(Most), {{50, 1, 1}, {Items / 50, 1, 1}});
  EXPECT_EQ(out, expected);
}

INSTANTIATE_TEST_SUITE_P(Widths, Gotos, ::testing::Values(0, 1, 4, 16, 64));

// Who comes to `h` straight from `p` does so with what `p` has, not with what the cycle was entered with.
TEST(Cycles, KeepTheValuesOfEdgesBetweenTheirEntries) {
  llvm::LLVMContext context;
  auto module = parse(context, Entries);
  llvm::Function& function = *module->getFunction("entries");
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  MakeLoopsOfCycles().run(function, analyses);
  EXPECT_FALSE(has_irreducible_cycles(function));
  for (const llvm::BasicBlock& block : function) {
    if (block.getName() != "h") continue;
    const auto* value = llvm::dyn_cast<llvm::PHINode>(block.getTerminator()->getPrevNode()->getOperand(0));
    ASSERT_TRUE(value);
    EXPECT_EQ(value->getParent(), &block) << "each way to the block brings its own";
  }
}

TEST(Cycles, OfTwoEntriesAreNoLoop) {
  constexpr std::string_view Body = R"(
define void @f(i1 %a, i1 %b) {
  br i1 %a, label %one, label %two
one:
  br label %two
two:
  br i1 %b, label %one, label %end
end:
  ret void
}
define void @g(i1 %a) {
  br label %one
one:
  br i1 %a, label %one, label %end
end:
  ret void
})";
  llvm::LLVMContext context;
  auto module = parse(context, Body);
  EXPECT_TRUE(has_irreducible_cycles(*module->getFunction("f")));
  EXPECT_FALSE(has_irreducible_cycles(*module->getFunction("g")));
}

} // namespace
} // namespace zeroth::codegen::testing
