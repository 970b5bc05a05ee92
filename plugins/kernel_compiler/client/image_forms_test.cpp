// Images in every form of a kernel: one work-item at a time, vectors of several widths, machines without gathers.
#include "test_support.hpp"

#include "../image_abi.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace zeroth::compiler {
namespace {

using namespace testing;

constexpr uint32_t groups = 5, group_size = 37, items = groups * group_size;
constexpr int width = 16, height = 13;

using Words = std::vector<uint32_t>;

struct Format {
  const char* name;
  uint8_t texel, kind, bytes, channels;
};
constexpr Format formats[] = {
    {"four bytes", ZEROTH_TEXEL_BYTES4_UNORM, ZEROTH_CHANNEL_NORMALIZED, 4, 4},
    {"four bytes the other way round", ZEROTH_TEXEL_BYTES4_SWAPPED, ZEROTH_CHANNEL_NORMALIZED, 4, 4},
    {"four bytes one by one", ZEROTH_TEXEL_ANY, ZEROTH_CHANNEL_NORMALIZED, 4, 4},
    {"three halves", ZEROTH_TEXEL_ANY, ZEROTH_CHANNEL_HALF, 6, 3},
    {"a float", ZEROTH_TEXEL_WORD, ZEROTH_CHANNEL_FLOAT, 4, 1},
    {"four floats", ZEROTH_TEXEL_WORDS4, ZEROTH_CHANNEL_FLOAT, 16, 4},
};

zeroth_image describe(const Format& format, Words& texels) {
  zeroth_image image{};
  const unsigned bytes = format.bytes / format.channels;
  texels.resize(size_t{width} * height * format.bytes / 4);
  image.texels = reinterpret_cast<uint8_t*>(texels.data());
  image.width = width, image.height = height, image.depth = 1;
  image.row_words = width * format.bytes / 4;
  image.texel = format.texel, image.kind = format.kind, image.texel_bytes = format.bytes;
  image.channels = format.channels, image.whole = format.bytes == 4;
  for (uint8_t c = 0; c < 4; ++c) {
    zeroth_image_channel& channel = image.channel[c];
    channel.mask = bytes == 4 ? ~0u : (1u << 8 * bytes) - 1;
    channel.maximum = 255;
    channel.inverse_high = static_cast<float>(1 / 255.0);
    channel.inverse_low = static_cast<float>(1 / 255.0 - static_cast<double>(channel.inverse_high));
    channel.byte = static_cast<uint8_t>(image.whole ? 0 : c * bytes);
    channel.shift = static_cast<uint8_t>(image.whole ? c * bytes * 8 : 0);
    channel.bytes = static_cast<uint8_t>(image.whole ? format.bytes : bytes);
    const bool swapped = format.texel == ZEROTH_TEXEL_BYTES4_SWAPPED && c != 1 && c != 3;
    channel.component = static_cast<uint8_t>(swapped ? 2 - c : c);
    const uint8_t absent = c == 3 ? ZEROTH_SELECT_ONE : ZEROTH_SELECT_ZERO;
    image.select[c] = c < format.channels ? channel.component : absent;
  }
  return image;
}

void fill(const Format& format, Words& texels) {
  std::mt19937 random(7);
  for (uint32_t& word : texels) {
    word = static_cast<uint32_t>(random());
    // Halves and floats of ordinary size.
    if (format.kind == ZEROTH_CHANNEL_HALF) word = (word & 0x83ff83ff) | 0x38003800;
    if (format.kind == ZEROTH_CHANNEL_FLOAT) word = (word & 0x807fffff) | 0x3f000000;
  }
}

ModulePtr compile(uint32_t vector_width, const char* cpu = "", bool quick = false) {
  Compiler compiler(options_without_cache());
  const auto spirv = own_kernel("images");
  CompileRequest request = request_for(spirv);
  request.vector_width = vector_width;
  request.cpu.name = cpu;
  request.quick = quick;
  return compiler.compile(request);
}

struct Result {
  std::vector<float> read;
  Words written;
};

Result run_images(const KernelInfo& kernel, const Format& format, uint32_t sampler_bits) {
  Result result{std::vector<float>(items * 8), {}};
  Words texels;
  zeroth_image from = describe(format, texels), to = describe(format, result.written);
  fill(format, texels);
  const zeroth_sampler sampler{sampler_bits};
  std::mt19937 random(9);
  std::uniform_real_distribution<float> place(-1.5f, 2.5f);
  std::vector<float> at(items * 2);
  for (size_t i = 0; i < at.size(); ++i)
    at[i] = place(random) * (sampler_bits & ZEROTH_SAMPLER_NORMALIZED ? 1.0f : 16.0f);
  // Some neighbours in a line, as most programs have them.
  for (size_t i = 0; i < at.size() / 2; i += 2) at[i] = at[0] + static_cast<float>(i / 2), at[i + 1] = 3;
  const void* arguments[] = {&from, &to, &sampler, at.data(), result.read.data()};
  const auto raw = std::as_bytes(std::span(arguments));
  run(kernel, {raw.begin(), raw.end()}, groups, group_size);
  return result;
}

std::vector<uint32_t> samplers() {
  std::vector<uint32_t> all;
  for (uint32_t mode = ZEROTH_ADDRESS_NONE; mode <= ZEROTH_ADDRESS_MIRROR; ++mode)
    for (uint32_t bits :
         {0, +ZEROTH_SAMPLER_NORMALIZED, +ZEROTH_SAMPLER_LINEAR, ZEROTH_SAMPLER_NORMALIZED | ZEROTH_SAMPLER_LINEAR})
      all.push_back(mode | bits);
  return all;
}

void expect_equal(const KernelInfo& plain, const KernelInfo& other, double tolerance) {
  for (const Format& format : formats)
    for (const uint32_t sampler : samplers()) {
      const Result expected = run_images(plain, format, sampler), found = run_images(other, format, sampler);
      for (size_t i = 0; i < expected.read.size(); ++i)
        ASSERT_NEAR(found.read[i], expected.read[i], tolerance)
            << format.name << " sampler " << sampler << " item " << i / 8 << " component " << i % 4;
      if (tolerance == 0) {
        ASSERT_EQ(found.written, expected.written) << format.name << " sampler " << sampler;
      }
    }
}

TEST(ImageForms, AllWidthsGiveTheSameBits) {
  const ModulePtr plain = compile(1);
  ASSERT_EQ(plain->kernel("images")->width, 1u);
  for (uint32_t vector_width : {0u, 4u, 8u}) {
    const ModulePtr wide = compile(vector_width);
    ASSERT_GT(wide->kernel("images")->width, 1u);
    expect_equal(*plain->kernel("images"), *wide->kernel("images"), 0);
  }
}

TEST(ImageForms, QuickCodeGivesTheSameBits) {
  const ModulePtr plain = compile(1), quick = compile(0, "", true);
  expect_equal(*plain->kernel("images"), *quick->kernel("images"), 0);
}

TEST(ImageForms, KernelsCompiledWhenAskedForGiveTheSameBits) {
  CompilerOptions options = options_without_cache();
  options.patience = {};
  Compiler compiler(options);
  const auto spirv = own_kernel("many_images");
  const ModulePtr whole = compiler.compile(request_for(spirv)), lazy = compiler.open(request_for(spirv));
  ASSERT_EQ(lazy->kernels().size(), 8u);
  ASSERT_EQ(lazy->kernel("image2")->entry, nullptr);
  for (const char* name : {"image2", "image0", "image3"}) {
    const auto number = static_cast<size_t>(lazy->kernel(name) - lazy->kernels().data());
    expect_equal(*whole->kernel(name), *lazy->prepare(number).load(), 0);
  }
}

// Without gathers and fused operations; sums of weighted texels round once more.
TEST(ImageForms, TheOldestCpuGivesTheSameWithinRounding) {
  const ModulePtr now = compile(0), oldest = compile(0, "x86-64");
  expect_equal(*now->kernel("images"), *oldest->kernel("images"), 1e-6);
}

} // namespace
} // namespace zeroth::compiler
