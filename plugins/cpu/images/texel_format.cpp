#include "texel_format.hpp"

#include <array>

namespace zeroth::cpu {

namespace {

struct Bits {
  unsigned char count, shift; // shift: from the texel's first bit
};

struct Layout {
  ze_image_format_layout_t name;
  unsigned char bytes;
  std::array<Bits, 4> channels;
};

constexpr Layout even(ze_image_format_layout_t name, unsigned char channels, unsigned char bits) {
  Layout layout{name, static_cast<unsigned char>(channels * bits / 8), {}};
  for (unsigned char i = 0; i < channels; ++i) layout.channels[i] = {bits, static_cast<unsigned char>(i * bits)};
  return layout;
}

constexpr Layout Layouts[] = {
    even(ZE_IMAGE_FORMAT_LAYOUT_8, 1, 8),
    even(ZE_IMAGE_FORMAT_LAYOUT_16, 1, 16),
    even(ZE_IMAGE_FORMAT_LAYOUT_32, 1, 32),
    even(ZE_IMAGE_FORMAT_LAYOUT_8_8, 2, 8),
    even(ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, 4, 8),
    even(ZE_IMAGE_FORMAT_LAYOUT_16_16, 2, 16),
    even(ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, 4, 16),
    even(ZE_IMAGE_FORMAT_LAYOUT_32_32, 2, 32),
    even(ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, 4, 32),
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, 4, {{{10, 0}, {10, 10}, {10, 20}, {2, 30}}}},
    {ZE_IMAGE_FORMAT_LAYOUT_11_11_10, 4, {{{11, 0}, {11, 11}, {10, 22}}}},
    {ZE_IMAGE_FORMAT_LAYOUT_5_6_5, 2, {{{5, 11}, {6, 5}, {5, 0}}}},
    {ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, 2, {{{5, 10}, {5, 5}, {5, 0}, {1, 15}}}},
    {ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, 2, {{{4, 8}, {4, 4}, {4, 0}, {4, 12}}}},
    even(ZE_IMAGE_FORMAT_LAYOUT_Y8, 1, 8),
    even(ZE_IMAGE_FORMAT_LAYOUT_400P, 1, 8),
    even(ZE_IMAGE_FORMAT_LAYOUT_Y16, 1, 16),
    even(ZE_IMAGE_FORMAT_LAYOUT_AYUV, 4, 8),
    {ZE_IMAGE_FORMAT_LAYOUT_Y410, 4, {{{10, 0}, {10, 10}, {10, 20}, {2, 30}}}},
    even(ZE_IMAGE_FORMAT_LAYOUT_Y416, 4, 16),
    even(ZE_IMAGE_FORMAT_LAYOUT_8_8_8, 3, 8),
    even(ZE_IMAGE_FORMAT_LAYOUT_16_16_16, 3, 16),
    even(ZE_IMAGE_FORMAT_LAYOUT_32_32_32, 3, 32),
};

struct PlanarLayout {
  ze_image_format_layout_t name;
  unsigned char count;
  Plane planes[3];
};

constexpr PlanarLayout PlanarLayouts[] = {
    {ZE_IMAGE_FORMAT_LAYOUT_NV12, 2, {{1, 0, 0}, {2, 1, 1}}},
    {ZE_IMAGE_FORMAT_LAYOUT_P010, 2, {{2, 0, 0}, {4, 1, 1}}},
    {ZE_IMAGE_FORMAT_LAYOUT_P012, 2, {{2, 0, 0}, {4, 1, 1}}},
    {ZE_IMAGE_FORMAT_LAYOUT_P016, 2, {{2, 0, 0}, {4, 1, 1}}},
    {ZE_IMAGE_FORMAT_LAYOUT_P216, 2, {{2, 0, 0}, {4, 1, 0}}},
    {ZE_IMAGE_FORMAT_LAYOUT_I420, 3, {{1, 0, 0}, {1, 1, 1}, {1, 1, 1}}},
    {ZE_IMAGE_FORMAT_LAYOUT_YV12, 3, {{1, 0, 0}, {1, 1, 1}, {1, 1, 1}}},
    {ZE_IMAGE_FORMAT_LAYOUT_422H, 3, {{1, 0, 0}, {1, 1, 0}, {1, 1, 0}}},
    {ZE_IMAGE_FORMAT_LAYOUT_422V, 3, {{1, 0, 0}, {1, 0, 1}, {1, 0, 1}}},
    {ZE_IMAGE_FORMAT_LAYOUT_444P, 3, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}},
    {ZE_IMAGE_FORMAT_LAYOUT_RGBP, 3, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}},
    {ZE_IMAGE_FORMAT_LAYOUT_BRGP, 3, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}},
};

// A number kind that the layout's channels can have; -1: none.
int kind_of(const Layout& layout, ze_image_format_type_t type) {
  const unsigned bits = layout.channels[0].count;
  switch (type) {
  case ZE_IMAGE_FORMAT_TYPE_UINT:
  case ZE_IMAGE_FORMAT_TYPE_SINT:
    return ZEROTH_CHANNEL_INTEGER;
  case ZE_IMAGE_FORMAT_TYPE_UNORM:
  case ZE_IMAGE_FORMAT_TYPE_SNORM:
    return bits == 32 ? -1 : +ZEROTH_CHANNEL_NORMALIZED; // a float does not hold 32 bits
  case ZE_IMAGE_FORMAT_TYPE_FLOAT:
    return bits == 32   ? +ZEROTH_CHANNEL_FLOAT
           : bits == 16 ? +ZEROTH_CHANNEL_HALF
           : bits == 11 ? +ZEROTH_CHANNEL_SMALL_FLOAT
                        : -1;
  default:
    return -1;
  }
}

zeroth_image_channel channel_of(const Layout& layout, unsigned number, bool is_signed, bool integer) {
  const auto [bits, shift] = layout.channels[number];
  const bool packed = bits % 8 != 0;
  zeroth_image_channel channel{};
  channel.mask = bits == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << bits) - 1;
  // One bit with a sign is 0 or -1, which leaves nothing that could stand for 1: normalised, it has none.
  channel.sign = is_signed && (integer || bits > 1) ? std::uint32_t{1} << (bits - 1) : 0;
  const double maximum = channel.sign ? channel.mask >> 1 : channel.mask;
  channel.maximum = static_cast<float>(maximum);
  channel.inverse_high = static_cast<float>(1 / maximum);
  channel.inverse_low = static_cast<float>(1 / maximum - static_cast<double>(channel.inverse_high));
  channel.byte = packed ? 0 : shift / 8;
  channel.shift = packed ? shift : 0;
  channel.bytes = packed ? layout.bytes : bits / 8;
  channel.lift = bits == 11 ? 4 : bits == 10 ? 5 : 0;
  return channel;
}

// Channels of one small number are read and written together.
void join_channels(zeroth_image& image) {
  image.whole = image.texel_bytes <= 4 && image.texel_bytes != 3;
  if (!image.whole) return;
  for (zeroth_image_channel& channel : image.channel) {
    channel.shift = static_cast<std::uint8_t>(channel.shift + 8 * channel.byte);
    channel.byte = 0;
    channel.bytes = image.texel_bytes;
  }
}

std::uint8_t selected(ze_image_format_swizzle_t swizzle, unsigned channels) {
  switch (swizzle) {
  case ZE_IMAGE_FORMAT_SWIZZLE_R:
  case ZE_IMAGE_FORMAT_SWIZZLE_G:
  case ZE_IMAGE_FORMAT_SWIZZLE_B:
    return swizzle < static_cast<int>(channels) ? static_cast<std::uint8_t>(swizzle) : +ZEROTH_SELECT_ZERO;
  case ZE_IMAGE_FORMAT_SWIZZLE_A:
    return channels == 4 ? 3 : ZEROTH_SELECT_ONE; // opaque where nothing else is stored
  case ZE_IMAGE_FORMAT_SWIZZLE_1:
    return ZEROTH_SELECT_ONE;
  case ZE_IMAGE_FORMAT_SWIZZLE_D:
    return 0; // depth is the one channel
  default:
    return ZEROTH_SELECT_ZERO;
  }
}

void choose_components(zeroth_image& image, const ze_image_format_t& format) {
  const ze_image_format_swizzle_t swizzles[] = {format.x, format.y, format.z, format.w};
  for (zeroth_image_channel& channel : image.channel) channel.component = ZEROTH_SELECT_ZERO;
  for (std::uint8_t i = 4; i-- > 0;) {
    image.select[i] = selected(swizzles[i], image.channels);
    if (image.select[i] < 4) image.channel[image.select[i]].component = i; // of several, the first
  }
}

bool selects(const zeroth_image& image, int x, int y, int z, int w) {
  return image.select[0] == x && image.select[1] == y && image.select[2] == z && image.select[3] == w;
}

std::uint8_t short_way(const zeroth_image& image, bool is_signed) {
  const bool words = image.channel[0].mask == ~std::uint32_t{0} &&
                     (image.kind == ZEROTH_CHANNEL_FLOAT || image.kind == ZEROTH_CHANNEL_INTEGER);
  if (words && image.channels == 4 && selects(image, 0, 1, 2, 3)) return ZEROTH_TEXEL_WORDS4;
  if (words && image.channels == 1 && selects(image, 0, ZEROTH_SELECT_ZERO, ZEROTH_SELECT_ZERO, ZEROTH_SELECT_ONE))
    return ZEROTH_TEXEL_WORD;
  const bool bytes =
      image.channels == 4 && image.channel[0].mask == 255 && image.kind == ZEROTH_CHANNEL_NORMALIZED && !is_signed;
  if (bytes && selects(image, 0, 1, 2, 3)) return ZEROTH_TEXEL_BYTES4_UNORM;
  if (bytes && selects(image, 2, 1, 0, 3)) return ZEROTH_TEXEL_BYTES4_SWAPPED;
  return ZEROTH_TEXEL_ANY;
}

// The nearest of SPIR-V's ImageChannelOrder.
std::uint8_t order_of(const zeroth_image& image) {
  enum { R, A, RG, RA, RGB, RGBA, BGRA, ARGB, ABGR = 19 };
  switch (image.channels) {
  case 1:
    return image.select[3] == 0 ? A : R;
  case 2:
    return image.select[3] == 1 ? RA : RG;
  case 3:
    return RGB;
  default:
    return selects(image, 2, 1, 0, 3)   ? BGRA
           : selects(image, 1, 2, 3, 0) ? ARGB
           : selects(image, 3, 2, 1, 0) ? ABGR
                                        : RGBA;
  }
}

// Of SPIR-V's ImageChannelDataType.
std::uint8_t data_type_of(const Layout& layout, ze_image_format_type_t type) {
  enum {
    Snorm8,
    Snorm16,
    Unorm8,
    Unorm16,
    Unorm565,
    Unorm555,
    Unorm101010,
    Signed8,
    Signed16,
    Signed32,
    Unsigned8,
    Unsigned16,
    Unsigned32,
    Half,
    Float,
    Unorm24,
    Unorm101010_2
  };
  const int step = layout.channels[0].count == 32 ? 2 : layout.channels[0].count == 16 ? 1 : 0;
  switch (type) {
  case ZE_IMAGE_FORMAT_TYPE_UINT:
    return static_cast<std::uint8_t>(Unsigned8 + step);
  case ZE_IMAGE_FORMAT_TYPE_SINT:
    return static_cast<std::uint8_t>(Signed8 + step);
  case ZE_IMAGE_FORMAT_TYPE_SNORM:
    return step ? Snorm16 : Snorm8;
  case ZE_IMAGE_FORMAT_TYPE_FLOAT:
    return step == 2 ? Float : Half;
  default:
    break;
  }
  if (layout.channels[0].count == 10) return Unorm101010_2;
  if (layout.channels[0].count == 5) return layout.channels[1].count == 6 ? Unorm565 : Unorm555;
  return step ? Unorm16 : Unorm8;
}

} // namespace

std::optional<zeroth_image> texel_format(const ze_image_format_t& format) {
  for (const Layout& layout : Layouts) {
    if (layout.name != format.layout) continue;
    const int kind = kind_of(layout, format.type);
    if (kind < 0) return std::nullopt;
    const bool is_signed = format.type == ZE_IMAGE_FORMAT_TYPE_SINT || format.type == ZE_IMAGE_FORMAT_TYPE_SNORM;
    zeroth_image image{};
    image.kind = static_cast<std::uint8_t>(kind);
    image.texel_bytes = layout.bytes;
    while (image.channels < 4 && layout.channels[image.channels].count) {
      image.channel[image.channels] = channel_of(layout, image.channels, is_signed, kind == ZEROTH_CHANNEL_INTEGER);
      ++image.channels;
    }
    join_channels(image);
    choose_components(image, format);
    image.texel = short_way(image, is_signed);
    image.order = order_of(image);
    image.type = data_type_of(layout, format.type);
    return image;
  }
  return std::nullopt;
}

bool is_filterable(const zeroth_image& format) { return format.kind != ZEROTH_CHANNEL_INTEGER; }

std::span<const Plane> planes_of(ze_image_format_layout_t layout) {
  for (const PlanarLayout& planar : PlanarLayouts)
    if (planar.name == layout) return {planar.planes, planar.count};
  return {};
}

} // namespace zeroth::cpu
