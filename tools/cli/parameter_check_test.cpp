#include "cli/parameter_check.hpp"

#include <gtest/gtest.h>

namespace zeroth::cli {
namespace {

using Kind = spirv::Argument::Kind;

std::string judge(const char* given, Kind kind, uint64_t size = 8, const char* type = "") {
  spirv::Argument parameter;
  parameter.kind = kind;
  parameter.size = size;
  parameter.type_name = type;
  return mismatch(parse_argument(given), parameter);
}

TEST(ParameterCheck, ValuesOfAnotherSizeAreNamedWithBothSizes) {
  EXPECT_EQ(judge("f32:2", Kind::Value, 4, "float"), "");
  EXPECT_EQ(judge("f64:2", Kind::Value, 4, "float"), "the kernel takes 4 bytes here (float), and this has 8");
  EXPECT_NE(judge("i32:2", Kind::Value, 8, "long"), "");
}

TEST(ParameterCheck, AVectorOfThreeMayBeGivenWithThreeOrWithFour) {
  EXPECT_EQ(judge("i32:1,2,3", Kind::Value, 16, "int3"), "");
  EXPECT_EQ(judge("i32:1,2,3,4", Kind::Value, 16, "int3"), "");
  EXPECT_NE(judge("i32:1,2,3", Kind::Value, 16, "int4"), "");
}

TEST(ParameterCheck, WhatIsNoValueIsRefusedForOne) {
  for (const char* given : {"null", "local:4", "f32[]:4"}) EXPECT_NE(judge(given, Kind::Value, 8, "long"), "") << given;
}

TEST(ParameterCheck, PointersTakeBuffersAndNullAlone) {
  for (const char* given : {"f32[]:4", "null"}) EXPECT_EQ(judge(given, Kind::Pointer), "") << given;
  for (const char* given : {"i64:5", "local:16"}) EXPECT_NE(judge(given, Kind::Pointer), "") << given;
}

TEST(ParameterCheck, WorkGroupMemoryTakesASizeAlone) {
  EXPECT_EQ(judge("local:16", Kind::Local), "");
  for (const char* given : {"i32:1", "f32[]:4", "null"}) EXPECT_NE(judge(given, Kind::Local), "") << given;
}

TEST(ParameterCheck, ImagesAndSamplersAreSaidToBeMissing) {
  EXPECT_NE(judge("u8[]:4", Kind::Image).find("image"), std::string::npos);
  EXPECT_NE(judge("i64:5", Kind::Sampler).find("sampler"), std::string::npos);
}

} // namespace
} // namespace zeroth::cli
