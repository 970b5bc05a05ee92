#include "texel_format.hpp"

#include <gtest/gtest.h>

namespace zeroth::cpu {
namespace {

constexpr ze_image_format_swizzle_t R = ZE_IMAGE_FORMAT_SWIZZLE_R, G = ZE_IMAGE_FORMAT_SWIZZLE_G,
                                    B = ZE_IMAGE_FORMAT_SWIZZLE_B, A = ZE_IMAGE_FORMAT_SWIZZLE_A,
                                    Zero = ZE_IMAGE_FORMAT_SWIZZLE_0, One = ZE_IMAGE_FORMAT_SWIZZLE_1;

template <class Visit> void for_each_format(Visit visit) {
  for (int layout = 0; layout <= ZE_IMAGE_FORMAT_LAYOUT_32_32_32; ++layout)
    for (int type = 0; type <= ZE_IMAGE_FORMAT_TYPE_FLOAT; ++type)
      if (const auto image = texel_format(
              {static_cast<ze_image_format_layout_t>(layout), static_cast<ze_image_format_type_t>(type), R, G, B, A}))
        visit(*image, layout);
}

// Compiled code reads a channel from the one aligned word that it lies in (image_abi.h).
TEST(TexelFormat, NoChannelCrossesAWord) {
  for_each_format([](const zeroth_image& image, int layout) {
    for (unsigned texel = 0; texel < 4; ++texel) // at the start of every fourth texel a word begins
      for (unsigned c = 0; c < image.channels; ++c) {
        const zeroth_image_channel& channel = image.channel[c];
        const unsigned first = (texel * image.texel_bytes + channel.byte) * 8 + channel.shift;
        const unsigned last = first + static_cast<unsigned>(__builtin_popcount(channel.mask)) - 1;
        EXPECT_EQ(first / 32, last / 32) << layout << " channel " << c;
        EXPECT_LT(last, (texel + 1) * image.texel_bytes * 8u) << layout << " channel " << c;
      }
  });
}

TEST(TexelFormat, ChannelsDoNotShareBits) {
  for_each_format([](const zeroth_image& image, int layout) {
    unsigned bits[16 * 8] = {};
    for (unsigned c = 0; c < image.channels; ++c)
      for (unsigned bit = 0; bit < static_cast<unsigned>(__builtin_popcount(image.channel[c].mask)); ++bit)
        EXPECT_EQ(bits[image.channel[c].byte * 8u + image.channel[c].shift + bit]++, 0u) << layout;
  });
}

// The short ways of compiled code hold for these formats and these orders alone.
TEST(TexelFormat, ShortWays) {
  auto way = [](ze_image_format_t format) { return texel_format(format)->texel; };
  const auto bytes = ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, word = ZE_IMAGE_FORMAT_LAYOUT_32,
             words = ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32;
  const auto unorm = ZE_IMAGE_FORMAT_TYPE_UNORM, number = ZE_IMAGE_FORMAT_TYPE_FLOAT,
             integer = ZE_IMAGE_FORMAT_TYPE_SINT;
  EXPECT_EQ(way({bytes, unorm, R, G, B, A}), ZEROTH_TEXEL_BYTES4_UNORM);
  EXPECT_EQ(way({bytes, unorm, B, G, R, A}), ZEROTH_TEXEL_BYTES4_SWAPPED);
  EXPECT_EQ(way({bytes, unorm, A, R, G, B}), ZEROTH_TEXEL_ANY);
  EXPECT_EQ(way({bytes, unorm, R, G, B, One}), ZEROTH_TEXEL_ANY);
  EXPECT_EQ(way({bytes, ZE_IMAGE_FORMAT_TYPE_SNORM, R, G, B, A}), ZEROTH_TEXEL_ANY);
  EXPECT_EQ(way({words, number, R, G, B, A}), ZEROTH_TEXEL_WORDS4);
  EXPECT_EQ(way({words, integer, R, G, B, A}), ZEROTH_TEXEL_WORDS4);
  EXPECT_EQ(way({words, number, B, G, R, A}), ZEROTH_TEXEL_ANY);
  EXPECT_EQ(way({word, number, R, G, B, A}), ZEROTH_TEXEL_WORD); // what is not stored is 0, and alpha 1
  EXPECT_EQ(way({word, number, R, Zero, Zero, One}), ZEROTH_TEXEL_WORD);
  EXPECT_EQ(way({word, number, R, R, R, One}), ZEROTH_TEXEL_ANY);
}

TEST(TexelFormat, FloatsHaveFloatSizes) {
  auto exists = [](ze_image_format_layout_t layout) {
    return texel_format({layout, ZE_IMAGE_FORMAT_TYPE_FLOAT, R, G, B, A}).has_value();
  };
  EXPECT_TRUE(exists(ZE_IMAGE_FORMAT_LAYOUT_16));
  EXPECT_TRUE(exists(ZE_IMAGE_FORMAT_LAYOUT_11_11_10));
  EXPECT_FALSE(exists(ZE_IMAGE_FORMAT_LAYOUT_8));
  EXPECT_FALSE(exists(ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2));
  EXPECT_FALSE(exists(ZE_IMAGE_FORMAT_LAYOUT_5_6_5));
  EXPECT_FALSE(texel_format({ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_UNORM, R, G, B, A}).has_value());
}

TEST(TexelFormat, PlanarLayoutsAreNoTexelFormats) {
  for_each_format([](const zeroth_image&, int layout) {
    EXPECT_TRUE(planes_of(static_cast<ze_image_format_layout_t>(layout)).empty()) << layout;
  });
  EXPECT_EQ(planes_of(ZE_IMAGE_FORMAT_LAYOUT_NV12).size(), 2u);
  EXPECT_EQ(planes_of(ZE_IMAGE_FORMAT_LAYOUT_I420).size(), 3u);
}

} // namespace
} // namespace zeroth::cpu
