// Generic pointers find their space, also where global memory lies right behind work-group memory or on a stack.
#include "../run_groups.h"
#include "testing/test_program.hpp"

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

// out[4 g …]: 4 for to_local, 2 for to_global, 1 for to_private of a pointer; before and after a barrier.
constexpr std::string_view Kernel = R"(
declare i64 @zeroth.global_id(i32)
declare void @zeroth.barrier(i32, i32, i32) convergent
declare ptr addrspace(3) @zeroth.to_local(ptr addrspace(4))
declare ptr addrspace(1) @zeroth.to_global(ptr addrspace(4))
declare ptr @zeroth.to_private(ptr addrspace(4))

define internal spir_func i32 @spaces(ptr addrspace(4) %p) {
  %l = call ptr addrspace(3) @zeroth.to_local(ptr addrspace(4) %p)
  %g = call ptr addrspace(1) @zeroth.to_global(ptr addrspace(4) %p)
  %v = call ptr @zeroth.to_private(ptr addrspace(4) %p)
  %is_l = icmp ne ptr addrspace(3) %l, null
  %is_g = icmp ne ptr addrspace(1) %g, null
  %is_v = icmp ne ptr %v, null
  %n_l = select i1 %is_l, i32 4, i32 0
  %n_g = select i1 %is_g, i32 2, i32 0
  %n_v = select i1 %is_v, i32 1, i32 0
  %s = add i32 %n_l, %n_g
  %t = add i32 %s, %n_v
  ret i32 %t
}

define spir_kernel void @test(ptr addrspace(1) %out, ptr addrspace(3) %local, ptr addrspace(1) %near) {
  %own = alloca [8 x i32]
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %slot = getelementptr [8 x i32], ptr %own, i64 0, i64 3
  store volatile i32 %t, ptr %slot
  %generic_local = addrspacecast ptr addrspace(3) %local to ptr addrspace(4)
  %generic_near = addrspacecast ptr addrspace(1) %near to ptr addrspace(4)
  %generic_own = addrspacecast ptr %slot to ptr addrspace(4)
  %a = call spir_func i32 @spaces(ptr addrspace(4) %generic_local)
  %b = call spir_func i32 @spaces(ptr addrspace(4) %generic_near)
  %c = call spir_func i32 @spaces(ptr addrspace(4) %generic_own)
  call void @zeroth.barrier(i32 2, i32 2, i32 272)
  %d = call spir_func i32 @spaces(ptr addrspace(4) %generic_own)
  %first = mul i64 %g, 4
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %first
  store i32 %a, ptr addrspace(1) %p
  %pb = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 %b, ptr addrspace(1) %pb
  %pc = getelementptr i32, ptr addrspace(1) %p, i64 2
  store i32 %c, ptr addrspace(1) %pc
  %pd = getelementptr i32, ptr addrspace(1) %p, i64 3
  store i32 %d, ptr addrspace(1) %pd
  ret void
})";

constexpr uint32_t Items = 24;

void expect_spaces(const Program& program, const void* near) {
  std::vector<uint32_t> out(4 * Items);
  program.run("test", Arguments().buffer(out).local(0, 128).value(near), {{Items / 2, 1, 1}, {2, 1, 1}});
  for (uint32_t i = 0; i < out.size(); ++i) {
    const uint32_t expected[] = {4, 2, 1, 1};
    ASSERT_EQ(out[i], expected[i % 4]) << i;
  }
}

TEST(PointerSpaces, OfLocalGlobalAndPrivateMemoryInEveryForm) {
  int on_the_stack = 0;
  const int in_the_heap = 0;
  for (uint32_t width : {0u, 1u, 8u}) {
    CompileOptions options;
    if (width) options.width = width;
    auto program = Program::from_text(Kernel, options);
    expect_spaces(*program, &on_the_stack);
    expect_spaces(*program, std::make_unique<int>(in_the_heap).get());
  }
}

// The memory behind a work-group's belongs to the program.
TEST(PointerSpaces, EndWithTheWorkGroupsMemory) {
  auto program = Program::from_text(Kernel);
  alignas(128) static uint8_t block[4096], scratch[1 << 16];
  std::vector<uint32_t> out(4);
  const auto arguments = Arguments().buffer(out).local(0, 128).value(&block[128]);
  zeroth_launch launch{};
  launch.arguments = arguments.data();
  launch.work_dim = 1;
  for (int d = 0; d < 3; ++d) launch.group_size[d] = launch.group_count[d] = 1;
  constexpr zeroth_services Services{nullptr, nullptr, nullptr, nullptr, zeroth_run_groups};
  zeroth_worker worker{&Services, block, scratch, nullptr, 128, sizeof scratch};
  program->entry("test")(&launch, &worker, 0, 1);
  EXPECT_EQ(out, (std::vector<uint32_t>{4, 2, 1, 1}));
}

} // namespace
} // namespace zeroth::codegen::testing
