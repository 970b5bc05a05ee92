// Which kernels cannot tell that groups side by side are one.
#include "unnoticed_groups.hpp"

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

define spir_kernel void @asks_sizes(ptr addrspace(1) %out) {
  %x = call i64 @zeroth.global_id(i32 0)
  %w = call i64 @zeroth.global_size(i32 0)
  %s = call i64 @zeroth.local_size(i32 0)
  %v = add i64 %w, %s
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %x
  store i64 %v, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @asks_local(ptr addrspace(1) %out) {
  %x = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %x
  store i64 %l, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @asks_group(ptr addrspace(1) %out) {
  %g = call i64 @zeroth.group_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %g
  store i64 %g, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @asks_other_rows(ptr addrspace(1) %out) {
  %x = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 1)
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %x
  store i64 %l, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @waits(ptr addrspace(1) %lock) {
  br label %loop
loop:
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 seq_cst
  %taken = icmp ne i32 %old, 0
  br i1 %taken, label %loop, label %end
end:
  store atomic i32 0, ptr addrspace(1) %lock seq_cst, align 4
  ret void
}

define spir_kernel void @uses_local(ptr addrspace(3) %tmp, ptr addrspace(1) %out) {
  %x = call i64 @zeroth.global_id(i32 0)
  %v = load i32, ptr addrspace(3) %tmp
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %v, ptr addrspace(1) %p
  ret void
}
)";

TEST(UnnoticedGroups, AreThoseOfKernelsThatAskForNothingOfTheirRow) {
  llvm::LLVMContext context;
  auto module = parse(context, Kernels);
  auto is_marked = [&](const char* name) {
    llvm::Function& kernel = *module->getFunction(name);
    mark_unnoticed_groups(kernel);
    return groups_go_unnoticed(kernel);
  };
  for (const char* kernel : {"asks_sizes", "asks_other_rows"}) EXPECT_TRUE(is_marked(kernel)) << kernel;
  for (const char* kernel : {"asks_local", "asks_group", "waits", "uses_local"})
    EXPECT_FALSE(is_marked(kernel)) << kernel;
}

} // namespace
} // namespace zeroth::codegen::testing
