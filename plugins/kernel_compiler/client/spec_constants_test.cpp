#include "kernel_compiler.hpp"

#include <gtest/gtest.h>

namespace zeroth::compiler {
namespace {

std::vector<uint32_t> module_with_constants() {
  return {
      0x07230203,      0x00010200, 0,  20,     0, //
      (4u << 16) | 71, 10,         1,  100,       // OpDecorate %10 SpecId 100
      (4u << 16) | 71, 11,         1,  101,       // OpDecorate %11 SpecId 101
      (4u << 16) | 71, 12,         1,  102,       // OpDecorate %12 SpecId 102
      (4u << 16) | 21, 1,          64, 0,         // %1 = OpTypeInt 64
      (3u << 16) | 22, 2,          16,            // %2 = OpTypeFloat 16
      (2u << 16) | 20, 3,                         // %3 = OpTypeBool
      (5u << 16) | 50, 1,          10, 7,      0, // %10 = OpSpecConstant %1 7
      (4u << 16) | 50, 2,          11, 0x3c00,    // %11 = OpSpecConstant %2 1.0
      (3u << 16) | 48, 3,          12,            // %12 = OpSpecConstantTrue %3
      (3u << 16) | 49, 3,          13,            // %13 has no SpecId
  };
}

TEST(SpecConstants, AreListedInOrderWithTheSizeOfTheirType) {
  const auto words = module_with_constants();
  const auto infos = spec_constants(std::as_bytes(std::span(words)));
  ASSERT_EQ(infos.size(), 3u);
  EXPECT_EQ(infos[0].id, 100u);
  EXPECT_EQ(infos[0].size, 8u);
  EXPECT_EQ(infos[1].id, 101u);
  EXPECT_EQ(infos[1].size, 2u);
  EXPECT_EQ(infos[2].id, 102u);
  EXPECT_EQ(infos[2].size, 1u);
}

TEST(SpecConstants, TruncatedModulesGiveWhatCanBeRead) {
  const auto words = module_with_constants();
  const auto bytes = std::as_bytes(std::span(words));
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_LE(spec_constants(bytes.first(size)).size(), 3u);
  EXPECT_TRUE(spec_constants({}).empty());
}

TEST(SpecConstants, WordCountZeroEndsTheScan) {
  auto words = module_with_constants();
  words[5] = 71;
  EXPECT_TRUE(spec_constants(std::as_bytes(std::span(words))).empty());
}

} // namespace
} // namespace zeroth::compiler
