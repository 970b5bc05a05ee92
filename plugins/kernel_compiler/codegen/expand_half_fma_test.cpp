// fma on halves in every width against the one exact rounding.
#include "testing/test_program.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernel = R"(
declare i64 @zeroth.global_id(i32)
declare half @llvm.fma.f16(half, half, half)
define spir_kernel void @fused(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %out) {
  %i = call i64 @zeroth.global_id(i32 0)
  %pa = getelementptr half, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr half, ptr addrspace(1) %b, i64 %i
  %pc = getelementptr half, ptr addrspace(1) %c, i64 %i
  %po = getelementptr half, ptr addrspace(1) %out, i64 %i
  %va = load half, ptr addrspace(1) %pa
  %vb = load half, ptr addrspace(1) %pb
  %vc = load half, ptr addrspace(1) %pc
  %v = call half @llvm.fma.f16(half %va, half %vb, half %vc)
  store half %v, ptr addrspace(1) %po
  ret void
})";

bool is_special(uint16_t half) { return (half & 0x7c00) == 0x7c00; }

// A finite half as a multiple of 2^-24.
__int128 steps(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 0x3ff;
  const __int128 magnitude = exponent ? __int128(1024 + fraction) << (exponent - 1) : fraction;
  return half & 0x8000 ? -magnitude : magnitude;
}

// The exact sum is a multiple of 2^-48 below 2^33: rounded once, to nearest even.
uint16_t reference(uint16_t a, uint16_t b, uint16_t c) {
  const __int128 sum = steps(a) * steps(b) + (steps(c) << 24);
  const bool negative_product = (a ^ b) & 0x8000, negative_addend = c & 0x8000;
  if (sum == 0) return negative_product && negative_addend ? 0x8000 : 0;
  const auto magnitude = static_cast<unsigned __int128>(sum < 0 ? -sum : sum);
  int top = 127;
  while (!(magnitude >> top)) --top;
  const int drop = std::max(24, top - 10);
  const auto lost = magnitude & ((static_cast<unsigned __int128>(1) << drop) - 1);
  const auto half_way = static_cast<unsigned __int128>(1) << (drop - 1);
  auto kept = static_cast<uint32_t>(magnitude >> drop);
  if (lost > half_way || (lost == half_way && (kept & 1))) ++kept;
  const uint32_t bits = (static_cast<uint32_t>(drop - 24) << 10) + kept;
  return static_cast<uint16_t>((sum < 0 ? 0x8000 : 0) | std::min(bits, 0x7c00u));
}

uint16_t operand(std::mt19937& random) {
  const auto bits = static_cast<uint16_t>(random());
  switch (random() % 4) {
  case 0: // few bits set: sums that lie half-way
    return bits & 0xff00;
  case 1:
    return (bits & 0x83ff) | (12 + random() % 6) << 10;
  default:
    return bits;
  }
}

class HalfFma : public ::testing::TestWithParam<std::tuple<uint32_t, const char*>> {};

TEST_P(HalfFma, RoundsOnce) {
  CompileOptions options;
  options.width = std::get<0>(GetParam());
  options.cpu.name = std::get<1>(GetParam());
  if (std::string(options.cpu.name) == "native") options.cpu = test_cpu();
  auto program = Program::from_text(Kernel, options);
  constexpr uint32_t count = 1 << 17;
  std::mt19937 random(3);
  std::vector<uint16_t> a(count), b(count), c(count), out(count);
  for (uint32_t i = 0; i < count; ++i) a[i] = operand(random), b[i] = operand(random), c[i] = operand(random);
  for (uint32_t i = 0; i < count / 8; ++i) { // sums near a half-way point, with a product far below
    c[i] = static_cast<uint16_t>((c[i] & 0x83ff) | 20 << 10);
    a[i] = static_cast<uint16_t>((a[i] & 0x83ff) | (9 + i % 4) << 10);
    b[i] = static_cast<uint16_t>((b[i] & 0x8000) | (15 << 10) | (i & 1));
  }
  program->run("fused", Arguments().buffer(a).buffer(b).buffer(c).buffer(out), {{64, 1, 1}, {count / 64, 1, 1}});
  for (uint32_t i = 0; i < count; ++i) {
    if (is_special(a[i]) || is_special(b[i]) || is_special(c[i])) {
      ASSERT_TRUE(is_special(out[i])) << i;
      continue;
    }
    ASSERT_EQ(out[i], reference(a[i], b[i], c[i])) << std::hex << a[i] << " * " << b[i] << " + " << c[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, HalfFma,
                         ::testing::Combine(::testing::Values(1, 8, 16, 64), ::testing::Values("native", "x86-64-v3")));

} // namespace
} // namespace zeroth::codegen::testing
