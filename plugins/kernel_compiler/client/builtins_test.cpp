// Built-in functions and printf as kernels get them: linked in, inlined, widened.
#include "../run_groups.h"
#include "test_support.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace zeroth::compiler {
namespace {

using namespace testing;

constexpr size_t functions = 44, groups = 3, group_size = 50, items = groups * group_size;

ModulePtr compile_width(const std::string& name, uint32_t width, bool quick = false) {
  Compiler compiler(options_without_cache());
  const auto spirv = own_kernel(name);
  CompileRequest request = request_for(spirv);
  request.vector_width = width;
  request.quick = quick;
  return compiler.compile(request);
}

template <class T> std::vector<T> arguments(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values;
  for (size_t i = 0; i < items; ++i) {
    const double size = std::exp2(std::uniform_real_distribution(-30.0, 30.0)(random));
    values.push_back(static_cast<T>(i % 3 == 0 ? size : i % 3 == 1 ? -size : std::ldexp(double(random() >> 40), -23)));
  }
  const T specials[] = {0,
                        -T(0),
                        1,
                        -1,
                        T(0.5),
                        std::numeric_limits<T>::infinity(),
                        -std::numeric_limits<T>::infinity(),
                        std::numeric_limits<T>::quiet_NaN(),
                        std::numeric_limits<T>::denorm_min(),
                        std::numeric_limits<T>::max()};
  std::copy(std::begin(specials), std::end(specials), values.begin());
  return values;
}

template <class T> std::vector<T> results(const KernelInfo& kernel) {
  std::vector<T> out(functions * items), x = arguments<T>(5), y = arguments<T>(6);
  std::rotate(y.begin(), y.begin() + 3, y.end());
  const void* values[] = {out.data(), x.data(), y.data(), reinterpret_cast<const void*>(items)};
  const auto raw = std::as_bytes(std::span(values));
  run(kernel, {raw.begin(), raw.end()}, groups, group_size);
  return out;
}

template <class T> bool same_bits(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T> void expect_equal_forms(const std::string& kernel) {
  const ModulePtr plain = compile_width("mathematics", 1), wide = compile_width("mathematics", 0);
  ASSERT_EQ(plain->kernel(kernel)->width, 1u);
  const auto expected = results<T>(*plain->kernel(kernel)), got = results<T>(*wide->kernel(kernel));
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(same_bits(expected[i], got[i]))
        << "function " << i / items << " item " << i % items << ": " << expected[i] << " and " << got[i];
  // Spot checks against the C library, so that both cannot be wrong together.
  const auto x = arguments<T>(5);
  for (size_t i = 10; i < items; ++i) {
    EXPECT_NEAR(got[8 * items + i], std::sin(x[i]), 1e-6) << x[i];
    EXPECT_NEAR(got[16 * items + i], std::atan(x[i]), 1e-6) << x[i];
    EXPECT_NEAR(got[26 * items + i], std::erf(x[i]), 1e-6) << x[i];
  }
}

TEST(Builtins, WidenedSinglePrecisionEqualsThePlainForm) { expect_equal_forms<float>("mathematics32"); }
TEST(Builtins, WidenedDoublePrecisionEqualsThePlainForm) { expect_equal_forms<double>("mathematics64"); }

// Machines without SSE4.1 and fused operations: what they lack comes from the run-time archive.
TEST(Builtins, OldestCpuGivesTheSameWithinRounding) {
  Compiler compiler(options_without_cache());
  const auto spirv = own_kernel("mathematics");
  CompileRequest request = request_for(spirv);
  request.cpu.name = "x86-64";
  const ModulePtr old = compiler.compile(request), wide = compile_width("mathematics", 0);
  const auto got = results<float>(*old->kernel("mathematics32")),
             expected = results<float>(*wide->kernel("mathematics32"));
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!std::isfinite(expected[i]) || std::fabs(expected[i]) > 1e30f) continue;
    EXPECT_NEAR(got[i], expected[i], 2e-6 * std::fabs(expected[i]) + 1e-30) << "function " << i / items;
  }
}

std::string printed;

// What a kernel prints for 40 items in groups of ten.
std::string prints(const KernelInfo& kernel, const std::vector<int>& in) {
  EXPECT_TRUE(kernel.uses_printf);
  printed.clear();
  const int* pointer = in.data();
  const auto raw = std::as_bytes(std::span(&pointer, 1));
  zeroth_services services{};
  services.run_groups = zeroth_run_groups;
  services.print = [](const zeroth_launch*, const char* text, size_t length) { printed.append(text, length); };
  run(kernel, {raw.begin(), raw.end()}, 4, 10, services);
  return printed;
}

std::vector<int> numbers() {
  std::vector<int> in(40);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i) * 3 - 7;
  return in;
}

TEST(Builtins, PrintfGivesOneWholeLinePerItemInOrder) {
  std::string expected;
  for (int value : numbers()) {
    char line[100];
    snprintf(line, sizeof line, "%d: text %5.2f 1,2,3,%d %%\n", value, value * 0.5, value);
    expected += line;
  }
  for (bool quick : {false, true})
    EXPECT_EQ(prints(*compile_width("printing", 0, quick)->kernel("printing"), numbers()), expected) << quick;
}

TEST(Builtins, PrintfOfKernelsCompiledWhenAskedForIsThatOfTheWholeModule) {
  CompilerOptions options = options_without_cache();
  options.patience = {};
  Compiler compiler(options);
  const auto spirv = own_kernel("many_prints");
  const ModulePtr whole = compiler.compile(request_for(spirv)), lazy = compiler.open(request_for(spirv));
  for (const char* name : {"print3", "print0", "print2"}) {
    const auto number = static_cast<size_t>(lazy->kernel(name) - lazy->kernels().data());
    const std::string expected = prints(*whole->kernel(name), numbers());
    EXPECT_EQ(prints(*lazy->prepare(number).load(), numbers()), expected) << name;
    EXPECT_NE(expected.find(std::string("kernel ") + name[5] + ": "), std::string::npos) << expected;
  }
}

} // namespace
} // namespace zeroth::compiler
