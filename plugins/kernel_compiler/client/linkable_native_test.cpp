#include "linkable_native.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace zeroth::compiler {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> result;
  for (int value : values) result.push_back(std::byte(value));
  return result;
}

const std::vector<std::byte> Native = bytes({1, 2, 3, 4, 5});
const std::vector<LinkInput> Inputs = {{bytes({9, 8, 7}), "-ze-opt-level=1", {{3, bytes({1, 0})}}},
                                       {bytes({6}), "", {}}};

TEST(LinkableNative, GivesBackCodeAndInputs) {
  const auto file = with_link_inputs(Native, Inputs);
  const LinkableNative parts = split_link_inputs(file);
  EXPECT_TRUE(std::ranges::equal(parts.native, Native));
  ASSERT_EQ(parts.inputs.size(), 2u);
  EXPECT_EQ(parts.inputs[0].spirv, Inputs[0].spirv);
  EXPECT_EQ(parts.inputs[0].options, Inputs[0].options);
  ASSERT_EQ(parts.inputs[0].constants.size(), 1u);
  EXPECT_EQ(parts.inputs[0].constants[0].id, 3u);
  EXPECT_EQ(parts.inputs[0].constants[0].value, Inputs[0].constants[0].value);
}

TEST(LinkableNative, IsAnyOtherFileWithoutInputs) {
  EXPECT_TRUE(std::ranges::equal(split_link_inputs(Native).native, Native));
  EXPECT_TRUE(split_link_inputs(Native).inputs.empty());
}

TEST(LinkableNative, RefusesDamage) {
  const auto whole = with_link_inputs(Native, Inputs);
  constexpr size_t Footer = 48; // what says that it is one
  for (size_t i = 0; i < whole.size() - Footer; ++i) {
    auto damaged = whole;
    damaged[i] ^= std::byte(1);
    EXPECT_THROW(split_link_inputs(damaged), CompileError) << i;
  }
}

} // namespace
} // namespace zeroth::compiler
