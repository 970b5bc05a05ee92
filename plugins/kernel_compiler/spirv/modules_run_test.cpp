// The modules of extensions (modules/) compiled and run: what u[0] and f[0] become, and more where sub-groups are full.
#include "../client/test_support.hpp"
#include "../run_groups.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace zeroth::compiler {
namespace {

namespace support = zeroth::compiler::testing;

struct Cells {
  uint32_t u;
  float f;
};

struct Case {
  const char* module;
  Cells before;
  Cells after;
};

// Bit patterns by hand: 0x80C2 0301 has bytes 1, 3, -62, -128; their squares sum to 20238; unsigned 1, 3, 194, 128:
// 54030.
const Case cases[] = {
    {"no_integer_wrap", {41, 0}, {42, 0}},
    {"expect_assume", {5, 0}, {5, 0}},
    {"float_controls", {0, 1.5f}, {0, 3.0f}},
    {"integer_dot_product", {0x80C20301u, 0}, {20238u + 54030u, 0}},
    {"linkonce_odr", {21, 0}, {42, 0}},
    {"non_semantic_info", {0, 0}, {7, 0}},
    {"uniform_group_instructions", {9, 0}, {9, 0}},
    {"atomic_float", {0, 2.5f}, {0, 5.0f}},
    {"function_pointers", {21, 0}, {42, 0}},
    {"kernel_attributes", {0, 0}, {7, 0}},
    {"arbitrary_precision_integers", {8191, 0}, {(8191u * 21u) % 8192u, 0}},
    {"odd_width_scans", {5, 0}, {0xFFFFFF, 0}},
    {"usm_storage_classes", {0, 0}, {7, 0}},
    {"split_barrier", {0, 0}, {7, 0}},
    {"memory_access_aliasing", {3, 4}, {3, 4}},
    {"long_composites", {0, 0}, {7, 0}},
    {"variable_length_array", {77, 0}, {77, 0}},
    {"bfloat16_conversion", {0, 1.00390625f}, {0, 1.0f}},
    {"fast_math", {0, 3}, {0, 18}},
    {"arithmetic_fence", {0, 3}, {0, 18}},
    {"optnone", {21, 0}, {42, 0}},
    {"spec_constants", {0, 0}, {12, 0}},
    {"array_lengths", {0, 0}, {3, 0}},
    {"debug_lines", {1, 0}, {2, 0}},
    {"debug_opencl", {1, 0}, {2, 0}},
    {"debug_shader", {1, 0}, {2, 0}},
    {"block_order", {3, 0}, {7, 0}},
    {"block_order", {30, 0}, {30, 0}},
    {"subgroup_rotate", {8, 0}, {8, 0}},
    {"cache_controls", {0, 0}, {7, 0}},
    {"masked_gather_scatter", {5, 0}, {5, 0}},
    {"global_variable_host_access", {0, 0}, {7, 0}},
    {"leaked_intrinsic", {5, 0}, {4, 0}},
    {"leaked_intrinsic", {0, 0}, {0, 0}},
    {"private_variables", {5, 0}, {12, 0}},
    // Fused, the product's rounding error would be left over.
    {"float_controls2", {0, 1.0000001f}, {0, 0}},
    {"saturating_imports", {310, 0}, {10 + 32767, 0}},
    {"saturating_imports", {900, 0}, {255 + 32767, 0}},
    {"saturating_imports", {100, 0}, {0 + 32767, 0}},
    // 0x12345678 reversed is 0x1e6a2c48; its bits 1 to 7 are 0x24, whose low three go to bits 2 to 4: 0x50 in the low
    // seven bits, which as a signed number is -48.
    {"bit_instructions", {0x12345678u, 0}, {uint32_t(-48), 0}},
};

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return info.param.module + std::string("_") + std::to_string(info.index);
}

class ModulesRun : public ::testing::TestWithParam<Case> {};

TEST_P(ModulesRun, GiveTheResultThatTheyPromise) {
  const Case& c = GetParam();
  Compiler compiler(support::options_without_cache());
  const std::vector<std::byte> spirv = support::kernel_file(c.module);
  const ModulePtr module = compiler.compile(support::request_for(spirv));
  const KernelInfo* kernel = module->kernel(c.module);
  ASSERT_TRUE(kernel && kernel->entry);
  std::vector<uint32_t> u(4096, c.before.u);
  std::vector<float> f(4096, c.before.f);
  std::vector<std::byte> arguments(16);
  const void* pointers[] = {u.data(), f.data()};
  std::memcpy(arguments.data(), pointers, 16);
  support::run(*kernel, arguments, 1, 1);
  EXPECT_EQ(u[0], c.after.u);
  EXPECT_EQ(f[0], c.after.f);
}

INSTANTIATE_TEST_SUITE_P(Extensions, ModulesRun, ::testing::ValuesIn(cases), name_of);

// One full sub-group of the size that the compiler chose.
struct FullSubGroup {
  explicit FullSubGroup(const char* name) : spirv(support::kernel_file(name)) {
    module = Compiler(support::options_without_cache()).compile(support::request_for(spirv));
    kernel = module->kernel(name);
    lanes = kernel->sub_group_size;
    for (uint32_t i = 0; i < 4096; ++i) u.push_back(i + 5);
  }
  void run(const zeroth_services& services = {}) {
    std::vector<float> f(4096, 1);
    std::vector<std::byte> arguments(16);
    const void* pointers[] = {u.data(), f.data()};
    std::memcpy(arguments.data(), pointers, 16);
    support::run(*kernel, arguments, 1, lanes, services);
  }
  std::vector<std::byte> spirv;
  ModulePtr module;
  const KernelInfo* kernel;
  uint32_t lanes;
  std::vector<uint32_t> u;
};

// Shuffles of what is the same everywhere change nothing; the block of four has its first row plus u[0] as its last.
TEST(ModulesRun, IntelSubGroupsShuffleAndMoveBlocks) {
  FullSubGroup group("intel_subgroups");
  group.run();
  const uint32_t lanes = group.lanes;
  ASSERT_GT(lanes, 1u);
  for (uint32_t i = 0; i < 3 * lanes; ++i) EXPECT_EQ(group.u[i], i + 5) << i;
  for (uint32_t lane = 0; lane < lanes; ++lane) EXPECT_EQ(group.u[3 * lanes + lane], lane + 5 + 5) << lane;
  EXPECT_EQ(group.u[4 * lanes], 4 * lanes + 5);
}

// The last work-item's value stays: all of them counted, and twice u[0] from its cluster of two.
TEST(ModulesRun, BallotsCountAndClustersAdd) {
  FullSubGroup group("subgroup_ballot");
  group.run();
  EXPECT_EQ(group.u[0], group.lanes + 2 * 5);
}

TEST(ModulesRun, TheShaderClockIsTheDevices) {
  FullSubGroup group("shader_clock");
  zeroth_services services{};
  services.run_groups = zeroth_run_groups;
  services.clock = [] { return uint64_t(0x1234567890abcdefu); };
  group.run(services);
  EXPECT_EQ(group.u[0], 0x90abcdefu);
}

TEST(ModulesRefused, BecomeABuildFailureWithALogThatNamesTheReason) {
  Compiler compiler(support::options_without_cache());
  const std::vector<std::byte> spirv = support::kernel_file("unknown_extension_refused");
  try {
    compiler.compile(support::request_for(spirv));
    FAIL() << "it compiled";
  } catch (const CompileError& error) {
    EXPECT_EQ(error.kind(), CompileError::Kind::BuildFailure);
    EXPECT_NE(error.log().find("SPV_VENDOR_unheard_of"), std::string::npos) << error.log();
  }
}

} // namespace
} // namespace zeroth::compiler
