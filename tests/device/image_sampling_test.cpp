// Random images, samplers and coordinates against the reference: exactly, but for sums of weighted texels.
#include "image_fixture.hpp"

#include <cmath>

namespace device_tests {
namespace {

constexpr ze_sampler_address_mode_t Modes[] = {ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_ADDRESS_MODE_REPEAT,
                                               ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                               ZE_SAMPLER_ADDRESS_MODE_MIRROR};

struct Dimension {
  const char* name;
  ze_image_type_t type;
};
constexpr Dimension Dimensions[] = {{"1d", ZE_IMAGE_TYPE_1D},
                                    {"1d_array", ZE_IMAGE_TYPE_1DARRAY},
                                    {"2d", ZE_IMAGE_TYPE_2D},
                                    {"2d_array", ZE_IMAGE_TYPE_2DARRAY},
                                    {"3d", ZE_IMAGE_TYPE_3D}};

ze_sampler_desc_t random_sampler(Random& random) {
  const auto mode = Modes[random.next() % std::size(Modes)];
  // Repetition is of normalised coordinates.
  const bool repeats = mode == ZE_SAMPLER_ADDRESS_MODE_REPEAT || mode == ZE_SAMPLER_ADDRESS_MODE_MIRROR;
  const bool linear = random.next() & 1;
  return {ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, mode,
          linear ? ZE_SAMPLER_FILTER_MODE_LINEAR : ZE_SAMPLER_FILTER_MODE_NEAREST,
          static_cast<ze_bool_t>(repeats || (random.next() & 1))};
}

float random_coordinate(Random& random, bool normalized, int extent) {
  const float scale = normalized ? 1.0f : static_cast<float>(extent);
  switch (random.next() % 8) {
  case 0: // between texels
    return static_cast<float>(random.next() % static_cast<unsigned>(2 * extent + 1)) / 2.0f /
           static_cast<float>(extent) * scale;
  case 1: // far outside
    return random.real(-1e6f, 1e6f);
  default:
    return random.real(-1.6f, 2.6f) * scale;
  }
}

std::string describe(const HostImage& image) {
  return std::string(image.format.name) + " " + image.swizzle + " " + std::to_string(image.width) + "x" +
         std::to_string(image.height) + "x" + std::to_string(image.depth) + " layers " + std::to_string(image.layers);
}
std::string describe(const ze_sampler_desc_t& s) {
  return " address mode " + std::to_string(s.addressMode) + " filter " + std::to_string(s.filterMode) + " normalized " +
         std::to_string(s.isNormalized);
}

void compare_samples(Random& random, const HostImage& image, const char* dimension) {
  const DeviceImage on_device(image);
  const ze_sampler_desc_t desc = random_sampler(random);
  const DeviceSampler sampler(desc);
  const int sizes[] = {image.width, image.extents() > 1 ? image.height : image.layers,
                       image.extents() > 2 ? image.depth : image.layers, 1};
  Array<Float4> at(Samples);
  for (std::uint32_t i = 0; i < Samples; ++i)
    for (int d = 0; d < 4; ++d) {
      const bool layer = image.array() && d == image.extents();
      at[i][static_cast<std::size_t>(d)] = random_coordinate(random, desc.isNormalized && !layer, sizes[d]);
    }
  if (image.format.integer()) {
    ze_sampler_desc_t nearest = desc;
    nearest.filterMode = ZE_SAMPLER_FILTER_MODE_NEAREST;
    const DeviceSampler own(nearest);
    Array<Int4> out(Samples);
    kernel(std::string("sample_") + dimension + "_i")
        .arguments(on_device.handle(), own.handle(), at, out)
        .run(Samples, 13);
    for (std::uint32_t i = 0; i < Samples; ++i) {
      const Texel expected = sample(image, nearest, at[i]);
      for (std::size_t c = 0; c < 4; ++c)
        ASSERT_EQ(static_cast<std::uint32_t>(out[i][c]),
                  static_cast<std::uint32_t>(static_cast<std::int64_t>(expected[c])))
            << describe(image) << describe(nearest);
    }
    return;
  }
  Array<Float4> out(Samples);
  kernel(std::string("sample_") + dimension + "_f")
      .arguments(on_device.handle(), sampler.handle(), at, out)
      .run(Samples, 13);
  for (std::uint32_t i = 0; i < Samples; ++i) {
    const std::string what = describe(image) + describe(desc) + " at " + std::to_string(at[i][0]) + "," +
                             std::to_string(at[i][1]) + "," + std::to_string(at[i][2]);
    expect_texel(out[i], sample(image, desc, at[i]), desc.filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR, image, what);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

class ImageSampling : public ::testing::TestWithParam<Dimension> {};

// Every format, all address modes and filters by chance: 91 samples each.
TEST_P(ImageSampling, IsWhatOpenClSays) {
  Random random(0x5a + static_cast<std::uint64_t>(GetParam().type));
  constexpr const char* swizzles[] = {"RGBA", "RGBA", "BGRA", "AR01", "GGRB", "1RA0"};
  for (int round = 0; round < 3; ++round)
    for (const ImageFormat& format : image_formats()) {
      const char* swizzle = swizzles[random.next() % std::size(swizzles)];
      compare_samples(random, random_image(random, format, GetParam().type, swizzle), GetParam().name);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

Int4 random_place(Random& random, const HostImage& image) {
  auto one = [&](int extent) {
    return static_cast<std::int32_t>(random.next() % static_cast<unsigned>(extent + 4)) - 2;
  };
  return {one(image.width), one(image.extents() > 1 ? image.height : image.layers),
          one(image.extents() > 2 ? image.depth : image.layers), 0};
}

// Without a sampler; outside is the border.
TEST_P(ImageSampling, WholeCoordinatesReadTexels) {
  Random random(0x6b + static_cast<std::uint64_t>(GetParam().type));
  for (const ImageFormat& format : image_formats()) {
    const HostImage image = random_image(random, format, GetParam().type);
    const DeviceImage on_device(image);
    Array<Int4> at(Samples);
    for (std::uint32_t i = 0; i < Samples; ++i) at[i] = random_place(random, image);
    Array<Float4> floats(Samples);
    Array<Int4> integers(Samples);
    const std::string name = std::string("read_") + GetParam().name;
    if (format.integer())
      kernel(name + "_i").arguments(on_device.handle(), at, integers).run(Samples, 91);
    else
      kernel(name + "_f").arguments(on_device.handle(), at, floats).run(Samples, 91);
    for (std::uint32_t i = 0; i < Samples; ++i) {
      const Texel expected = fetch(image, at[i]);
      for (std::size_t c = 0; c < 4 && format.integer(); ++c)
        ASSERT_EQ(static_cast<std::uint32_t>(integers[i][c]),
                  static_cast<std::uint32_t>(static_cast<std::int64_t>(expected[c])))
            << describe(image) << " component " << c;
      if (!format.integer()) expect_texel(floats[i], expected, false, image, describe(image));
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

// Whole coordinates with a sampler: clamped or border.
TEST_P(ImageSampling, WholeCoordinatesWithASampler) {
  Random random(0x7c + static_cast<std::uint64_t>(GetParam().type));
  for (const auto mode : {ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER}) {
    const HostImage image = random_image(random, image_format("16_16 unorm"), GetParam().type);
    const DeviceImage on_device(image);
    const ze_sampler_desc_t desc{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, mode, ZE_SAMPLER_FILTER_MODE_NEAREST, false};
    const DeviceSampler sampler(desc);
    Array<Int4> at(Samples);
    Array<Float4> out(Samples);
    for (std::uint32_t i = 0; i < Samples; ++i) at[i] = random_place(random, image);
    kernel(std::string("fetch_") + GetParam().name + "_f")
        .arguments(on_device.handle(), sampler.handle(), at, out)
        .run(Samples, 7);
    for (std::uint32_t i = 0; i < Samples; ++i) {
      Float4 as_float;
      for (std::size_t d = 0; d < 4; ++d) as_float[d] = static_cast<float>(at[i][d]);
      expect_texel(out[i], sample(image, desc, as_float), false, image, describe(image));
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

// Each place is written once; places outside write nothing.
TEST_P(ImageSampling, WritesRoundAndSaturate) {
  Random random(0x8d + static_cast<std::uint64_t>(GetParam().type));
  constexpr const char* swizzles[] = {"RGBA", "BGRA", "ARGB", "RGBA"};
  for (const ImageFormat& format : image_formats()) {
    HostImage image = random_image(random, format, GetParam().type, swizzles[random.next() % std::size(swizzles)]);
    const DeviceImage on_device(image);
    const int rows = image.extents() > 1 ? image.height : image.layers;
    const int slices = image.extents() > 2 ? image.depth : image.layers;
    const auto all = static_cast<std::uint32_t>(image.texels());
    Array<Int4> at(all), integers(all);
    Array<Float4> floats(all);
    std::vector<std::uint32_t> order(all);
    for (std::uint32_t i = 0; i < all; ++i) order[i] = i;
    for (std::uint32_t i = all; i-- > 1;) std::swap(order[i], order[random.next() % (i + 1)]);
    if (random.next() & 1)
      for (std::uint32_t i = 0; i < all; ++i) order[i] = i;
    for (std::uint32_t i = 0; i < all; ++i) {
      const int n = static_cast<int>(order[i]);
      const int x = n % image.width, y = image.extents() > 1 || image.array() ? n / image.width % rows : 0;
      const int z = n / image.width / rows % std::max(slices, 1);
      const bool outside = random.next() % 8 == 0;
      at[i] = {outside ? x + image.width : x, y, image.extents() > 1 ? z : 0, 0};
      Texel texel;
      for (std::size_t c = 0; c < 4; ++c) {
        floats[i][c] = random.next() % 8 ? random.real(-1.2f, 1.4f) : random.real(-1e5f, 1e5f);
        if (random.next() % 50 == 0) floats[i][c] = std::nanf("");
        integers[i][c] = random.next() % 4 ? static_cast<std::int32_t>(random.next() % 300) - 20
                                           : static_cast<std::int32_t>(random.next());
        texel[c] = format.integer() ? static_cast<double>(integers[i][c]) : static_cast<double>(floats[i][c]);
        if (format.type == ZE_IMAGE_FORMAT_TYPE_UINT) texel[c] = static_cast<std::uint32_t>(integers[i][c]);
      }
      if (!outside) {
        const auto bytes = encode(format, texel, image.swizzle);
        std::copy(bytes.begin(), bytes.end(),
                  image.bytes.begin() + static_cast<std::ptrdiff_t>(order[i]) * format.bytes);
      }
    }
    const std::string name = std::string("write_") + GetParam().name;
    if (format.integer())
      kernel(name + "_i").arguments(on_device.handle(), at, integers).run(all, 1 + (all % 2 ? 0 : 1));
    else
      kernel(name + "_f").arguments(on_device.handle(), at, floats).run(all, all);
    const auto bytes = on_device.bytes(image.bytes.size());
    for (std::size_t i = 0; i < all; ++i) {
      const Texel expected = decode(format, &image.bytes[i * format.bytes]),
                  found = decode(format, &bytes[i * format.bytes]);
      for (std::size_t c = 0; c < 4; ++c)
        ASSERT_TRUE(expected[c] == found[c] || (std::isnan(expected[c]) && std::isnan(found[c])))
            << describe(image) << " texel " << i << " component " << c << ": " << found[c] << " instead of "
            << expected[c];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ImageSampling, ::testing::ValuesIn(Dimensions),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace device_tests
