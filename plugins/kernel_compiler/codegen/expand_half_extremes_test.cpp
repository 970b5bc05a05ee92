// Smaller and larger ones of halves, plain and atomic, in every width, on machines with and without half arithmetic.
#include "testing/test_program.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare half @llvm.minnum.f16(half, half)
declare half @llvm.maxnum.f16(half, half)
define spir_kernel void @plain(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %low, ptr addrspace(1) %high) {
  %i = call i64 @zeroth.global_id(i32 0)
  %pa = getelementptr half, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr half, ptr addrspace(1) %b, i64 %i
  %va = load half, ptr addrspace(1) %pa
  %vb = load half, ptr addrspace(1) %pb
  %l = call half @llvm.minnum.f16(half %va, half %vb)
  %h = call half @llvm.maxnum.f16(half %va, half %vb)
  %pl = getelementptr half, ptr addrspace(1) %low, i64 %i
  %ph = getelementptr half, ptr addrspace(1) %high, i64 %i
  store half %l, ptr addrspace(1) %pl
  store half %h, ptr addrspace(1) %ph
  ret void
}
define spir_kernel void @atomic(ptr addrspace(1) %a, ptr addrspace(1) %all, ptr addrspace(1) %odd) {
  %i = call i64 @zeroth.global_id(i32 0)
  %pa = getelementptr half, ptr addrspace(1) %a, i64 %i
  %va = load half, ptr addrspace(1) %pa
  %high = getelementptr half, ptr addrspace(1) %all, i64 1
  %1 = atomicrmw fmin ptr addrspace(1) %all, half %va monotonic
  %2 = atomicrmw fmax ptr addrspace(1) %high, half %va seq_cst
  %bit = and i64 %i, 1
  %is_odd = icmp eq i64 %bit, 1
  br i1 %is_odd, label %then, label %end
then:
  %old = atomicrmw fmin ptr addrspace(1) %odd, half %va seq_cst
  store half %old, ptr addrspace(1) %pa
  br label %end
end:
  ret void
})";

float value(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 0x3ff;
  const float sign = half & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp(1024.0f + float(fraction), exponent - 25) : std::ldexp(float(fraction), -24));
}

// Equal numbers, two zeros, or two NaNs.
bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

class HalfExtremes : public ::testing::TestWithParam<std::tuple<uint32_t, const char*>> {
protected:
  std::unique_ptr<Program> program() {
    CompileOptions options;
    options.width = std::get<0>(GetParam());
    options.cpu.name = std::get<1>(GetParam());
    if (std::string(options.cpu.name) == "native") options.cpu = test_cpu();
    return Program::from_text(Kernels, options);
  }
};

constexpr uint32_t Count = 1 << 14;

TEST_P(HalfExtremes, OfTwoAndTheNumberOfANumberAndANaN) {
  std::mt19937 random(5);
  std::vector<uint16_t> a(Count), b(Count), low(Count), high(Count);
  for (uint32_t i = 0; i < Count; ++i) {
    a[i] = static_cast<uint16_t>(i % 16 ? random() : 0x7e00 | (random() & 0x8000));
    b[i] = static_cast<uint16_t>(i % 24 ? random() : 0x7e00 | (random() & 0x8000));
  }
  program()->run("plain", Arguments().buffer(a).buffer(b).buffer(low).buffer(high), {{64, 1, 1}, {Count / 64, 1, 1}});
  for (uint32_t i = 0; i < Count; ++i) {
    const float x = value(a[i]), y = value(b[i]);
    ASSERT_TRUE(same(value(low[i]), std::fmin(x, y))) << x << ' ' << y << ' ' << value(low[i]);
    ASSERT_TRUE(same(value(high[i]), std::fmax(x, y))) << x << ' ' << y << ' ' << value(high[i]);
  }
}

TEST_P(HalfExtremes, OfManyByAtomics) {
  std::mt19937 random(6);
  std::vector<uint16_t> a(Count), all = {0x7c00, 0xfc00}, odd = {0xfe00}; // infinities, NaN
  for (uint32_t i = 0; i < Count; ++i) a[i] = static_cast<uint16_t>(random() & 0xbfff);
  float low = INFINITY, high = -INFINITY, low_odd = INFINITY;
  for (uint32_t i = 0; i < Count; ++i) {
    low = std::fmin(low, value(a[i]));
    high = std::fmax(high, value(a[i]));
    if (i % 2) low_odd = std::fmin(low_odd, value(a[i]));
  }
  program()->run("atomic", Arguments().buffer(a).buffer(all).buffer(odd), {{64, 1, 1}, {Count / 64, 1, 1}});
  EXPECT_EQ(value(all[0]), low);
  EXPECT_EQ(value(all[1]), high);
  EXPECT_EQ(value(odd[0]), low_odd);
  uint32_t nans = 0;
  for (uint32_t i = 1; i < Count; i += 2) nans += std::isnan(value(a[i]));
  EXPECT_EQ(nans, 1u) << "one work-item saw what was there before";
}

INSTANTIATE_TEST_SUITE_P(Widths, HalfExtremes,
                         ::testing::Combine(::testing::Values(1, 8, 16, 64), ::testing::Values("native", "x86-64-v3")));

} // namespace
} // namespace zeroth::codegen::testing
