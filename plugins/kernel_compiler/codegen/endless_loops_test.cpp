// Kernels with endless loops, and with ends that nothing reaches, become slices like all others: sub-groups of a
// required size have no other form.
#include "testing/test_program.hpp"

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare i32 @zeroth.sub_group.reduce_add.i32(i32) convergent

; for ever, if in[g] is negative; otherwise out[g] = the sum of in over the sub-group
define spir_kernel void @waits(ptr addrspace(1) %in, ptr addrspace(1) %out) !intel_reqd_sub_group_size !0 {
  %g = call i64 @zeroth.global_id(i32 0)
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %g
  %v = load i32, ptr addrspace(1) %pi
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  %bad = icmp slt i32 %v, 0
  br i1 %bad, label %wait, label %go
wait:
  %old = atomicrmw add ptr addrspace(1) %po, i32 1 monotonic
  %odd = trunc i32 %old to i1
  br i1 %odd, label %wait, label %again
again:
  %older = atomicrmw add ptr addrspace(1) %po, i32 3 monotonic
  br label %wait
go:
  %s = call i32 @zeroth.sub_group.reduce_add.i32(i32 %v)
  store i32 %s, ptr addrspace(1) %po
  ret void
}

; out[g] = in[g] * 2, or nothing that anybody may rely on where in[g] is negative
define spir_kernel void @trusts(ptr addrspace(1) %in, ptr addrspace(1) %out) !intel_reqd_sub_group_size !0 {
  %g = call i64 @zeroth.global_id(i32 0)
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %g
  %v = load i32, ptr addrspace(1) %pi
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  switch i32 %v, label %go [ i32 -1, label %never
                             i32 -2, label %never_too ]
never:
  %a = atomicrmw add ptr addrspace(1) %po, i32 1 monotonic
  unreachable
never_too:
  %b = atomicrmw add ptr addrspace(1) %po, i32 2 monotonic
  unreachable
go:
  %s = call i32 @zeroth.sub_group.reduce_add.i32(i32 %v)
  store i32 %s, ptr addrspace(1) %po
  ret void
}

!0 = !{i32 16}
)";

class EndlessLoops : public ::testing::TestWithParam<const char*> {};

TEST_P(EndlessLoops, ArePassedWhereNoWorkItemEnters) {
  const auto program = Program::from_text(Kernels);
  constexpr int Items = 16 * 5;
  std::vector<int> in(Items), out(Items), expected(Items);
  for (int i = 0; i < Items; ++i) in[i] = i * i;
  for (int i = 0; i < Items; ++i)
    for (int lane = 0; lane < 16; ++lane) expected[i] += in[i / 16 * 16 + lane];
  EXPECT_EQ(program->kernel(GetParam()).sub_group_size, 16u);
  program->run(GetParam(), Arguments().buffer(in).buffer(out), {{16, 1, 1}, {5, 1, 1}});
  EXPECT_EQ(out, expected);
}

INSTANTIATE_TEST_SUITE_P(, EndlessLoops, ::testing::Values("waits", "trusts"));

} // namespace
} // namespace zeroth::codegen::testing
