// Bytes as fractions of 255: each of the 256 is rounded to nearest, wherever it is in its word and whatever machine and
// width the code is for.
#include "testing/test_program.hpp"

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernels = R"(
declare i64 @zeroth.global_id(i32)
declare float @zeroth.byte_fraction.f32(i32, i32) memory(none) nounwind willreturn

define spir_kernel void @fractions(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %g = call i64 @zeroth.global_id(i32 0)
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %g
  %v = load i32, ptr addrspace(1) %pi
  %a = call float @zeroth.byte_fraction.f32(i32 %v, i32 0)
  %b = call float @zeroth.byte_fraction.f32(i32 %v, i32 1)
  %c = call float @zeroth.byte_fraction.f32(i32 %v, i32 2)
  %d = call float @zeroth.byte_fraction.f32(i32 %v, i32 3)
  %x = insertelement <4 x float> poison, float %a, i64 0
  %y = insertelement <4 x float> %x, float %b, i64 1
  %z = insertelement <4 x float> %y, float %c, i64 2
  %w = insertelement <4 x float> %z, float %d, i64 3
  %po = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %g
  store <4 x float> %w, ptr addrspace(1) %po
  ret void
}

; the same word for all
define spir_kernel void @one_word(i32 %v, ptr addrspace(1) %out) {
  %g = call i64 @zeroth.global_id(i32 0)
  %a = call float @zeroth.byte_fraction.f32(i32 %v, i32 2)
  %po = getelementptr float, ptr addrspace(1) %out, i64 %g
  store float %a, ptr addrspace(1) %po
  ret void
}
)";

float fraction(unsigned byte) { return float(double(byte) / 255); } // no double is near the middle of two floats here

class ByteFractions : public ::testing::TestWithParam<std::tuple<int, const char*>> {
protected:
  std::unique_ptr<Program> compile() const {
    CompileOptions options;
    options.width = unsigned(std::get<0>(GetParam()));
    options.cpu.name = std::get<1>(GetParam());
    if (options.cpu.name == "native") options.cpu = test_cpu();
    return Program::from_text(Kernels, options);
  }
};

TEST_P(ByteFractions, AreRoundedToNearestInEachPlaceOfAWord) {
  std::vector<uint32_t> in(256);
  std::vector<float> out(1024), expected(1024);
  for (uint32_t i = 0; i < 256; ++i) {
    const uint32_t bytes[4] = {i, 255 - i, i ^ 0x55, i ^ 0xaa};
    in[i] = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24;
    for (int k = 0; k < 4; ++k) expected[4 * i + k] = fraction(bytes[k]);
  }
  compile()->run("fractions", Arguments().buffer(in).buffer(out), {{64, 1, 1}, {4, 1, 1}});
  EXPECT_EQ(out, expected);
}

TEST_P(ByteFractions, OfAWordThatIsTheSameForAll) {
  std::vector<float> out(64);
  compile()->run("one_word", Arguments().value(0x12cd3456).buffer(out), {{64, 1, 1}, {1, 1, 1}});
  EXPECT_EQ(out, std::vector<float>(64, fraction(0xcd)));
}

INSTANTIATE_TEST_SUITE_P(WidthsAndMachines, ByteFractions,
                         ::testing::Combine(::testing::Values(0, 1, 4, 16, 32),
                                            ::testing::Values("native", "x86-64-v3", "x86-64")));

TEST(ByteFractionsCode, SixteenTakeNoConversionWhereRoundingCanBeChosen) {
  std::string ir;
  CompileOptions options;
  options.cpu.name = "x86-64-v4";
  options.ir = &ir;
  options.width = 16;
  Program::from_text(Kernels, options);
  const size_t form = ir.find("@fractions.");
  ASSERT_NE(form, std::string::npos);
  EXPECT_NE(ir.find("llvm.x86.avx512.vfmadd.ps.512", form), std::string::npos);
  EXPECT_EQ(ir.find("sitofp <16 x i32>"), std::string::npos);
}

} // namespace
} // namespace zeroth::codegen::testing
