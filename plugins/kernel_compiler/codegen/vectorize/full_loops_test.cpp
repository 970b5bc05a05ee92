// Loops that all work-items of a slice go through together until the data ends.
#include "../testing/test_program.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare i64 @zeroth.global_size(i32)
declare i64 @zeroth.local_id(i32)
declare i64 @zeroth.local_size(i32)
declare void @zeroth.barrier(i32, i32, i32)

; for (i = id + d; i < n; i += size) sum += in[i] + d, rounds++; out[id] = sum; count[id] = rounds
define spir_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %count, i32 %d, i32 %n) {
  %g = call i64 @zeroth.global_id(i32 0)
  %s = call i64 @zeroth.global_size(i32 0)
  %id = trunc i64 %g to i32
  %size = trunc i64 %s to i32
  %first = add i32 %id, %d
  %some = icmp ult i32 %first, %n
  br i1 %some, label %before, label %end
before:
  %twice = mul i32 %d, 2
  br label %loop
loop:
  %i = phi i32 [ %first, %before ], [ %next, %loop ]
  %sum = phi i32 [ %id, %before ], [ %more, %loop ]
  %rounds = phi i32 [ 0, %before ], [ %rounds1, %loop ]
  %il = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %il
  %v = load i32, ptr addrspace(1) %p
  %v1 = add i32 %v, %twice
  %more = add i32 %sum, %v1
  %rounds1 = add i32 %rounds, 1
  %next = add i32 %i, %size
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %after
after:
  %all = add i32 %more, %twice
  br label %end
end:
  %result = phi i32 [ -1, %0 ], [ %all, %after ]
  %times = phi i32 [ 0, %0 ], [ %rounds1, %after ]
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %result, ptr addrspace(1) %po
  %pc = getelementptr i32, ptr addrspace(1) %count, i64 %g
  store i32 %times, ptr addrspace(1) %pc
  ret void
}

; tmp = sum of every local_size-th from local id on, downwards; out[g] = what the neighbour has
define spir_kernel void @downwards(ptr addrspace(3) %tmp, ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %l = call i64 @zeroth.local_id(i32 0)
  %ls = call i64 @zeroth.local_size(i32 0)
  %g = call i64 @zeroth.global_id(i32 0)
  %far = sub i64 %n, %ls
  %from = add i64 %far, %l
  %some = icmp sge i64 %from, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ %from, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %more = add i32 %sum, %v
  %next = sub i64 %i, %ls
  %goes.on = icmp sge i64 %next, 0
  br i1 %goes.on, label %loop, label %end
end:
  %result = phi i32 [ -1, %0 ], [ %more, %loop ]
  %pt = getelementptr i32, ptr addrspace(3) %tmp, i64 %l
  store i32 %result, ptr addrspace(3) %pt
  call void @zeroth.barrier(i32 2, i32 2, i32 272)
  %beside = xor i64 %l, 1
  %pb = getelementptr i32, ptr addrspace(3) %tmp, i64 %beside
  %other = load i32, ptr addrspace(3) %pb
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %other, ptr addrspace(1) %po
  ret void
}

; if (wanted) { i = g; do s += in[i]; while ((i += m) < n); j = g; do s = 3 s + in[j]; while ((j += m) < k); } out[g] = s
define spir_kernel void @in_a_row(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %k, i32 %m, i32 %wanted) {
entry:
  %g64 = call i64 @zeroth.global_id(i32 0)
  %g = trunc i64 %g64 to i32
  %some = icmp ne i32 %wanted, 0
  br i1 %some, label %first, label %end
first:
  %i = phi i32 [ %g, %entry ], [ %i1, %first ]
  %s = phi i32 [ 0, %entry ], [ %s1, %first ]
  %il = zext i32 %i to i64
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %il
  %vi = load i32, ptr addrspace(1) %pi
  %s1 = add i32 %s, %vi
  %i1 = add i32 %i, %m
  %on = icmp ult i32 %i1, %n
  br i1 %on, label %first, label %between
between:
  br label %second
second:
  %j = phi i32 [ %g, %between ], [ %j1, %second ]
  %t = phi i32 [ %s1, %between ], [ %t1, %second ]
  %jl = zext i32 %j to i64
  %pj = getelementptr i32, ptr addrspace(1) %in, i64 %jl
  %vj = load i32, ptr addrspace(1) %pj
  %triple = mul i32 %t, 3
  %t1 = add i32 %triple, %vj
  %j1 = add i32 %j, %m
  %further = icmp ult i32 %j1, %k
  br i1 %further, label %second, label %end
end:
  %result = phi i32 [ -1, %entry ], [ %t1, %second ]
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g64
  store i32 %result, ptr addrspace(1) %po
  ret void
})";

class FullLoops : public ::testing::TestWithParam<std::tuple<uint32_t, uint32_t>> {
protected:
  std::unique_ptr<Program> compile() const {
    CompileOptions options;
    options.width = std::get<0>(GetParam());
    return Program::from_text(Kernels, options);
  }
  static std::vector<int> numbers(size_t count) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 7);
    return values;
  }
};

TEST_P(FullLoops, GoOnUntilTheLastWorkItemHasItsData) {
  auto program = compile();
  const uint32_t group = std::get<1>(GetParam()), size = group * 3;
  for (int d : {0, 5})
    for (uint32_t n : {0u, 1u, size - 1, size, size + 1, 3 * size, 3 * size + group, 4 * size + 17}) {
      std::vector<int> in = numbers(n + 1), out(size), count(size), sums(size, -1), rounds(size);
      for (uint32_t id = 0; id < size; ++id)
        for (uint32_t i = id + uint32_t(d); i < n; i += size) {
          if (rounds[id]++ == 0) sums[id] = int(id) + 2 * d;
          sums[id] += in[i] + 2 * d;
        }
      program->run("sum", Arguments().buffer(in).buffer(out).buffer(count).value(d).value(n),
                   {{group, 1, 1}, {3, 1, 1}});
      ASSERT_EQ(out, sums) << n << " from " << d;
      ASSERT_EQ(count, rounds) << n << " from " << d;
    }
}

TEST_P(FullLoops, MayGoDownAndLieBeforeBarriers) {
  auto program = compile();
  const uint32_t group = std::get<1>(GetParam());
  for (int64_t n : {int64_t(1), int64_t(group), int64_t(group) * 3, int64_t(group) * 4 - 5}) {
    std::vector<int> in = numbers(size_t(n) + group), out(group * 2), expected(out.size());
    for (uint32_t g = 0; g < out.size(); ++g) {
      int64_t from = n - group + (g % group ^ 1);
      for (int64_t i = from; i >= 0; i -= group) expected[g] += in[size_t(i)];
      if (from < 0) expected[g] = -1;
    }
    Arguments arguments;
    arguments.local(program->kernel("downwards").local_bytes, group * 4);
    program->run("downwards", arguments.buffer(in).buffer(out).value(n), {{group, 1, 1}, {2, 1, 1}});
    ASSERT_EQ(out, expected) << n;
  }
}

TEST_P(FullLoops, MayFollowOneAnother) {
  auto program = compile();
  const uint32_t group = std::get<1>(GetParam()), size = group * 3;
  const std::vector<int> in = numbers(size * 9);
  for (uint32_t n : {1u, size + 3, size * 5 + 7})
    for (uint32_t k : {1u, size * 2 - 1, size * 8}) {
      std::vector<int> data = in, out(size), expected(size);
      for (uint32_t g = 0; g < size; ++g) {
        uint32_t s = 0, i = g, j = g;
        do s += uint32_t(in[i]);
        while ((i += size) < n);
        do s = 3 * s + uint32_t(in[j]);
        while ((j += size) < k);
        expected[g] = int(s);
      }
      program->run("in_a_row", Arguments().buffer(data).buffer(out).value(n).value(k).value(size).value(1),
                   {{group, 1, 1}, {3, 1, 1}});
      ASSERT_EQ(out, expected) << n << " and " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, FullLoops,
                         ::testing::Combine(::testing::Values(0, 1, 4, 16, 64), ::testing::Values(64, 48, 50)));

TEST(FullLoopsReport, TheRoundsOfAllHaveTheirOwnLoop) {
  std::string ir;
  CompileOptions options;
  options.ir = &ir;
  auto program = Program::from_text(Kernels, options);
  EXPECT_EQ(program->kernel("sum").report.divergent_loops, 1u); // the rest
  const size_t form = ir.find("define", ir.find("ModuleID", ir.find("@downwards")));
  EXPECT_NE(ir.find(".full", form), std::string::npos) << ir;
}

} // namespace
} // namespace zeroth::codegen::testing
