// Private arrays whose elements of neighbouring work-items lie side by side: what is read is what was written, whatever
// way it went in and out, and an index that is the same for all makes a run.
#include "../testing/test_program.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare void @zeroth.barrier(i32, i32, i32) convergent
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; 16 numbers are copied in; round i adds number (i * step) & 15 to number i & 15; all are copied out.
define spir_kernel void @rounds(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %step) {
entry:
  %w = alloca [16 x i32], align 4
  %g = call i64 @zeroth.global_id(i32 0)
  %pi = getelementptr [16 x i32], ptr addrspace(1) %in, i64 %g
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %w, ptr addrspace(1) align 4 %pi, i64 64, i1 false)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %a = and i32 %i, 15
  %s = mul i32 %i, %step
  %b = and i32 %s, 15
  %al = zext i32 %a to i64
  %bl = zext i32 %b to i64
  %pa = getelementptr inbounds [16 x i32], ptr %w, i64 0, i64 %al
  %pb = getelementptr inbounds i32, ptr %w, i64 %bl
  %va = load i32, ptr %pa, align 4
  %vb = load i32, ptr %pb, align 4
  %r = add i32 %va, %vb
  store i32 %r, ptr %pa, align 4
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  %po = getelementptr [16 x i32], ptr addrspace(1) %out, i64 %g
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 4 %po, ptr align 4 %w, i64 64, i1 false)
  ret void
}

; Each work-item counts its own places in bytes that begin as 3, before and behind a barrier.
define spir_kernel void @counts(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %w = alloca [12 x i8], align 1
  %g = call i64 @zeroth.global_id(i32 0)
  %g32 = trunc i64 %g to i32
  call void @llvm.memset.p0.i64(ptr %w, i8 3, i64 12, i1 false)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %j = add i32 %i, %g32
  %jl = zext i32 %j to i64
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %jl
  %v = load i32, ptr addrspace(1) %pi
  %k = urem i32 %v, 12
  %kl = zext i32 %k to i64
  %p = getelementptr inbounds i8, ptr %w, i64 %kl
  %c = load i8, ptr %p
  %c1 = add i8 %c, 1
  store i8 %c1, ptr %p
  call void @zeroth.barrier(i32 2, i32 2, i32 0)
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  br label %sum
sum:
  %e = phi i64 [ 0, %done ], [ %e1, %sum ]
  %t = phi i32 [ 0, %done ], [ %t1, %sum ]
  %q = getelementptr i8, ptr %w, i64 %e
  %x = load i8, ptr %q
  %xi = zext i8 %x to i32
  %t7 = mul i32 %t, 7
  %t1 = add i32 %t7, %xi
  %e1 = add i64 %e, 1
  %again = icmp ult i64 %e1, 12
  br i1 %again, label %sum, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %t1, ptr addrspace(1) %po
  ret void
}

; Written as words, read as halves of them: stays as it is.
define spir_kernel void @halves(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %k) {
  %w = alloca [4 x i32], align 4
  %g = call i64 @zeroth.global_id(i32 0)
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %g
  %v = load i32, ptr addrspace(1) %pi
  %kl = zext i32 %k to i64
  %p = getelementptr i32, ptr %w, i64 %kl
  store i32 %v, ptr %p, align 4
  %q = getelementptr i8, ptr %p, i64 2
  %h = load i16, ptr %q, align 2
  %hi = zext i16 %h to i32
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %hi, ptr addrspace(1) %po
  ret void
}
)";

std::vector<int> numbers(int count) {
  std::vector<int> all(count);
  unsigned random = 7;
  for (int& v : all) v = int((random = random * 1664525 + 1013904223) >> 4);
  return all;
}

// Width, group size, engine.
class PrivateArrays : public ::testing::TestWithParam<std::tuple<int, int, const char*>> {
protected:
  std::unique_ptr<Program> compile() const {
    CompileOptions options;
    options.cpu = test_cpu();
    options.width = unsigned(std::get<0>(GetParam()));
    options.engine = std::get<2>(GetParam());
    return Program::from_text(Kernels, options);
  }
  Launch launch(int items) const {
    const uint32_t size = uint32_t(std::get<1>(GetParam()));
    return {{size, 1, 1}, {uint32_t(items) / size, 1, 1}};
  }
};

constexpr int Items = 240;

TEST_P(PrivateArrays, GiveBackWhatWasCopiedInAndChanged) {
  auto program = compile();
  const std::vector<int> in = numbers(16 * Items);
  for (int step : {3, 7}) {
    std::vector<int> source = in, out(16 * Items), expected = in;
    program->run("rounds", Arguments().buffer(source).buffer(out).value(40).value(step), launch(Items));
    for (int g = 0; g < Items; ++g)
      for (int i = 0; i < 40; ++i) {
        int& number = expected[16 * g + (i & 15)];
        number = int(unsigned(number) + unsigned(expected[16 * g + (i * step & 15)]));
      }
    ASSERT_EQ(out, expected) << step;
  }
}

TEST_P(PrivateArrays, CountWhereEachWorkItemSaysAcrossBarriers) {
  auto program = compile();
  std::vector<int> in = numbers(Items + 20), out(Items), expected(Items);
  program->run("counts", Arguments().buffer(in).buffer(out).value(20), launch(Items));
  for (int g = 0; g < Items; ++g) {
    unsigned char counts[12];
    std::fill(std::begin(counts), std::end(counts), 3);
    for (int i = 0; i < 20; ++i) ++counts[unsigned(in[g + i]) % 12];
    unsigned sum = 0;
    for (unsigned char c : counts) sum = 7 * sum + c;
    expected[g] = int(sum);
  }
  EXPECT_EQ(out, expected);
}

TEST_P(PrivateArrays, OfSeveralSizesStayWhole) {
  auto program = compile();
  std::vector<int> in = numbers(Items), out(Items), expected(Items);
  program->run("halves", Arguments().buffer(in).buffer(out).value(2), launch(Items));
  for (int g = 0; g < Items; ++g) expected[g] = int(unsigned(in[g]) >> 16);
  EXPECT_EQ(out, expected);
}

INSTANTIATE_TEST_SUITE_P(Widths, PrivateArrays,
                         ::testing::Combine(::testing::Values(0, 1, 4, 16, 64), ::testing::Values(48, 5),
                                            ::testing::Values("", "fiber")));

TEST(PrivateArraysReport, AnIndexThatIsTheSameForAllMakesARun) {
  CompileOptions options;
  options.cpu = test_cpu();
  auto program = Program::from_text(Kernels, options);
  EXPECT_EQ(program->kernel("rounds").report.gathers, 32u); // what is copied in and out, nothing in between
  EXPECT_EQ(program->kernel("rounds").report.scalarised, 0u);
}

} // namespace
} // namespace zeroth::codegen::testing
