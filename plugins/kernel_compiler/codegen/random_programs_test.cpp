// Random kernels: every width and engine gives what the plain form with fibers gives.
//   ZEROTH_RANDOM_PROGRAMS=100000 runs that many; ZEROTH_RANDOM_SEED=7 starts there.
#include "testing/random_program.hpp"
#include "testing/test_program.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

uint32_t number(const char* name, uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text ? uint32_t(std::strtoul(text, nullptr, 10)) : otherwise;
}

struct Form {
  uint32_t width;
  const char* engine;
};

std::vector<int> run_random(uint32_t seed, const Form& form, const Launch& launch, int n) {
  CompileOptions options;
  options.width = form.width;
  options.engine = form.engine;
  llvm::LLVMContext context;
  Program program(random_program(context, seed), options);
  if (std::getenv("ZEROTH_TEST_IR")) std::fputs(program.ir().c_str(), stderr);
  std::mt19937 random(seed);
  std::vector<int> in(RandomInputs);
  for (int& value : in) value = int(random() % 64) - 16;
  std::vector<int> out(RandomResults * launch.group_size[0] * launch.group_count[0]);
  program.run(
      "random",
      Arguments().buffer(in).buffer(out).local(program.kernel("random").local_bytes, 4 * launch.group_size[0]).value(n),
      launch);
  return out;
}

TEST(RandomPrograms, AllFormsAgree) {
  const uint32_t first = number("ZEROTH_RANDOM_SEED", 1), count = number("ZEROTH_RANDOM_PROGRAMS", 40);
  for (uint32_t seed = first; seed < first + count; ++seed) {
    uint32_t size = seed % 3 == 0 ? 64 : 1 + seed * 7 % 70;
    Launch launch{{size, 1, 1}, {2, 1, 1}, {}, 1};
    int n = int(seed % 5);
    std::vector<int> expected = run_random(seed, {1, "fiber"}, launch, n);
    for (const Form& form : {Form{1, ""}, Form{16, ""}, Form{32, ""}, Form{8, "fiber"}})
      ASSERT_EQ(expected, run_random(seed, form, launch, n))
          << "seed " << seed << " size " << size << " width " << form.width << " engine " << form.engine;
  }
}

} // namespace
} // namespace zeroth::codegen::testing
