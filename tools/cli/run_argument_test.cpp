#include "cli/run_argument.hpp"

#include "cli/commands.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace zeroth::cli {
namespace {

template <class T> std::vector<T> values(const Argument& argument) {
  std::vector<T> result(argument.value.size() / sizeof(T));
  std::memcpy(result.data(), argument.value.data(), argument.value.size());
  return result;
}

TEST(RunArgument, AValueHasTheSizeOfItsType) {
  EXPECT_EQ(values<float>(parse_argument("f32:0.5")), std::vector<float>{0.5f});
  EXPECT_EQ(values<int64_t>(parse_argument("i64:-7")), std::vector<int64_t>{-7});
  EXPECT_EQ(parse_argument("u16:65535").value.size(), 2u);
}

TEST(RunArgument, SeveralValuesAreAVector) {
  EXPECT_EQ(values<int32_t>(parse_argument("i32:1,2,3,4")), (std::vector<int32_t>{1, 2, 3, 4}));
}

TEST(RunArgument, ABufferIsCountedOrReadFromAFile) {
  const Argument counted = parse_argument("f32[]:16");
  EXPECT_EQ(counted.kind, Argument::Kind::Buffer);
  EXPECT_EQ(counted.count, 16u);
  EXPECT_EQ(parse_argument("u8[]:dir/photo.png").file, "dir/photo.png");
}

TEST(RunArgument, LocalMemoryAndNullNeedNoType) {
  EXPECT_EQ(parse_argument("local:4096").count, 4096u);
  EXPECT_EQ(parse_argument("null").kind, Argument::Kind::Null);
}

TEST(RunArgument, WrongWordsAreRefusedWithTheReason) {
  for (const char* text :
       {"", "f32", "f32:", "f32:x", "u8:256", "i32:1.5", "f16:1", "i32:1,", "i32:1,,2", "f32[]:", "local:-1", "local:"})
    EXPECT_THROW(parse_argument(text), Failure) << text;
}

TEST(RunArgument, ACountBelowZeroIsNoFile) {
  try {
    parse_argument("f32[]:-4");
    ADD_FAILURE() << "accepted";
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "\"f32[]:-4\": -4 elements are no buffer");
  }
  EXPECT_EQ(parse_argument("f32[]:-").file, "-");
}

TEST(RunArgument, AValueOfTheWrongKindForItsParameterIsTold) {
  for (const char* type : {"int", "uint4", "ulong", "size_t", "uchar16"})
    EXPECT_NE(mismatch(parse_argument("f32:3"), type), "") << type;
  for (const char* type : {"float", "float4", "double"}) {
    EXPECT_NE(mismatch(parse_argument("i32:3"), type), "") << type;
    EXPECT_EQ(mismatch(parse_argument("f32:3"), type), "") << type;
  }
  EXPECT_EQ(mismatch(parse_argument("u32:3"), "int"), "");
  for (const char* type : {"half", "half4", "struct pair", "my_type", ""})
    for (const char* value : {"f32:3", "u16:3"}) EXPECT_EQ(mismatch(parse_argument(value), type), "") << type;
  EXPECT_EQ(mismatch(parse_argument("f32[]:3"), "int*"), "");
}

TEST(RunArgument, ExtentFillsMissingDimensionsWithOne) {
  const Extent extent = parse_extent("8,4");
  EXPECT_EQ(extent.x, 8u);
  EXPECT_EQ(extent.y, 4u);
  EXPECT_EQ(extent.z, 1u);
  for (const char* text : {"", "0", "8,0", "1,2,3,4", "a", "-1", "8,"})
    EXPECT_THROW(parse_extent(text), Failure) << text;
}

} // namespace
} // namespace zeroth::cli
