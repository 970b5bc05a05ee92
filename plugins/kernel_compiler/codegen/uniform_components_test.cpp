// Vectors of values of which some components are the same for all work-items, such as the row of a place in a picture:
// those stay scalar, so that what depends on them alone is computed once and what adds them to a run remains a run.
#include "testing/test_program.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @zeroth.load_words.i32(ptr addrspace(1), i32)

; p = (x, row) + (d, d); out[x] = in[p.y * width + p.x]
define spir_kernel void @place(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %row, i32 %d, i32 %width) {
  %g = call i64 @zeroth.global_id(i32 0)
  %x = trunc i64 %g to i32
  %px = insertelement <2 x i32> poison, i32 %x, i64 0
  %p = insertelement <2 x i32> %px, i32 %row, i64 1
  %dx = insertelement <2 x i32> poison, i32 %d, i64 0
  %dd = shufflevector <2 x i32> %dx, <2 x i32> poison, <2 x i32> zeroinitializer
  %q = add nsw <2 x i32> %p, %dd
  %qx = extractelement <2 x i32> %q, i64 0
  %qy = extractelement <2 x i32> %q, i64 1
  %start = mul nsw i32 %qy, %width
  %i = add nsw i32 %start, %qx
  %il = sext i32 %i to i64
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %il
  %v = load i32, ptr addrspace(1) %pi
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %v, ptr addrspace(1) %po
  ret void
}

; c = clamp(x + d, 0, width - 1); out[x] = in[row * width + c] - in[(row + 1) * width + c], by words
define spir_kernel void @two_rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %row, i32 %d, i32 %width) {
  %g = call i64 @zeroth.global_id(i32 0)
  %x = trunc i64 %g to i32
  %xd = add i32 %x, %d
  %low = call i32 @llvm.smax.i32(i32 %xd, i32 0)
  %last = sub i32 %width, 1
  %c = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %start = mul i32 %row, %width
  %next = add i32 %start, %width
  %i = add i32 %start, %c
  %a = call i32 @zeroth.load_words.i32(ptr addrspace(1) %in, i32 %i)
  %j = add i32 %c, %next
  %b = call i32 @zeroth.load_words.i32(ptr addrspace(1) %in, i32 %j)
  %v = sub i32 %a, %b
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %v, ptr addrspace(1) %po
  ret void
}
)";

constexpr int Width = 192, Rows = 8;

std::vector<int> picture() {
  std::vector<int> in(Width * Rows);
  std::iota(in.begin(), in.end(), 1);
  for (int& v : in) v *= v;
  return in;
}

class UniformComponents : public ::testing::TestWithParam<std::tuple<int, int>> {
protected:
  std::unique_ptr<Program> compile() {
    CompileOptions options;
    options.width = unsigned(std::get<0>(GetParam()));
    return Program::from_text(Kernels, options);
  }
  Launch launch(int items) const {
    const uint32_t size = uint32_t(std::get<1>(GetParam()));
    return {{size, 1, 1}, {uint32_t(items) / size, 1, 1}};
  }
};

TEST_P(UniformComponents, GiveThePlaceThatTheVectorNames) {
  auto program = compile();
  std::vector<int> in = picture();
  for (int d : {0, 1, 3}) {
    std::vector<int> out(96), expected(96);
    program->run("place", Arguments().buffer(in).buffer(out).value(2).value(d).value(Width), launch(96));
    for (int x = 0; x < 96; ++x) expected[x] = in[(2 + d) * Width + x + d];
    ASSERT_EQ(out, expected) << d;
  }
}

TEST_P(UniformComponents, ColumnsThatTwoRowsShareMeetBothEdges) {
  auto program = compile();
  std::vector<int> in = picture();
  for (int d : {-200, -17, -1, 0, 1, 30, 500}) {
    std::vector<int> out(Width), expected(Width);
    program->run("two_rows", Arguments().buffer(in).buffer(out).value(3).value(d).value(Width), launch(Width));
    for (int x = 0; x < Width; ++x) {
      const int c = std::clamp(x + d, 0, Width - 1);
      expected[x] = in[3 * Width + c] - in[4 * Width + c];
    }
    ASSERT_EQ(out, expected) << d;
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, UniformComponents,
                         ::testing::Combine(::testing::Values(0, 1, 4, 16, 64), ::testing::Values(48, 32, 3)));

TEST(UniformComponentsReport, ARowAndARunningColumnAreReadAsARun) {
  auto program = Program::from_text(Kernels);
  EXPECT_EQ(program->kernel("place").report.gathers, 0u);
  EXPECT_EQ(program->kernel("place").report.scalarised, 0u);
}

TEST(UniformComponentsReport, WhetherColumnsRunIsAskedOnceForAllRows) {
  std::string ir;
  CompileOptions options;
  options.width = 16;
  options.ir = &ir;
  Program::from_text(Kernels, options);
  size_t forms = 0;
  for (size_t begin = ir.find("@two_rows."); begin != std::string::npos; begin = ir.find("@two_rows.", begin)) {
    const size_t end = ir.find("\n}\n", begin);
    const std::string form = ir.substr(begin, end - begin);
    const size_t question = form.find("icmp ne <16 x i32>");
    if (question != std::string::npos) {
      ++forms;
      EXPECT_EQ(form.find("icmp ne <16 x i32>", question + 1), std::string::npos) << form;
    }
    begin = end;
  }
  EXPECT_GT(forms, 0u);
}

} // namespace
} // namespace zeroth::codegen::testing
