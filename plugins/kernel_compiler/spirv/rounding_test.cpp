// Conversions with a rounding mode against the machine's own, set to that mode. Runs the whole compiler.
#include "../client/test_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace zeroth::compiler {
namespace {

namespace support = zeroth::compiler::testing;

constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

// The machine's conversion in a mode; volatile keeps the compiler from doing it itself.
template <class To, class From> To convert(From value, int mode) {
  volatile From from = value;
  std::fesetround(mode);
  volatile To to = static_cast<To>(from);
  std::fesetround(FE_TONEAREST);
  return to;
}

std::vector<int64_t> integers() {
  constexpr int64_t top = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> list = {0,
                               1,
                               -1,
                               16777217,
                               -16777217,
                               2147483647,
                               -2147483648LL,
                               top,
                               -top,
                               -top - 1,
                               top - 1,
                               (int64_t{1} << 53) + 1,
                               -(int64_t{1} << 53) - 1,
                               0x7FFFFFBFFFFFFFFF,
                               0x7FFFFFC000000000,
                               0xFFFFFFFF};
  std::mt19937_64 random(1);
  while (list.size() < 4096) list.push_back(int64_t(random()) >> (random() % 64));
  return list;
}

std::vector<double> doubles() {
  std::vector<double> list = {
      0.0, -0.0, 1e-300, -1e-300, 1e300, -1e300, 0.1, -0.1, 3.4028235677973366e38, 1.401298464324817e-45,
      0.5, 1.5,  2.5,    1e-40};
  list.push_back(std::numeric_limits<double>::infinity());
  list.push_back(-std::numeric_limits<double>::infinity());
  std::mt19937_64 random(2);
  while (list.size() < 4096) list.push_back(std::ldexp(double(int64_t(random())), int(random() % 340) - 230));
  return list;
}

TEST(Rounding, OfConversionsIsTheMachinesInEveryMode) {
  Compiler compiler(support::options_without_cache());
  const std::vector<std::byte> spirv = support::kernel_file("rounding.O2");
  const ModulePtr module = compiler.compile(support::request_for(spirv));
  const KernelInfo* kernel = module->kernel("rounding");
  ASSERT_TRUE(kernel && kernel->entry);
  const std::vector<int64_t> n = integers();
  const std::vector<double> d = doubles();
  std::vector<float> f(n.size() * 12);
  std::vector<double> w(n.size() * 4);
  std::vector<int32_t> rounded(n.size());
  const void* pointers[] = {n.data(), d.data(), f.data(), w.data(), rounded.data()};
  std::vector<std::byte> arguments(sizeof pointers);
  std::memcpy(arguments.data(), pointers, sizeof pointers);
  support::run(*kernel, arguments, uint32_t(n.size() / 64), 64);
  const auto same = [](auto a, auto b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  for (size_t i = 0; i < n.size(); ++i) {
    for (size_t m = 0; m < 4; ++m) {
      EXPECT_TRUE(same(f[12 * i + m], convert<float>(n[i], modes[m])))
          << n[i] << " mode " << m << " gives " << f[12 * i + m];
      EXPECT_TRUE(same(f[12 * i + 4 + m], convert<float>(d[i], modes[m])))
          << d[i] << " mode " << m << " gives " << f[12 * i + 4 + m];
      const float narrow = m == 2 ? convert<float>(uint32_t(n[i]), modes[m]) : convert<float>(int32_t(n[i]), modes[m]);
      EXPECT_TRUE(same(f[12 * i + 8 + m], narrow)) << int32_t(n[i]) << " mode " << m;
      const double wide = m == 2 ? convert<double>(uint64_t(n[i]), modes[m]) : convert<double>(n[i], modes[m]);
      EXPECT_TRUE(same(w[4 * i + m], wide)) << n[i] << " mode " << m;
    }
    const double clamped = std::clamp(std::nearbyint(d[i]), -2147483648.0, 2147483647.0);
    EXPECT_EQ(rounded[i], int32_t(clamped)) << d[i];
  }
}

} // namespace
} // namespace zeroth::compiler
