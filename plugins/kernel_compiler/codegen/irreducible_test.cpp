// Cycles that goto enters at several places: whatever form they get, it means what the program says.
#include "irreducible.hpp"
#include "testing/test_program.hpp"

#include <gtest/gtest.h>

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

INSTANTIATE_TEST_SUITE_P(Widths, Gotos, ::testing::Values(0, 1, 4, 16, 64));

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
  const Cycles two_entries = cycles_of(*module->getFunction("f")), loop = cycles_of(*module->getFunction("g"));
  EXPECT_TRUE(two_entries.irreducible);
  EXPECT_EQ(two_entries.loops, 0u);
  EXPECT_FALSE(loop.irreducible);
  EXPECT_EQ(loop.loops, 1u);
}

} // namespace
} // namespace zeroth::codegen::testing
