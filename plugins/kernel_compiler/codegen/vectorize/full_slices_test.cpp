// Kernels that first ask whether their work-item is inside of the data.
#include "../testing/test_program.hpp"

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)

define spir_kernel void @line(ptr addrspace(1) %out, i64 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %inside = icmp ult i64 %g, %n
  br i1 %inside, label %work, label %end
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %g
  %v = load i32, ptr addrspace(1) %p
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; the inner part of a plane; the limits of x are read from memory
define spir_kernel void @plane(ptr addrspace(1) %out, ptr addrspace(1) %limits, i64 %w, i64 %h) {
  %x = call i64 @zeroth.global_id(i32 0)
  %y = call i64 @zeroth.global_id(i32 1)
  %first = load i64, ptr addrspace(1) %limits
  %pe = getelementptr i64, ptr addrspace(1) %limits, i64 1
  %end.x = load i64, ptr addrspace(1) %pe
  %left = icmp ult i64 %x, %first
  br i1 %left, label %end, label %right
right:
  %too.far = icmp uge i64 %x, %end.x
  br i1 %too.far, label %end, label %rows
rows:
  %last = sub i64 %h, 1
  %y.less = sub i64 %y, 1
  %y.end = sub i64 %last, 1
  %out.y = icmp uge i64 %y.less, %y.end
  br i1 %out.y, label %end, label %work
work:
  %row = mul i64 %y, %w
  %i = add i64 %row, %x
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %v1 = add i32 %v, 1
  store i32 %v1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; all are counted, though not all go on
define spir_kernel void @counted(ptr addrspace(1) %count, ptr addrspace(1) %out, i64 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  %inside = icmp ult i64 %g, %n
  br i1 %inside, label %work, label %end
work:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 7, ptr addrspace(1) %p
  br label %end
end:
  ret void
})";

class FullSlices : public ::testing::TestWithParam<uint32_t> {
protected:
  std::unique_ptr<Program> compile() const {
    CompileOptions options;
    options.width = GetParam();
    return Program::from_text(Kernels, options);
  }
};

TEST_P(FullSlices, EveryWorkItemInsideRunsOnce) {
  auto program = compile();
  for (uint32_t size : {64u, 128u, 50u})
    for (uint64_t n : {0, 1, 15, 16, 63, 64, 100, 127, 250, 256}) {
      std::vector<uint32_t> out(400);
      program->run("line", Arguments().buffer(out).value(n), {{size, 1, 1}, {300 / size, 1, 1}});
      for (uint64_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i < std::min<uint64_t>(n, 300 / size * size));
    }
}

TEST_P(FullSlices, SeveralChecksInARowAreAllAsked) {
  auto program = compile();
  constexpr uint64_t w = 128, h = 12;
  for (auto [first, end] : {std::pair<uint64_t, uint64_t>{1, w - 1}, {0, w}, {40, 70}, {64, 128}, {90, 20}}) {
    std::vector<uint32_t> out(w * h);
    std::vector<uint64_t> limits{first, end};
    program->run("plane", Arguments().buffer(out).buffer(limits).value(w).value(h), {{64, 4, 1}, {2, 3, 1}, {}, 2});
    for (uint64_t y = 0; y < h; ++y)
      for (uint64_t x = 0; x < w; ++x)
        ASSERT_EQ(out[y * w + x], x >= first && x < end && y > 0 && y < h - 1) << x << " " << y;
  }
}

TEST_P(FullSlices, WhatIsDoneBeforeTheCheckIsDoneOnce) {
  auto program = compile();
  std::vector<uint32_t> count(1), out(256);
  program->run("counted", Arguments().buffer(count).buffer(out).value(uint64_t(100)), {{64, 1, 1}, {4, 1, 1}});
  EXPECT_EQ(count[0], 256u);
  for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(out[i], i < 100 ? 7u : 0u);
}

INSTANTIATE_TEST_SUITE_P(Widths, FullSlices, ::testing::Values(0, 1, 4, 16, 64));

TEST(FullSlicesReport, NoBlockOfAWholeSliceIsMasked) {
  auto program = Program::from_text(Kernels);
  EXPECT_EQ(program->kernel("line").report.masked_blocks, 0u);
  EXPECT_EQ(program->kernel("plane").report.masked_blocks, 0u);
}

} // namespace
} // namespace zeroth::codegen::testing
