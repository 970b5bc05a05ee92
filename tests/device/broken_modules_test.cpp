// Whatever a program gives as SPIR-V: an answer within seconds, a build failure with words in the log when it is wrong,
// a living process, and the next good module builds. ZEROTH_MUTANTS: how many modules broken by chance (default 380).
#include "broken_modules.hpp"
#include "fixture.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>

namespace device_tests {
namespace {

constexpr std::uint32_t VariantsOfAKind = 20; // of six kinds
constexpr double MostSeconds = 5;

struct Outcome {
  ze_result_t result;
  std::string log;
  double seconds;
};

// Forces every kernel, so that nothing is put off.
Outcome build(const std::uint32_t* words, std::size_t count) {
  const Device& d = Device::get();
  const ze_module_desc_t desc{ZE_STRUCTURE_TYPE_MODULE_DESC,
                              nullptr,
                              ZE_MODULE_FORMAT_IL_SPIRV,
                              count * 4,
                              reinterpret_cast<const std::uint8_t*>(words),
                              nullptr,
                              nullptr};
  ze_module_handle_t module = nullptr;
  ze_module_build_log_handle_t log = nullptr;
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome{zeModuleCreate(d.context, d.device, &desc, &module, &log), "", 0};
  std::size_t size = 0;
  if (outcome.result == ZE_RESULT_SUCCESS && zeModuleGetNativeBinary(module, &size, nullptr) != ZE_RESULT_SUCCESS)
    outcome.result = ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  size = 0;
  if (log && zeModuleBuildLogGetString(log, &size, nullptr) == ZE_RESULT_SUCCESS) {
    std::string text(size, '\0');
    EXPECT_OK(zeModuleBuildLogGetString(log, &size, text.data()));
    outcome.log = text.c_str();
    EXPECT_OK(zeModuleBuildLogDestroy(log));
  }
  if (module) {
    EXPECT_OK(zeModuleDestroy(module));
  }
  return outcome;
}

void expect_answer(const BrokenModule& module, const std::string& which) {
  // An empty module is a wrong argument, not a wrong module.
  const std::vector<std::uint32_t> words = module.words.empty() ? std::vector<std::uint32_t>{0} : module.words;
  const Outcome outcome = build(words.data(), words.size());
  EXPECT_LT(outcome.seconds, MostSeconds) << which;
  if (module.may_build && outcome.result == ZE_RESULT_SUCCESS) return;
  EXPECT_EQ(outcome.result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE) << which;
  EXPECT_NE(outcome.log, "") << which;
}

std::vector<std::uint32_t> good_module(const std::string& name) {
  const std::vector<std::uint8_t> bytes = read_kernel(name);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

void expect_good_module_builds() {
  const std::vector<std::uint32_t> good = good_module("saxpy");
  EXPECT_EQ(build(good.data(), good.size()).result, ZE_RESULT_SUCCESS);
}

TEST(BrokenModules, OfTheNamedKindsFailWithALog) {
  std::uint32_t variant = 0;
  for (const BrokenModule& module : named_broken_modules(VariantsOfAKind))
    expect_answer(module, module.kind + " " + std::to_string(variant++ % VariantsOfAKind));
  expect_good_module_builds();
}

TEST(BrokenModules, ByChanceNeverHangOrEndTheProcess) {
  const char* wanted = std::getenv("ZEROTH_MUTANTS");
  const std::uint64_t count = wanted ? std::strtoull(wanted, nullptr, 10) : 380;
  std::vector<std::vector<std::uint32_t>> good;
  for (const char* name : {"saxpy", "mandelbrot", "blackscholes", "reduce", "histogram", "sgemm_tiled", "nbody",
                           "subgroup_reduce", "ctlflow", "transpose"})
    good.push_back(good_module(name));
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const BrokenModule module = mutant(seed, good);
    expect_answer(module, module.kind + ", seed " + std::to_string(seed));
    if (seed % 100 == 99) expect_good_module_builds();
  }
}

} // namespace
} // namespace device_tests
