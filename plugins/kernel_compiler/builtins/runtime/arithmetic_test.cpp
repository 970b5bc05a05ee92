#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>

// Under the names that the test's own compiler does not use for itself (see CMakeLists.txt).
extern "C" {
float runtime_fmaf(float, float, float);
double runtime_fma(double, double, double);
unsigned __int128 runtime_udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 runtime_umodti3(unsigned __int128, unsigned __int128);
__int128 runtime_divti3(__int128, __int128);
__int128 runtime_modti3(__int128, __int128);
}

namespace {

template <class T> T any_number(std::mt19937_64& random) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<float>(static_cast<uint32_t>(random()));
  } else {
    // Exponents close to each other half of the time: that is where rounding is hard.
    const uint64_t b = random();
    return std::bit_cast<double>(random() & 1 ? b : (b & 0x800fffffffffffff) | (1000 + b % 64) << 52);
  }
}

template <class T> bool same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

TEST(SoftArithmetic, FusedMultiplyAddRoundsOnce) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300000; ++i) {
    const auto a = any_number<float>(random), b = any_number<float>(random), c = any_number<float>(random);
    EXPECT_TRUE(same(runtime_fmaf(a, b, c), std::fma(a, b, c))) << std::hexfloat << a << " " << b << " " << c;
    const auto x = any_number<double>(random), y = any_number<double>(random);
    auto z = any_number<double>(random);
    if (i % 3 == 0) z = -x * y;
    EXPECT_TRUE(same(runtime_fma(x, y, z), std::fma(x, y, z))) << std::hexfloat << x << " " << y << " " << z;
  }
}

TEST(SoftArithmetic, WideDivisionIsExact) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    const auto wide = [&] { return ((unsigned __int128)(random()) << 64 | random()) >> random() % 127; };
    const unsigned __int128 a = wide(), b = wide() | 1;
    EXPECT_TRUE(runtime_udivti3(a, b) == a / b);
    EXPECT_TRUE(runtime_umodti3(a, b) == a % b);
    const __int128 sa = random() & 1 ? __int128(a) : -__int128(a), sb = random() & 1 ? __int128(b) : -__int128(b);
    EXPECT_TRUE(runtime_divti3(sa, sb) == sa / sb);
    EXPECT_TRUE(runtime_modti3(sa, sb) == sa % sb);
  }
}

} // namespace
