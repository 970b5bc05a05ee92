// Which loads Zen 4 gets in halves.
#include "testing/test_program.hpp"

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)

define spir_kernel void @stream(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %g = call i64 @zeroth.global_id(i32 0)
  %pi = getelementptr float, ptr addrspace(1) %in, i64 %g
  %v = load float, ptr addrspace(1) %pi
  %w = fadd float %v, 1.0
  %po = getelementptr float, ptr addrspace(1) %out, i64 %g
  store float %w, ptr addrspace(1) %po
  ret void
}
)";

constexpr std::string_view Neighbours = R"(
declare i64 @zeroth.global_id(i32)

define spir_kernel void @neighbours(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %g = call i64 @zeroth.global_id(i32 0)
  %pi = getelementptr float, ptr addrspace(1) %in, i64 %g
  %v = load float, ptr addrspace(1) %pi
  %pn = getelementptr float, ptr addrspace(1) %pi, i64 1
  %n = load float, ptr addrspace(1) %pn
  %w = fadd float %v, %n
  %po = getelementptr float, ptr addrspace(1) %out, i64 %g
  store float %w, ptr addrspace(1) %po
  ret void
}
)";

constexpr std::string_view Tile = R"(
declare i64 @zeroth.global_id(i32)
declare i64 @zeroth.local_id(i32)
declare void @zeroth.barrier(i32, i32, i32) convergent

@tile = internal addrspace(3) global [64 x float] undef

define spir_kernel void @tile_filler(ptr addrspace(1) %in, ptr addrspace(1) %out) !reqd_work_group_size !0 {
  %g = call i64 @zeroth.global_id(i32 0)
  %l = call i64 @zeroth.local_id(i32 0)
  %pi = getelementptr float, ptr addrspace(1) %in, i64 %g
  %v = load float, ptr addrspace(1) %pi
  %pt = getelementptr float, ptr addrspace(3) @tile, i64 %l
  store float %v, ptr addrspace(3) %pt
  call void @zeroth.barrier(i32 2, i32 2, i32 272)
  %r = xor i64 %l, 63
  %pr = getelementptr float, ptr addrspace(3) @tile, i64 %r
  %w = load float, ptr addrspace(3) %pr
  %po = getelementptr float, ptr addrspace(1) %out, i64 %g
  store float %w, ptr addrspace(1) %po
  ret void
}

!0 = !{i32 64, i32 1, i32 1}
)";

bool has_halves(std::string_view kernels, const char* cpu) {
  std::string ir;
  CompileOptions options;
  options.cpu.name = cpu;
  options.cpu.features = "";
  options.width = 16;
  options.ir = &ir;
  llvm::LLVMContext context;
  const auto module = parse(context, kernels);
  compile_to_object(*module, options);
  return ir.find("load volatile <8 x float>") != std::string::npos;
}

TEST(HalveLoads, StreamsOfZen4AreReadInHalfLines) { EXPECT_TRUE(has_halves(Kernels, "znver4")); }

TEST(HalveLoads, OtherMachinesReadWholeLines) {
  for (const char* cpu : {"x86-64-v4", "sapphirerapids", "znver5", "x86-64-v3"}) EXPECT_FALSE(has_halves(Kernels, cpu));
}

TEST(HalveLoads, LinesThatNeighboursShareAreReadWhole) { EXPECT_FALSE(has_halves(Neighbours, "znver4")); }

TEST(HalveLoads, LinesOfTilesAreReadWhole) { EXPECT_FALSE(has_halves(Tile, "znver4")); }

} // namespace
} // namespace zeroth::codegen::testing
