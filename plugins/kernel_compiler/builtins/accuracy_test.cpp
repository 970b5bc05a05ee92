#include "accuracy.hpp"

#include <gtest/gtest.h>

namespace zeroth::accuracy {
namespace {

class Accuracy : public testing::TestWithParam<Function> {};

// OpenCL C 3.0, "Relative error as ULPs", full profile; special values by C99's annex F.
TEST_P(Accuracy, StaysWithinTheFullProfileLimit) {
  const Function& f = GetParam();
  const Measurement m = measure(f, 20000, 1);
  EXPECT_LE(m.worst, f.limit) << "at " << std::hexfloat << m.at_x << ", " << m.at_y;
}

TEST_P(Accuracy, StaysWithinTheHalfPrecisionLimitForAllArguments) {
  const Function& f = GetParam();
  if (!has_half_form(f)) return;
  const Measurement m = measure_half(f);
  EXPECT_LE(m.worst, half_limit(f)) << "at " << std::hexfloat << m.at_x;
  EXPECT_GT(m.samples, 30000u);
}

INSTANTIATE_TEST_SUITE_P(Builtins, Accuracy, testing::ValuesIn(functions()), [](const auto& info) {
  return info.param.name + (info.param.format == Format::F32 ? "_f32" : "_f64");
});

} // namespace
} // namespace zeroth::accuracy
