// Barriers of sub-groups: no code of their own, since work-items of a slice go in step, but nothing may be carried over
// them. And what parts without active work-items must not do.
#include "testing/test_program.hpp"

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare i64 @zeroth.local_id(i32)
declare i32 @zeroth.sub_group_id()
declare void @zeroth.barrier(i32, i32, i32)

; t[l] = l; barrier; t[l ^ 1] = l + 500; barrier; out[g] = t[l]
define spir_kernel void @swap(ptr addrspace(3) %t, ptr addrspace(1) %out) !intel_reqd_sub_group_size !0 {
  %g = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 0)
  %v = trunc i64 %l to i32
  %own = getelementptr i32, ptr addrspace(3) %t, i64 %l
  store i32 %v, ptr addrspace(3) %own
  call void @zeroth.barrier(i32 3, i32 3, i32 272)
  %beside = xor i64 %l, 1
  %other = getelementptr i32, ptr addrspace(3) %t, i64 %beside
  %more = add i32 %v, 500
  store i32 %more, ptr addrspace(3) %other
  call void @zeroth.barrier(i32 3, i32 3, i32 272)
  %r = load i32, ptr addrspace(3) %own
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  store i32 %r, ptr addrspace(1) %po
  ret void
}

; y = sub-group's number; out[g] = y ? in[g] + 1000 / y : 7
define spir_kernel void @divide(ptr addrspace(1) %in, ptr addrspace(1) %out) !intel_reqd_sub_group_size !0 {
  %g = call i64 @zeroth.global_id(i32 0)
  %y = call i32 @zeroth.sub_group_id()
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  %some = icmp ne i32 %y, 0
  br i1 %some, label %later, label %end
later:
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %g
  %x = load i32, ptr addrspace(1) %pi
  %q = udiv i32 1000, %y
  %s = add i32 %x, %q
  br label %end
end:
  %r = phi i32 [ 7, %0 ], [ %s, %later ]
  store i32 %r, ptr addrspace(1) %po
  ret void
}
!0 = !{i32 16})";

class NarrowBarriers : public ::testing::TestWithParam<bool> {
protected:
  NarrowBarriers() {
    CompileOptions options;
    options.quick = GetParam();
    program_ = Program::from_text(Kernels, options);
  }
  static constexpr uint32_t Items = 64;
  static constexpr Launch OneGroup{{Items, 1, 1}, {1, 1, 1}};

  std::unique_ptr<Program> program_;
  std::vector<int> out_ = std::vector<int>(Items);
};

TEST_P(NarrowBarriers, AreNotCrossedByWhatNeighboursWrite) {
  Arguments arguments;
  arguments.local(program_->kernel("swap").local_bytes, Items * 4);
  program_->run("swap", arguments.buffer(out_), OneGroup);
  for (int l = 0; l < int(Items); ++l) ASSERT_EQ(out_[l], (l ^ 1) + 500) << l;
}

TEST_P(NarrowBarriers, MakeSubGroupsOfTheSizeThatTheKernelRequires) {
  EXPECT_EQ(program_->kernel("swap").sub_group_size, 16u);
  EXPECT_EQ(program_->kernel("swap").width % 16, 0u);
}

TEST_P(NarrowBarriers, PartsWithoutActiveWorkItemsDivideByNothing) {
  std::vector<int> in(Items, 3);
  program_->run("divide", Arguments().buffer(in).buffer(out_), OneGroup);
  for (int l = 0; l < int(Items); ++l) ASSERT_EQ(out_[l], l < 16 ? 7 : 3 + 1000 / (l / 16)) << l;
}

INSTANTIATE_TEST_SUITE_P(Tiers, NarrowBarriers, ::testing::Values(false, true));

} // namespace
} // namespace zeroth::codegen::testing
