// Loops that can only be left from within an inner one: behind a way out of the inner loop come others' rounds, not
// the rest of this one.
#include "../testing/test_program.hpp"

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

// for (;;) {
//   r += 7 n + 1;
//   for (;;) { n++; r = 5 r + 1; if (r & 4) break; r += n; if (r > limit) { out[g] = r ^ n; return; } }
// }
constexpr std::string_view Kernel = R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @rounds(ptr addrspace(1) %out, i32 %limit) {
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  br label %outer
outer:
  %r0 = phi i32 [ %t, %0 ], [ %r1, %inner ]
  %n0 = phi i32 [ 0, %0 ], [ %n1, %inner ]
  %seven = mul i32 %n0, 7
  %part = add i32 %r0, %seven
  %more = add i32 %part, 1
  br label %inner
inner:
  %r = phi i32 [ %more, %outer ], [ %r2, %stays ]
  %n = phi i32 [ %n0, %outer ], [ %n1, %stays ]
  %n1 = add i32 %n, 1
  %five = mul i32 %r, 5
  %r1 = add i32 %five, 1
  %bit = and i32 %r1, 4
  %leaves = icmp ne i32 %bit, 0
  br i1 %leaves, label %outer, label %stays
stays:
  %r2 = add i32 %r1, %n1
  %done = icmp ugt i32 %r2, %limit
  br i1 %done, label %end, label %inner
end:
  %v = xor i32 %r2, %n1
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %v, ptr addrspace(1) %p
  ret void
})";

uint32_t reference(uint32_t r, uint32_t limit) {
  for (uint32_t n = 0;;) {
    r += 7 * n + 1;
    for (;;) {
      ++n;
      r = 5 * r + 1;
      if (r & 4) break;
      r += n;
      if (r > limit) return r ^ n;
    }
  }
}

class WaysOut : public ::testing::TestWithParam<uint32_t> {};

TEST_P(WaysOut, OfAnInnerLoopEndTheRound) {
  constexpr uint32_t Items = 192, Limit = 100000;
  CompileOptions options;
  options.width = GetParam();
  auto program = Program::from_text(Kernel, options);
  std::vector<uint32_t> out(Items), expected(Items);
  for (uint32_t i = 0; i < Items; ++i) expected[i] = reference(i, Limit);
  program->run("rounds", Arguments().buffer(out).value(Limit), {{64, 1, 1}, {Items / 64, 1, 1}});
  EXPECT_EQ(out, expected);
}

INSTANTIATE_TEST_SUITE_P(Widths, WaysOut, ::testing::Values(0, 1, 4, 16, 64));

} // namespace
} // namespace zeroth::codegen::testing
