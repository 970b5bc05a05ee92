#include "image_reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace device_tests {

namespace {

using Channels = std::vector<std::array<unsigned, 2>>;

Channels even(unsigned count, unsigned bits) {
  Channels channels;
  for (unsigned i = 0; i < count; ++i) channels.push_back({bits, i * bits});
  return channels;
}

const char* type_name(ze_image_format_type_t type) {
  constexpr const char* names[] = {"uint", "sint", "unorm", "snorm", "float"};
  return names[type];
}

std::vector<ImageFormat> make_formats() {
  struct Layout {
    const char* name;
    ze_image_format_layout_t layout;
    unsigned bytes;
    Channels channels;
    bool floats;
  };
  const std::vector<Layout> layouts = {
      {"8", ZE_IMAGE_FORMAT_LAYOUT_8, 1, even(1, 8), false},
      {"16", ZE_IMAGE_FORMAT_LAYOUT_16, 2, even(1, 16), true},
      {"32", ZE_IMAGE_FORMAT_LAYOUT_32, 4, even(1, 32), true},
      {"8_8", ZE_IMAGE_FORMAT_LAYOUT_8_8, 2, even(2, 8), false},
      {"8_8_8_8", ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, 4, even(4, 8), false},
      {"16_16", ZE_IMAGE_FORMAT_LAYOUT_16_16, 4, even(2, 16), true},
      {"16_16_16_16", ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, 8, even(4, 16), true},
      {"32_32", ZE_IMAGE_FORMAT_LAYOUT_32_32, 8, even(2, 32), true},
      {"32_32_32_32", ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, 16, even(4, 32), true},
      {"10_10_10_2", ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, 4, {{10, 0}, {10, 10}, {10, 20}, {2, 30}}, false},
      {"11_11_10", ZE_IMAGE_FORMAT_LAYOUT_11_11_10, 4, {{11, 0}, {11, 11}, {10, 22}}, true},
      {"5_6_5", ZE_IMAGE_FORMAT_LAYOUT_5_6_5, 2, {{5, 11}, {6, 5}, {5, 0}}, false},
      {"5_5_5_1", ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, 2, {{5, 10}, {5, 5}, {5, 0}, {1, 15}}, false},
      {"4_4_4_4", ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, 2, {{4, 8}, {4, 4}, {4, 0}, {4, 12}}, false},
      {"8_8_8", ZE_IMAGE_FORMAT_LAYOUT_8_8_8, 3, even(3, 8), false},
      {"16_16_16", ZE_IMAGE_FORMAT_LAYOUT_16_16_16, 6, even(3, 16), true},
      {"32_32_32", ZE_IMAGE_FORMAT_LAYOUT_32_32_32, 12, even(3, 32), true},
  };
  static std::vector<std::string> names; // what ImageFormat::name points to
  names.reserve(layouts.size() * 5);
  std::vector<ImageFormat> formats;
  for (const Layout& l : layouts)
    for (int type = 0; type <= ZE_IMAGE_FORMAT_TYPE_FLOAT; ++type) {
      const bool normalized = type == ZE_IMAGE_FORMAT_TYPE_UNORM || type == ZE_IMAGE_FORMAT_TYPE_SNORM;
      if (type == ZE_IMAGE_FORMAT_TYPE_FLOAT && !l.floats) continue;
      if (normalized && l.channels[0][0] == 32) continue; // a float does not hold them
      const auto t = static_cast<ze_image_format_type_t>(type);
      names.push_back(std::string(l.name) + " " + type_name(t));
      formats.push_back({names.back().c_str(), l.layout, t, l.bytes, l.channels});
    }
  return formats;
}

std::uint32_t bits_of(const std::uint8_t* bytes, std::array<unsigned, 2> channel) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < channel[0]; ++i) {
    const unsigned bit = channel[1] + i;
    value |= std::uint32_t{static_cast<unsigned>(bytes[bit / 8] >> (bit % 8) & 1)} << i;
  }
  return value;
}

void put_bits(std::uint8_t* bytes, std::array<unsigned, 2> channel, std::uint64_t value) {
  for (unsigned i = 0; i < channel[0]; ++i) {
    const unsigned bit = channel[1] + i;
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] | (value >> i & 1) << (bit % 8));
  }
}

// A float of `exponent` 5 bits and the given number of mantissa bits, sign above.
double small_float(std::uint32_t bits, unsigned mantissa) {
  const std::uint32_t exponent = bits >> mantissa & 31, fraction = bits & ((1u << mantissa) - 1);
  const double sign = bits >> (mantissa + 5) ? -1 : 1, scale = std::ldexp(1.0, -static_cast<int>(mantissa));
  if (exponent == 31) return fraction ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction * scale, -14);
  return sign * std::ldexp(1 + fraction * scale, static_cast<int>(exponent) - 15);
}

// The nearest such number, ties to even, found by search: they are in order.
std::uint32_t nearest_small_float(double value, unsigned mantissa, bool has_sign) {
  const std::uint32_t infinite = 31u << mantissa;
  if (std::isnan(value)) return infinite + 1;
  if (!has_sign && !(value > 0)) return 0;
  const std::uint32_t sign = std::signbit(value) ? 1u << (mantissa + 5) : 0;
  value = std::fabs(value);
  std::uint32_t low = 0, high = infinite;
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (small_float(middle, mantissa) <= value ? low : high) = middle;
  }
  // Beyond the largest number, the next one would be 2^16.
  const double above = high == infinite ? 65536.0 : small_float(high, mantissa);
  if (std::isinf(value)) return sign | infinite;
  const double to_low = value - small_float(low, mantissa), to_high = above - value;
  return sign | (to_low < to_high || (to_low == to_high && low % 2 == 0) ? low : high);
}

double channel_value(const ImageFormat& format, std::uint32_t bits, unsigned count) {
  const double largest = std::ldexp(1.0, static_cast<int>(count)) - 1;
  const std::int64_t sign = std::int64_t{1} << (count - 1);
  const auto signed_value = static_cast<double>((std::int64_t{bits} ^ sign) - sign);
  switch (format.type) {
  case ZE_IMAGE_FORMAT_TYPE_UINT:
    return bits;
  case ZE_IMAGE_FORMAT_TYPE_SINT:
    return signed_value;
  case ZE_IMAGE_FORMAT_TYPE_UNORM:
    return static_cast<float>(bits / largest);
  case ZE_IMAGE_FORMAT_TYPE_SNORM:
    return count == 1 ? bits : std::max(-1.0f, static_cast<float>(signed_value / static_cast<double>(sign - 1)));
  default:
    break;
  }
  if (count == 32) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  return small_float(bits, count == 16 ? 10 : count - 5);
}

std::uint64_t channel_bits(const ImageFormat& format, double value, unsigned count) {
  const double largest = std::ldexp(1.0, static_cast<int>(count)) - 1,
               middle = std::ldexp(1.0, static_cast<int>(count) - 1);
  auto saturated = [](double v, double low, double high) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(std::min(std::max(v, low), high))));
  };
  const bool no_sign = count == 1;
  switch (format.type) {
  case ZE_IMAGE_FORMAT_TYPE_UINT:
    return saturated(value, 0, largest);
  case ZE_IMAGE_FORMAT_TYPE_SINT:
    return saturated(value, -middle, middle - 1);
  case ZE_IMAGE_FORMAT_TYPE_UNORM: // convert_..._sat_rte(f * 255.0f): the product is a float
    if (std::isnan(value)) return 0;
    return saturated(static_cast<float>(value) * static_cast<float>(largest), 0, largest);
  case ZE_IMAGE_FORMAT_TYPE_SNORM:
    if (std::isnan(value)) return 0;
    if (no_sign) return saturated(value, 0, 1);
    return saturated(static_cast<float>(value) * static_cast<float>(middle - 1), -middle, middle - 1);
  default:
    break;
  }
  if (count == 32) {
    const auto single = static_cast<float>(value);
    std::uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    return bits;
  }
  return nearest_small_float(value, count == 16 ? 10 : count - 5, count == 16);
}

int channel_of(char letter) {
  return letter == 'R' ? 0 : letter == 'G' ? 1 : letter == 'B' ? 2 : letter == 'A' ? 3 : -1;
}

double component(const std::vector<double>& stored, char letter) {
  if (letter == '1') return 1;
  const int channel = channel_of(letter);
  if (channel >= 0 && channel < static_cast<int>(stored.size())) return stored[static_cast<std::size_t>(channel)];
  return letter == 'A' ? 1 : 0;
}

// Where a coordinate falls in an extent: the nearest texel, or two neighbours and the weight of the second. -1 and the
// extent itself are the border.
struct Fall {
  int first, second;
  double weight;
};

int clamped(int i, int low, int high) { return std::min(std::max(i, low), high); }
int whole(float value) { return static_cast<int>(std::min(std::max(value, -1e9f), 1e9f)); }

Fall fall(const ze_sampler_desc_t& sampler, float s, int extent) {
  const bool linear = sampler.filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR;
  const auto size = static_cast<float>(extent);
  if (sampler.addressMode == ZE_SAMPLER_ADDRESS_MODE_REPEAT) {
    const float u = (s - std::floor(s)) * size;
    if (!linear) {
      const int i = whole(std::floor(u));
      return {i > extent - 1 ? i - extent : i, 0, 0};
    }
    int i0 = whole(std::floor(u - 0.5f)), i1 = i0 + 1;
    if (i0 < 0) i0 += extent;
    if (i1 > extent - 1) i1 -= extent;
    return {i0, i1, static_cast<double>(u - 0.5f - std::floor(u - 0.5f))};
  }
  float u = s;
  if (sampler.addressMode == ZE_SAMPLER_ADDRESS_MODE_MIRROR) {
    u = std::fabs(s - 2.0f * std::rint(0.5f * s)) * size;
  } else if (sampler.isNormalized) {
    u = s * size;
  }
  const bool border = sampler.addressMode == ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  const int low = border ? -1 : 0, high = border ? extent : extent - 1;
  if (!linear) return {clamped(whole(std::floor(u)), low, high), 0, 0};
  const int i0 = whole(std::floor(u - 0.5f));
  return {clamped(i0, low, high), clamped(i0 + 1, low, high), static_cast<double>(u - 0.5f - std::floor(u - 0.5f))};
}

} // namespace

const std::vector<ImageFormat>& image_formats() {
  static const std::vector<ImageFormat> formats = make_formats();
  return formats;
}

const ImageFormat& image_format(const std::string& name) {
  for (const ImageFormat& format : image_formats())
    if (format.name == name) return format;
  throw std::runtime_error("no image format " + name);
}

ze_image_format_t ImageFormat::api(const char* swizzle) const {
  auto one = [&](int i) {
    switch (swizzle[i]) {
    case '0':
      return ZE_IMAGE_FORMAT_SWIZZLE_0;
    case '1':
      return ZE_IMAGE_FORMAT_SWIZZLE_1;
    default:
      return static_cast<ze_image_format_swizzle_t>(channel_of(swizzle[i]));
    }
  };
  return {layout, type, one(0), one(1), one(2), one(3)};
}

Texel decode(const ImageFormat& format, const std::uint8_t* bytes, const std::string& swizzle) {
  std::vector<double> stored;
  for (const auto& channel : format.channels)
    stored.push_back(channel_value(format, bits_of(bytes, channel), channel[0]));
  Texel texel;
  for (std::size_t i = 0; i < 4; ++i) texel[i] = component(stored, swizzle[i]);
  return texel;
}

std::vector<std::uint8_t> encode(const ImageFormat& format, const Texel& texel, const std::string& swizzle) {
  std::vector<std::uint8_t> bytes(format.bytes);
  for (std::size_t c = 0; c < format.channels.size(); ++c) {
    double value = 0;
    for (std::size_t i = 4; i-- > 0;)
      if (channel_of(swizzle[i]) == static_cast<int>(c)) value = texel[i];
    put_bits(bytes.data(), format.channels[c], channel_bits(format, value, format.channels[c][0]));
  }
  return bytes;
}

ze_image_desc_t HostImage::desc() const {
  return {ZE_STRUCTURE_TYPE_IMAGE_DESC,
          nullptr,
          ZE_IMAGE_FLAG_KERNEL_WRITE,
          type,
          format.api(swizzle.c_str()),
          static_cast<std::uint64_t>(width),
          static_cast<std::uint32_t>(height),
          static_cast<std::uint32_t>(depth),
          array() ? static_cast<std::uint32_t>(layers) : 0u,
          0};
}

Texel HostImage::border() const {
  const std::vector<std::uint8_t> nothing(format.bytes);
  return decode(format, nothing.data(), swizzle);
}

Texel HostImage::at(int x, int y, int z) const {
  const int rows = type == ZE_IMAGE_TYPE_1DARRAY ? layers : height;
  const int slices = type == ZE_IMAGE_TYPE_2DARRAY ? layers : depth;
  if (x < 0 || x >= width || y < 0 || y >= rows || z < 0 || z >= slices) return border();
  const std::size_t index = (std::size_t(z) * rows + std::size_t(y)) * width + std::size_t(x);
  return decode(format, &bytes[index * format.bytes], swizzle);
}

Texel fetch(const HostImage& image, const std::array<int, 4>& at) {
  const int used = image.extents() + image.array();
  return image.at(at[0], used > 1 ? at[1] : 0, used > 2 ? at[2] : 0);
}

Texel sample(const HostImage& image, const ze_sampler_desc_t& sampler, const std::array<float, 4>& at) {
  const int extents = image.extents();
  const int sizes[] = {image.width, image.height, image.depth};
  Fall falls[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int d = 0; d < extents; ++d) falls[d] = fall(sampler, at[d], sizes[d]);
  if (image.array())
    falls[extents].first = falls[extents].second = clamped(whole(std::rint(at[extents])), 0, image.layers - 1);
  if (sampler.filterMode == ZE_SAMPLER_FILTER_MODE_NEAREST)
    return image.at(falls[0].first, falls[1].first, falls[2].first);
  Texel sum{};
  for (unsigned corner = 0; corner < 1u << extents; ++corner) {
    int place[3];
    double weight = 1;
    for (unsigned d = 0; d < 3; ++d) {
      const bool second = corner >> d & 1;
      place[d] = second ? falls[d].second : falls[d].first;
      if (static_cast<int>(d) < extents) weight *= second ? falls[d].weight : 1 - falls[d].weight;
    }
    const Texel texel = image.at(place[0], place[1], place[2]);
    for (std::size_t i = 0; i < 4; ++i) sum[i] += weight * texel[i];
  }
  return sum;
}

float half_to_float(std::uint16_t half) { return static_cast<float>(small_float(half, 10)); }

} // namespace device_tests
