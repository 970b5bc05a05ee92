// The short way to the worst of all arguments comes to the same as the long one.
#include "all_arguments.hpp"
#include "fast_references.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace zeroth::accuracy {
namespace {

std::vector<Function> functions_of_one_float() {
  std::vector<Function> chosen;
  for (const Function& function : functions())
    if (function.f32) chosen.push_back(function);
  return chosen;
}

class AllArgumentsOf : public testing::TestWithParam<Function> {};

// Relative errors below 2^-40, or differences that no float can show.
TEST_P(AllArgumentsOf, HaveFastReferencesThatAreCloseEnough) {
  const Function& f = GetParam();
  const ManyReferences fast = fast_reference(f.name);
  ASSERT_NE(fast, nullptr);
  constexpr uint32_t step = 40961;
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += step) {
    const float x = std::bit_cast<float>(uint32_t(bits));
    if (!is_comparable(f, x, 0)) continue;
    const double wide = x, truth = f.reference32(wide);
    double got = 0;
    fast(&wide, &got, 1);
    if (std::isnan(truth) || std::isinf(truth) || truth == 0)
      ASSERT_TRUE(std::isnan(truth) ? std::isnan(got) : float(got) == float(truth)) << std::hexfloat << x;
    else
      ASSERT_LE(std::fabs(got - truth), std::max(std::fabs(truth) * 0x1p-40, 0x1p-170)) << std::hexfloat << x;
  }
}

TEST_P(AllArgumentsOf, HaveTheWorstThatEachOneByItselfHas) {
  const Function& f = GetParam();
  constexpr uint64_t step = 4099;
  CompiledBuiltin compiled(f.name);
  EXPECT_GT(compiled.width(), 1u);
  Measurement plain;
  std::array<float, CompiledBuiltin::block> arguments;
  for (uint64_t block = 0; block < Blocks::all; block += step) {
    for (size_t i = 0; i < arguments.size(); ++i)
      arguments[i] = std::bit_cast<float>(uint32_t(block * CompiledBuiltin::block + i));
    const auto& got = compiled(arguments);
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!is_comparable(f, arguments[i], 0)) continue;
      ++plain.samples;
      plain.worst = std::max(plain.worst, error_of_result(f, arguments[i], got[i]));
    }
  }
  const Measurement quick = measure_blocks(f, {0, step});
  EXPECT_EQ(quick.worst, plain.worst);
  EXPECT_EQ(quick.samples, plain.samples);
  EXPECT_LE(quick.worst, f.limit);
}

INSTANTIATE_TEST_SUITE_P(Builtins, AllArgumentsOf, testing::ValuesIn(functions_of_one_float()),
                         [](const auto& info) { return info.param.name; });

} // namespace
} // namespace zeroth::accuracy
