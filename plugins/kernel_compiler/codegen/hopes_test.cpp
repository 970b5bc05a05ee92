// Indices that are clamped, wrapped at the edges of data, or divided by powers of two known only at run time: right
// where they run with the work-items and where they do not.
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

; out[g] = in[clamp(g + d, 0, n - 1)]
define spir_kernel void @clamped(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %d, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %i = add i32 %t, %d
  %low = call i32 @llvm.smax.i32(i32 %i, i32 0)
  %last = sub i32 %n, 1
  %c = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %cl = sext i32 %c to i64
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %cl
  %v = load i32, ptr addrspace(1) %pi
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %v, ptr addrspace(1) %po
  ret void
}

; out[wrapped(g + d)] = in[wrapped(g - d)] for -1 <= d <= 1, round a torus of n
define spir_kernel void @torus(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %d, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %last = sub i32 %n, 1
  %i = sub i32 %t, %d
  %i.over = icmp eq i32 %i, %n
  %i.a = select i1 %i.over, i32 0, i32 %i
  %i.under = icmp slt i32 %i, 0
  %i.b = select i1 %i.under, i32 %last, i32 %i.a
  %il = sext i32 %i.b to i64
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %il
  %v = load i32, ptr addrspace(1) %pi
  %o = add i32 %t, %d
  %o.over = icmp eq i32 %o, %n
  %o.a = select i1 %o.over, i32 0, i32 %o
  %o.under = icmp slt i32 %o, 0
  %o.b = select i1 %o.under, i32 %last, i32 %o.a
  %ol = sext i32 %o.b to i64
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %ol
  store i32 %v, ptr addrspace(1) %po
  ret void
}

; out[2 (g & -p) + (g & (p - 1))] = in[g]
define spir_kernel void @spread(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %p) {
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %g
  %v = load i32, ptr addrspace(1) %pi
  %rest = add i32 %p, -1
  %k = and i32 %t, %rest
  %block = sub i32 0, %p
  %b = and i32 %block, %t
  %b2 = shl i32 %b, 1
  %j = add i32 %b2, %k
  %jl = zext i32 %j to i64
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %jl
  store i32 %v, ptr addrspace(1) %po
  ret void
})";

constexpr int Items = 192;

class Hopes : public ::testing::TestWithParam<std::tuple<uint32_t, uint32_t>> {
protected:
  std::unique_ptr<Program> compile() const {
    CompileOptions options;
    options.width = std::get<0>(GetParam());
    return Program::from_text(Kernels, options);
  }
  Launch launch() const {
    uint32_t size = std::get<1>(GetParam());
    return {{size, 1, 1}, {Items / size, 1, 1}};
  }
  static std::vector<int> numbers() {
    std::vector<int> values(Items);
    std::iota(values.begin(), values.end(), 1000);
    return values;
  }
};

TEST_P(Hopes, ClampedIndicesReadTheEdges) {
  auto program = compile();
  std::vector<int> in = numbers();
  for (int d : {0, -1, 2, -70, 100, INT32_MAX - 50}) {
    std::vector<int> out(Items);
    program->run("clamped", Arguments().buffer(in).buffer(out).value(d).value(Items), launch());
    for (int g = 0; g < Items; ++g) {
      const int index = int32_t(uint32_t(g) + uint32_t(d)); // it may wrap around
      ASSERT_EQ(out[g], in[std::clamp(index, 0, Items - 1)]) << d << " " << g;
    }
  }
}

TEST_P(Hopes, IndicesOnATorusComeOutOnTheOtherSide) {
  auto program = compile();
  std::vector<int> in = numbers();
  for (int d : {-1, 0, 1}) {
    std::vector<int> out(Items);
    program->run("torus", Arguments().buffer(in).buffer(out).value(d).value(Items), launch());
    for (int g = 0; g < Items; ++g)
      ASSERT_EQ(out[(g + d + Items) % Items], in[(g - d + Items) % Items]) << d << " " << g;
  }
}

TEST_P(Hopes, PowersOfTwoThatOnlyTheProgramKnowsDivideIndices) {
  auto program = compile();
  std::vector<int> in = numbers();
  for (int p : {1, 2, 8, 64, 1 << 20}) {
    std::vector<int> out(2 * Items), expected(2 * Items);
    for (int g = 0; g < Items; ++g) expected[2 * (g & -p) + (g & (p - 1))] = in[g];
    program->run("spread", Arguments().buffer(in).buffer(out).value(p), launch());
    ASSERT_EQ(out, expected) << p;
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Hopes,
                         ::testing::Combine(::testing::Values(0, 1, 4, 16, 64), ::testing::Values(64, 48, 3)));

TEST(HopesReport, ClampedIndicesAreReadInRuns) {
  auto program = Program::from_text(Kernels);
  EXPECT_EQ(program->kernel("clamped").report.gathers, 0u);
  EXPECT_EQ(program->kernel("torus").report.contiguous, 2u); // beside the version that gathers
}

} // namespace
} // namespace zeroth::codegen::testing
