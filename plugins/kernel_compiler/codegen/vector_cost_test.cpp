// Which width a kernel gets by what widening would make of it.
#include "testing/test_program.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

// y[row] = sum of values[i] * x[columns[i]] over the row's i.
constexpr std::string_view SparseRows = R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @rows(ptr addrspace(1) %start, ptr addrspace(1) %columns, ptr addrspace(1) %values,
                              ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %row = call i64 @zeroth.global_id(i32 0)
  %pb = getelementptr i32, ptr addrspace(1) %start, i64 %row
  %b = load i32, ptr addrspace(1) %pb
  %pe = getelementptr i32, ptr addrspace(1) %pb, i64 1
  %e = load i32, ptr addrspace(1) %pe
  %some = icmp ult i32 %b, %e
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %b, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %il = zext i32 %i to i64
  %pc = getelementptr i32, ptr addrspace(1) %columns, i64 %il
  %c = load i32, ptr addrspace(1) %pc
  %cl = zext i32 %c to i64
  %px = getelementptr float, ptr addrspace(1) %x, i64 %cl
  %vx = load float, ptr addrspace(1) %px
  %pv = getelementptr float, ptr addrspace(1) %values, i64 %il
  %v = load float, ptr addrspace(1) %pv
  %product = fmul float %v, %vx
  %more = fadd float %sum, %product
  %next = add i32 %i, 1
  %goes.on = icmp ult i32 %next, %e
  br i1 %goes.on, label %loop, label %end
end:
  %result = phi float [ 0.0, %0 ], [ %more, %loop ]
  %py = getelementptr float, ptr addrspace(1) %y, i64 %row
  store float %result, ptr addrspace(1) %py
  ret void
})";

// Work-items leave this loop at different times too, but they read side by side.
constexpr std::string_view StridingSum = R"(
declare i64 @zeroth.global_id(i32)
declare i64 @zeroth.global_size(i32)
define spir_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %id = call i64 @zeroth.global_id(i32 0)
  %size = call i64 @zeroth.global_size(i32 0)
  %some = icmp ult i64 %id, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ %id, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %p = getelementptr float, ptr addrspace(1) %in, i64 %i
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %next = add i64 %i, %size
  %goes.on = icmp ult i64 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  %result = phi float [ 0.0, %0 ], [ %more, %loop ]
  %po = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %result, ptr addrspace(1) %po
  ret void
})";

constexpr std::string_view Histogram = R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @count(ptr addrspace(1) %keys, ptr addrspace(1) %bins) {
  %id = call i64 @zeroth.global_id(i32 0)
  %pk = getelementptr i32, ptr addrspace(1) %keys, i64 %id
  %key = load i32, ptr addrspace(1) %pk
  %kl = zext i32 %key to i64
  %pb = getelementptr i32, ptr addrspace(1) %bins, i64 %kl
  %old = atomicrmw add ptr addrspace(1) %pb, i32 1 monotonic
  ret void
})";

// For each number of a column: its digits, each of which has something done to the sum; some end all, some the number.
constexpr std::string_view Digits = R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @digits(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %id = call i64 @zeroth.global_id(i32 0)
  %pl = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %lines = load i32, ptr addrspace(1) %pl
  %length = zext i32 %n to i64
  br label %line
line:
  %i = phi i32 [ 0, %0 ], [ %i1, %next ]
  %acc = phi i32 [ 0, %0 ], [ %acc.n, %next ]
  %il = zext i32 %i to i64
  br label %digit
digit:
  %j = phi i64 [ 0, %line ], [ %j1, %more ]
  %sum = phi i32 [ %acc, %line ], [ %sum.n, %more ]
  %k = mul i64 %id, %j
  %k1 = add i64 %k, %il
  %k2 = urem i64 %k1, 97
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %k2
  %v = load i32, ptr addrspace(1) %p
  %is3 = icmp eq i32 %v, 3
  br i1 %is3, label %end, label %not3
not3:
  %is5 = icmp eq i32 %v, 5
  br i1 %is5, label %next, label %not5
not5:
  %is.far = icmp ugt i32 %sum, 500
  br i1 %is.far, label %next, label %near
near:
  %is.own = icmp eq i32 %v, %lines
  br i1 %is.own, label %end, label %others
others:
  %is2 = icmp eq i32 %v, 2
  br i1 %is2, label %two, label %not2
two:
  %a = xor i32 %sum, 21
  br label %more
not2:
  %b = add i32 %sum, %v
  %large = icmp ugt i32 %b, 1000
  br i1 %large, label %end, label %more
more:
  %sum.n = phi i32 [ %a, %two ], [ %b, %not2 ]
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, %length
  br i1 %again, label %digit, label %next
next:
  %acc.n = phi i32 [ %sum, %not3 ], [ 7, %not5 ], [ %sum.n, %more ]
  %i1 = add i32 %i, 1
  %on = icmp ult i32 %i1, %lines
  br i1 %on, label %line, label %end
end:
  %result = phi i32 [ -1, %digit ], [ -3, %near ], [ -2, %not2 ], [ %acc.n, %next ]
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %result, ptr addrspace(1) %po
  ret void
})";

// How often each number can be halved.
constexpr std::string_view Halvings = R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @halve(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call i64 @zeroth.global_id(i32 0)
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %v = load i32, ptr addrspace(1) %pi
  br label %loop
loop:
  %left = phi i32 [ %v, %0 ], [ %half, %loop ]
  %count = phi i32 [ 0, %0 ], [ %more, %loop ]
  %half = lshr i32 %left, 1
  %more = add i32 %count, 1
  %ends = icmp eq i32 %half, 0
  br i1 %ends, label %end, label %loop
end:
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %more, ptr addrspace(1) %po
  ret void
})";

TEST(VectorCost, SlicesThatWaitForTheirSlowestWorkItemAreSmall) {
  EXPECT_LE(Program::from_text(Halvings)->kernel("halve").width, 32u);
}

TEST(VectorCost, RowsOfASparseMatrixRunOneByOne) {
  auto program = Program::from_text(SparseRows);
  EXPECT_EQ(program->kernel("rows").width, 1u);
  std::vector<uint32_t> start(65), columns(64 * 9);
  for (uint32_t row = 0; row < 64; ++row) start[row + 1] = start[row] + row * 7 % 10;
  std::vector<float> values(columns.size()), x(50), y(64);
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = uint32_t(i * 31 % 50), values[i] = float(i % 5);
  std::iota(x.begin(), x.end(), 1.f);
  program->run("rows", Arguments().buffer(start).buffer(columns).buffer(values).buffer(x).buffer(y),
               {{32, 1, 1}, {2, 1, 1}});
  for (uint32_t row = 0; row < 64; ++row) {
    float sum = 0;
    for (uint32_t i = start[row]; i < start[row + 1]; ++i) sum += values[i] * x[columns[i]];
    EXPECT_EQ(y[row], sum) << row;
  }
}

TEST(VectorCost, LoopsThatPartAtEveryTurnRunOneByOne) {
  CompileOptions wide;
  wide.width = 16;
  std::vector<uint32_t> in(128), out(128), out_wide(128);
  for (size_t i = 0; i < in.size(); ++i) in[i] = uint32_t(i * 7 % 11);
  auto program = Program::from_text(Digits), as_vectors = Program::from_text(Digits, wide);
  EXPECT_EQ(program->kernel("digits").width, 1u);
  EXPECT_EQ(as_vectors->kernel("digits").width, 16u);
  program->run("digits", Arguments().buffer(in).buffer(out).value(9u), {{64, 1, 1}, {2, 1, 1}});
  as_vectors->run("digits", Arguments().buffer(in).buffer(out_wide).value(9u), {{64, 1, 1}, {2, 1, 1}});
  EXPECT_EQ(out, out_wide);
}

TEST(VectorCost, LoopsThatReadSideBySideKeepTheirVectors) {
  auto program = Program::from_text(StridingSum);
  EXPECT_GT(program->kernel("sum").width, 1u);
}

TEST(VectorCost, AnAskedWidthIsKept) {
  CompileOptions options;
  options.width = 8;
  EXPECT_EQ(Program::from_text(SparseRows, options)->kernel("rows").width, 8u);
}

TEST(VectorCost, AtomicUpdatesOfGlobalMemoryAreTakenManyAtATime) {
  auto program = Program::from_text(Histogram);
  EXPECT_GT(program->kernel("count").width, program->kernel("count").sub_group_size);
  std::vector<uint32_t> keys(256), bins(40);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = uint32_t(i * i % 40);
  std::vector<uint32_t> expected(40);
  for (uint32_t key : keys) ++expected[key];
  program->run("count", Arguments().buffer(keys).buffer(bins), {{128, 1, 1}, {2, 1, 1}});
  EXPECT_EQ(bins, expected);
}

} // namespace
} // namespace zeroth::codegen::testing
