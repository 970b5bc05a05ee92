// The test kernels in every form against the plain one (W = 1).
#include "testing/kernel_cases.hpp"
#include "testing/test_program.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

bool close(float a, float b, float tolerance) {
  return a == b || std::fabs(a - b) <= tolerance * std::max(std::fabs(a), std::fabs(b));
}

Buffers run_case(const KernelCase& test, uint32_t width, const char* engine, bool quick = false) {
  CompileOptions options;
  options.width = width;
  options.engine = engine;
  options.quick = quick;
  auto program = Program::from_opencl(std::string(KERNELS_FOLDER) + "/" + test.file + ".ll", options);
  const KernelCode& code = program->kernel(test.kernel);
  if (width) {
    EXPECT_EQ(code.width, width) << (code.report.notes.empty() ? "" : code.report.notes.front());
  }
  std::mt19937 random(7);
  Buffers buffers;
  test.fill(random, buffers);
  program->run(test.kernel, test.arguments(buffers, code), test.launch);
  return buffers;
}

void expect_same(const KernelCase& test, const Buffers& expected, const Buffers& got) {
  EXPECT_EQ(expected.ints, got.ints);
  for (size_t n = 0; n < expected.floats.size(); ++n)
    for (size_t i = 0; i < expected.floats[n].size(); ++i)
      ASSERT_TRUE(close(expected.floats[n][i], got.floats[n][i], test.tolerance))
          << test.kernel << ": buffer " << n << " at " << i << ": " << expected.floats[n][i]
          << " != " << got.floats[n][i];
}

// With the width that each chooses: what programs run.
TEST(Tiers, QuickAndBestCodeAgreeWithThePlainForm) {
  for (const KernelCase& test : kernel_cases()) {
    const Buffers expected = run_case(test, 1, "fiber");
    expect_same(test, expected, run_case(test, 0, "", true));
    expect_same(test, expected, run_case(test, 0, ""));
  }
}

class EveryForm : public ::testing::TestWithParam<std::tuple<size_t, uint32_t, const char*>> {};

TEST_P(EveryForm, AgreesWithThePlainForm) {
  const KernelCase& test = kernel_cases()[std::get<0>(GetParam())];
  Buffers expected = run_case(test, 1, "fiber");
  expect_same(test, expected, run_case(test, std::get<1>(GetParam()), std::get<2>(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryForm,
                         ::testing::Combine(::testing::Range<size_t>(0, kernel_cases().size()),
                                            ::testing::Values(1, 4, 16, 32, 64), ::testing::Values("", "fiber")),
                         [](const auto& info) {
                           size_t index = std::get<0>(info.param);
                           return std::string(kernel_cases()[index].kernel) + std::to_string(index) + "_w" +
                                  std::to_string(std::get<1>(info.param)) + std::get<2>(info.param);
                         });

} // namespace
} // namespace zeroth::codegen::testing
