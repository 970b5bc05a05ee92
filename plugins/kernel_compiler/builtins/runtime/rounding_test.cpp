#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>

// Under the names that CMakeLists.txt gives them for this test.
#define ROUNDING(name)                                                                                                 \
  float runtime_##name##f(float);                                                                                      \
  double runtime_##name(double);
extern "C" {
ROUNDING(rint)
ROUNDING(trunc)
ROUNDING(floor)
ROUNDING(ceil)
ROUNDING(round)
}

namespace {

template <class T> bool same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

template <class T> void compare(T x, T (*const ours[5])(T)) {
  T (*const theirs[5])(T) = {std::rint, std::trunc, std::floor, std::ceil, std::round};
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(same(ours[i](x), theirs[i](x))) << i << " " << std::hexfloat << x;
}

TEST(SoftRounding, EqualsTheCLibrary) {
  float (*const single[5])(float) = {runtime_rintf, runtime_truncf, runtime_floorf, runtime_ceilf, runtime_roundf};
  double (*const wide[5])(double) = {runtime_rint, runtime_trunc, runtime_floor, runtime_ceil, runtime_round};
  std::mt19937_64 random(6);
  for (int i = 0; i < 200000; ++i) {
    compare(std::bit_cast<float>(static_cast<uint32_t>(random())), single);
    compare(std::bit_cast<double>(random()), wide);
    compare(static_cast<float>(static_cast<int>(random() % 400) - 200) * 0.25f, single);
    compare(static_cast<double>(static_cast<int>(random() % 400) - 200) * 0.25, wide);
  }
  for (double x : {0.0, -0.0, 0.49999999999999994, -0.49999999999999994, 4503599627370495.5, 4503599627370496.0})
    compare(x, wide);
  for (float x : {0.0f, -0.0f, 0.49999997f, -0.49999997f, 8388607.5f, 8388608.0f}) compare(x, single);
}

} // namespace
