// The plain form (W = 1): every query, memory kind and barrier pattern, executed.
#include "testing/test_program.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

CompileOptions plain() {
  CompileOptions options;
  options.width = 1;
  return options;
}

constexpr std::string_view Declarations = R"(
declare i64 @zeroth.global_id(i32)
declare i64 @zeroth.global_size(i32)
declare i64 @zeroth.local_id(i32)
declare i64 @zeroth.group_id(i32)
declare i64 @zeroth.local_linear_id()
declare i64 @zeroth.global_linear_id()
declare i32 @zeroth.work_dim()
declare void @zeroth.barrier(i32, i32, i32) convergent
declare i32 @zeroth.work_group.reduce_add.i32(i32) convergent
declare i32 @zeroth.work_group.scan_exclusive_add.i32(i32) convergent
declare i32 @zeroth.work_group.broadcast.i32(i32, i64, i64, i64) convergent
declare ptr @zeroth.async_copy.p3.p1(i32, ptr addrspace(3), ptr addrspace(1), i64, i64, i64, i64, ptr)
)";

std::unique_ptr<Program> compile(std::string_view kernel) {
  return Program::from_text(std::string(Declarations) + std::string(kernel), plain());
}

TEST(PlainForm, AddsVectors) {
  auto program = compile(R"(
define spir_kernel void @add(ptr addrspace(1) %a, float %f, ptr addrspace(1) %b) {
  %i = call i64 @zeroth.global_id(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %i
  %va = load float, ptr addrspace(1) %pa
  %m = fmul float %va, %f
  store float %m, ptr addrspace(1) %pb
  ret void
})");
  std::vector<float> a(60), b(60);
  std::iota(a.begin(), a.end(), 0.f);
  program->run("add", Arguments().buffer(a).value(2.f).buffer(b), {{5, 1, 1}, {12, 1, 1}});
  for (int i = 0; i < 60; ++i) EXPECT_EQ(b[i], 2.f * i);
}

TEST(PlainForm, QueriesAnswerInThreeDimensionsWithOffset) {
  auto program = compile(R"(
define spir_kernel void @ids(ptr addrspace(1) %out, i32 %d) {
  %linear = call i64 @zeroth.global_linear_id()
  %id = call i64 @zeroth.global_id(i32 %d)
  %group = call i64 @zeroth.group_id(i32 %d)
  %local = call i64 @zeroth.local_id(i32 %d)
  %t0 = mul i64 %group, 100
  %t1 = add i64 %t0, %local
  %t2 = mul i64 %id, 10000
  %v = add i64 %t1, %t2
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %linear
  store i64 %v, ptr addrspace(1) %p
  ret void
})");
  const uint64_t size[3] = {3, 2, 2}, count[3] = {2, 3, 2}, offset[3] = {7, 5, 3};
  for (int d = 0; d < 3; ++d) {
    std::vector<uint64_t> out(3 * 2 * 2 * 2 * 3 * 2);
    program->run("ids", Arguments().buffer(out).value(d), {{3, 2, 2}, {2, 3, 2}, {7, 5, 3}, 3});
    for (size_t i = 0; i < out.size(); ++i) {
      uint64_t at[3] = {i % 6, i / 6 % 6, i / 36};
      EXPECT_EQ(out[i], (at[d] + offset[d]) * 10000 + at[d] / size[d] * 100 + at[d] % size[d]) << i;
    }
    (void)count;
  }
}

TEST(PlainForm, BarriersOrderWorkItems) {
  auto program = compile(R"(
@tile = internal addrspace(3) global [64 x i32] undef
define spir_kernel void @reverse(ptr addrspace(1) %out, ptr addrspace(3) %extra) {
  %l = call i64 @zeroth.local_id(i32 0)
  %g = call i64 @zeroth.global_id(i32 0)
  %p = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %l
  %v = trunc i64 %g to i32
  store i32 %v, ptr addrspace(3) %p
  call void @zeroth.barrier(i32 2, i32 2, i32 264)
  %r = sub i64 63, %l
  %q = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %r
  %w = load i32, ptr addrspace(3) %q
  %e = getelementptr i32, ptr addrspace(3) %extra, i64 %r
  store i32 %w, ptr addrspace(3) %e
  call void @zeroth.barrier(i32 2, i32 2, i32 264)
  %f = getelementptr i32, ptr addrspace(3) %extra, i64 %l
  %x = load i32, ptr addrspace(3) %f
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %x, ptr addrspace(1) %o
  ret void
})");
  EXPECT_EQ(program->kernel("reverse").engine, Engine::Region);
  EXPECT_EQ(program->kernel("reverse").local_bytes, 256u);
  std::vector<int> out(192);
  program->run("reverse", Arguments().buffer(out).local(256, 256), {{64, 1, 1}, {3, 1, 1}});
  for (int i = 0; i < 192; ++i) EXPECT_EQ(out[i], i);
}

TEST(PlainForm, WorkGroupOperations) {
  auto program = compile(R"(
define spir_kernel void @ops(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %g = call i64 @zeroth.global_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %g
  %v = load i32, ptr addrspace(1) %p
  %sum = call i32 @zeroth.work_group.reduce_add.i32(i32 %v)
  %scan = call i32 @zeroth.work_group.scan_exclusive_add.i32(i32 %v)
  %third = call i32 @zeroth.work_group.broadcast.i32(i32 %v, i64 2, i64 0, i64 0)
  %a = mul i32 %sum, 10000
  %b = mul i32 %scan, 100
  %c = add i32 %a, %b
  %d = add i32 %c, %third
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %d, ptr addrspace(1) %o
  ret void
})");
  std::vector<int> in(12), out(12);
  for (int i = 0; i < 12; ++i) in[i] = i + 1;
  program->run("ops", Arguments().buffer(in).buffer(out), {{6, 1, 1}, {2, 1, 1}});
  for (int g = 0; g < 2; ++g)
    for (int i = 0, scan = 0; i < 6; scan += in[g * 6 + i++])
      EXPECT_EQ(out[g * 6 + i], (g ? 57 : 21) * 10000 + scan * 100 + in[g * 6 + 2]);
}

TEST(PlainForm, UnknownBuiltInIsNamed) {
  try {
    compile(R"(
declare float @zeroth.math.frobnicate.f32(float)
define spir_kernel void @k(ptr addrspace(1) %out) {
  %v = call float @zeroth.math.frobnicate.f32(float 1.0)
  store float %v, ptr addrspace(1) %out
  ret void
})");
    FAIL() << "compiled";
  } catch (const CodegenError& error) {
    EXPECT_NE(std::string(error.what()).find("zeroth.math.frobnicate.f32"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("by k"), std::string::npos);
  }
}

TEST(PlainForm, StructByValueIsReadFromTheBlock) {
  struct Pair {
    int a;
    int b;
  };
  auto program = compile(R"(
%pair = type { i32, i32 }
define spir_kernel void @sum(ptr byval(%pair) align 4 %p, ptr addrspace(1) %out) {
  %a = load i32, ptr %p
  %q = getelementptr %pair, ptr %p, i64 0, i32 1
  %b = load i32, ptr %q
  %s = sub i32 %a, %b
  store i32 %s, ptr %p
  %t = load i32, ptr %p
  store i32 %t, ptr addrspace(1) %out
  ret void
})");
  std::vector<int> out(1);
  program->run("sum", Arguments().value(Pair{9, 4}).buffer(out), {});
  EXPECT_EQ(out[0], 5);
}

} // namespace
} // namespace zeroth::codegen::testing
