// Bitcasts between types of other lengths, in every width: each work-item gets the bits of its own value.
#include "../testing/test_program.hpp"

#include <array>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

struct Cast {
  const char* from; // a vector or scalar of integers
  const char* to;
  unsigned bytes;
  unsigned from_bytes; // of one component
};

constexpr Cast Casts[] = {
    {"i32", "<4 x i8>", 4, 4},           {"<4 x i8>", "i32", 4, 1},
    {"<2 x i64>", "<4 x float>", 16, 8}, {"<4 x i32>", "<2 x double>", 16, 4},
    {"<4 x i32>", "<8 x half>", 16, 4},  {"<3 x i32>", "<6 x i16>", 12, 4},
    {"<6 x i16>", "<3 x float>", 12, 2}, {"i64", "<2 x i32>", 8, 8},
    {"<8 x i16>", "<16 x i8>", 16, 2},   {"<3 x i64>", "<6 x float>", 24, 8},
    {"<16 x i8>", "<2 x i64>", 16, 1},   {"<3 x i16>", "<2 x i24>", 6, 2},
};

class BitCasts : public ::testing::TestWithParam<std::tuple<uint32_t, Cast>> {
protected:
  static std::string splat_of_one(const std::string& type) {
    const size_t times = type.find(" x ");
    if (times == type.npos) return "1";
    const std::string element = type.substr(times + 3, type.size() - times - 4);
    std::string text = "<" + element + " 1";
    for (int i = 1; i < std::stoi(type.substr(1)); ++i) text += ", " + element + " 1";
    return text + ">";
  }

  // b = bits of (a + 1): the addition keeps the cast between load and store.
  static std::string text(const Cast& cast) {
    const std::string from = cast.from, to = cast.to, bytes = std::to_string(cast.bytes);
    return R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @copy(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @zeroth.global_id(i32 0)
  %at = mul i64 %i, )" +
           bytes + R"(
  %pa = getelementptr i8, ptr addrspace(1) %a, i64 %at
  %pb = getelementptr i8, ptr addrspace(1) %b, i64 %at
  %value = load )" +
           from + R"(, ptr addrspace(1) %pa, align 1
  %sum = add )" +
           from + " %value, " + splat_of_one(from) + R"(
  %cast = bitcast )" +
           from + " %sum to " + to + R"(
  store )" +
           to + R"( %cast, ptr addrspace(1) %pb, align 1
  ret void
})";
  }
};

TEST_P(BitCasts, GiveEachWorkItemItsOwnBits) {
  constexpr uint32_t Items = 3 * 70;
  const auto& [width, cast] = GetParam();
  std::mt19937 random(11);
  std::vector<uint8_t> a(Items * cast.bytes), b(a.size()), want(a.size());
  for (uint8_t& byte : a) byte = static_cast<uint8_t>(random());
  for (size_t at = 0; at < a.size(); at += cast.from_bytes) {
    uint64_t component = 0;
    std::memcpy(&component, &a[at], cast.from_bytes);
    component += 1;
    std::memcpy(&want[at], &component, cast.from_bytes);
  }
  CompileOptions options;
  options.width = width;
  options.cpu = test_cpu();
  const auto program = Program::from_text(text(cast), options);
  EXPECT_EQ(program->kernel("copy").width, width);
  program->run("copy", Arguments().buffer(a).buffer(b), {{70, 1, 1}, {3, 1, 1}});
  EXPECT_EQ(b, want) << cast.from << " to " << cast.to;
}

INSTANTIATE_TEST_SUITE_P(Widths, BitCasts,
                         ::testing::Combine(::testing::Values(1, 4, 16, 64), ::testing::ValuesIn(Casts)));

} // namespace
} // namespace zeroth::codegen::testing
