// Groups that lie side by side run as one long row where a kernel cannot tell, in whatever pieces a launch is cut.
#include "testing/test_program.hpp"

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare i64 @zeroth.global_size(i32)
declare i64 @zeroth.local_id(i32)
declare i64 @zeroth.group_id(i32)
declare i64 @zeroth.local_size(i32)

; out[x, y] += 1000 x + y + size of the group
define spir_kernel void @place(ptr addrspace(1) %out) {
  %x = call i64 @zeroth.global_id(i32 0)
  %y = call i64 @zeroth.global_id(i32 1)
  %w = call i64 @zeroth.global_size(i32 0)
  %size = call i64 @zeroth.local_size(i32 0)
  %pitch = add i64 %w, 64
  %row = mul i64 %y, %pitch
  %i = add i64 %row, %x
  %kx = mul i64 %x, 1000
  %v = add i64 %kx, %y
  %v1 = add i64 %v, %size
  %v2 = trunc i64 %v1 to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %old = load i32, ptr addrspace(1) %p
  %new = add i32 %old, %v2
  store i32 %new, ptr addrspace(1) %p
  ret void
}

; the same in rounds that depend on the work-item
define spir_kernel void @rounds(ptr addrspace(1) %out) {
  %x = call i64 @zeroth.global_id(i32 0)
  %y = call i64 @zeroth.global_id(i32 1)
  %w = call i64 @zeroth.global_size(i32 0)
  %size = call i64 @zeroth.local_size(i32 0)
  %pitch = add i64 %w, 64
  %row = mul i64 %y, %pitch
  %i = add i64 %row, %x
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  br label %loop
loop:
  %n = phi i64 [ 0, %0 ], [ %n1, %loop ]
  %sum = phi i64 [ %y, %0 ], [ %sum1, %loop ]
  %sum1 = add i64 %sum, 1000
  %n1 = add i64 %n, 1
  %more = icmp ult i64 %n1, %x
  br i1 %more, label %loop, label %end
end:
  %first = icmp eq i64 %x, 0
  %all = select i1 %first, i64 %y, i64 %sum1
  %v = add i64 %all, %size
  %v2 = trunc i64 %v to i32
  %old = load i32, ptr addrspace(1) %p
  %new = add i32 %old, %v2
  store i32 %new, ptr addrspace(1) %p
  ret void
}

; a group of known size, found by division
define spir_kernel void @divided(ptr addrspace(1) %out) !reqd_work_group_size !0 {
  %x = call i64 @zeroth.global_id(i32 0)
  %group = lshr i64 %x, 4
  %item = and i64 %x, 15
  %k = mul i64 %group, 100
  %v = add i64 %k, %item
  %v2 = trunc i64 %v to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %v2, ptr addrspace(1) %p
  ret void
}

; groups of one work-item
define spir_kernel void @single(ptr addrspace(1) %out) !reqd_work_group_size !1 {
  %x = call i64 @zeroth.global_id(i32 0)
  %v = trunc i64 %x to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %v, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @asks_local(ptr addrspace(1) %out) {
  %x = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 0)
  %g = call i64 @zeroth.group_id(i32 0)
  %k = mul i64 %g, 100
  %v = add i64 %k, %l
  %v2 = trunc i64 %v to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %v2, ptr addrspace(1) %p
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 1, i32 1, i32 1}
)";

class LongRows : public ::testing::TestWithParam<std::tuple<uint32_t, std::array<uint32_t, 2>>> {
protected:
  std::unique_ptr<Program> compile() const {
    CompileOptions options;
    options.width = std::get<0>(GetParam());
    return Program::from_text(Kernels, options);
  }

  // In pieces of so many groups.
  static void run(const Program& program, const char* kernel, const Arguments& arguments, const Launch& launch,
                  uint64_t piece) {
    Session session(arguments, launch, program.memory(kernel, arguments, launch), 1);
    for (uint64_t first = 0; first < session.groups(); first += piece)
      session.run(program.entry(kernel), 0, first, std::min(first + piece, session.groups()));
  }
};

TEST_P(LongRows, RunEveryWorkItemOnceWhateverThePieces) {
  auto program = compile();
  const auto [width, height] = std::get<1>(GetParam());
  const uint32_t across = (height == 1 ? 2500 : 700) / width + 1, down = 3, columns = width * across;
  for (const char* kernel : {"place", "rounds"})
    for (uint64_t offset : {0, 5, 16})
      for (uint64_t piece : {1, 7, 1 << 20}) {
        std::vector<uint32_t> out((columns + 64) * height * down), expected(out.size());
        for (uint32_t y = 0; y < height * down; ++y)
          for (uint64_t x = offset; x < columns + offset; ++x)
            expected[y * (columns + 64) + x] = uint32_t(1000 * x + y + width);
        Arguments arguments;
        arguments.buffer(out);
        run(*program, kernel, arguments, {{width, height, 1}, {across, down, 1}, {offset, 0, 0}, 2}, piece);
        ASSERT_EQ(out, expected) << kernel << " from " << offset << " in pieces of " << piece;
      }
}

TEST_P(LongRows, DoNotChangeWhatAGroupIs) {
  auto program = compile();
  constexpr uint32_t Size = 16, Count = 40;
  for (const char* kernel : {"divided", "asks_local"}) {
    std::vector<uint32_t> out(Size * Count), expected(out.size());
    for (uint32_t i = 0; i < out.size(); ++i) expected[i] = i / Size * 100 + i % Size;
    program->run(kernel, Arguments().buffer(out), {{Size, 1, 1}, {Count, 1, 1}});
    EXPECT_EQ(out, expected) << kernel;
  }
}

TEST_P(LongRows, RunEveryGroupOfOneWorkItem) {
  auto program = compile();
  std::vector<uint32_t> out(3000, 9), expected(out.size());
  for (uint32_t i = 0; i < out.size(); ++i) expected[i] = i;
  program->run("single", Arguments().buffer(out), {{1, 1, 1}, {3000, 1, 1}});
  EXPECT_EQ(out, expected);
}

using Size = std::array<uint32_t, 2>;
INSTANTIATE_TEST_SUITE_P(Forms, LongRows,
                         ::testing::Combine(::testing::Values(0, 1, 4, 16, 64),
                                            ::testing::Values(Size{1, 1}, Size{3, 1}, Size{16, 1}, Size{16, 2},
                                                              Size{64, 4}, Size{50, 2}, Size{256, 1})));

} // namespace
} // namespace zeroth::codegen::testing
