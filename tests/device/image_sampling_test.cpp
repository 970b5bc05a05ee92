// Random images, samplers and coordinates against the reference: exactly, but for sums of weighted texels.
#include "fixture.hpp"
#include "image_reference.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <sys/mman.h>

namespace device_tests {
namespace {

using Float4 = std::array<float, 4>;
using Int4 = std::array<std::int32_t, 4>;

constexpr ze_sampler_address_mode_t Modes[] = {ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_ADDRESS_MODE_REPEAT,
                                               ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                               ZE_SAMPLER_ADDRESS_MODE_MIRROR};

class DeviceImage {
public:
  explicit DeviceImage(const HostImage& host) {
    const ze_image_desc_t desc = host.desc();
    EXPECT_OK(zeImageCreate(Device::get().context, Device::get().device, &desc, &image_));
    EXPECT_OK(
        zeCommandListAppendImageCopyFromMemory(shared_list(), image_, host.bytes.data(), nullptr, nullptr, 0, nullptr));
    EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  }
  ~DeviceImage() { zeImageDestroy(image_); }
  DeviceImage(const DeviceImage&) = delete;
  DeviceImage& operator=(const DeviceImage&) = delete;
  ze_image_handle_t handle() const { return image_; }

  std::vector<std::uint8_t> bytes(std::size_t size) const {
    std::vector<std::uint8_t> read(size);
    EXPECT_OK(zeCommandListAppendImageCopyToMemory(shared_list(), read.data(), image_, nullptr, nullptr, 0, nullptr));
    EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
    return read;
  }

private:
  ze_image_handle_t image_ = nullptr;
};

class DeviceSampler {
public:
  explicit DeviceSampler(const ze_sampler_desc_t& desc) {
    EXPECT_OK(zeSamplerCreate(Device::get().context, Device::get().device, &desc, &sampler_));
  }
  ~DeviceSampler() { zeSamplerDestroy(sampler_); }
  DeviceSampler(const DeviceSampler&) = delete;
  DeviceSampler& operator=(const DeviceSampler&) = delete;
  ze_sampler_handle_t handle() const { return sampler_; }

private:
  ze_sampler_handle_t sampler_ = nullptr;
};

// Kernels of images.cl, each made once.
Kernel& kernel(const std::string& name) {
  static auto& made = *new std::vector<std::pair<std::string, std::unique_ptr<Kernel>>>;
  for (auto& [known, k] : made)
    if (known == name) return *k;
  return *made.emplace_back(name, std::make_unique<Kernel>("images", name)).second;
}

struct Dimension {
  const char* name;
  ze_image_type_t type;
};
constexpr Dimension Dimensions[] = {{"1d", ZE_IMAGE_TYPE_1D},
                                    {"1d_array", ZE_IMAGE_TYPE_1DARRAY},
                                    {"2d", ZE_IMAGE_TYPE_2D},
                                    {"2d_array", ZE_IMAGE_TYPE_2DARRAY},
                                    {"3d", ZE_IMAGE_TYPE_3D}};

// Any bits, but no floats whose sums would only be infinite or not a number.
HostImage random_image(Random& random, const ImageFormat& format, ze_image_type_t type, const char* swizzle = "RGBA") {
  HostImage image{format, swizzle, type};
  image.width = 1 + static_cast<int>(random.next() % 23);
  if (image.extents() > 1) image.height = 1 + static_cast<int>(random.next() % 9);
  if (image.extents() > 2) image.depth = 1 + static_cast<int>(random.next() % 5);
  if (image.array()) image.layers = 1 + static_cast<int>(random.next() % 4);
  for (std::size_t i = 0; i < image.texels(); ++i) {
    std::vector<std::uint8_t> texel(format.bytes);
    for (std::uint8_t& byte : texel) byte = static_cast<std::uint8_t>(random.next() >> 7);
    if (format.floating())
      texel = encode(format, {random.real(-9, 9), random.real(-1, 9), random.real(0, 1), random.real(-2, 2)});
    image.bytes.insert(image.bytes.end(), texel.begin(), texel.end());
  }
  return image;
}

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

void expect_texel(const Float4& found, const Texel& expected, bool filtered, const HostImage& image,
                  const std::string& what) {
  for (std::size_t i = 0; i < 4; ++i) {
    const auto exact = static_cast<float>(expected[i]);
    if (!filtered) {
      ASSERT_TRUE(found[i] == exact || (std::isnan(found[i]) && std::isnan(exact)))
          << what << " component " << i << ": " << found[i] << " instead of " << exact;
      continue;
    }
    // The largest texel's size times some roundings.
    const double scale =
        image.format.floating()                                                                              ? 9
        : image.format.type == ZE_IMAGE_FORMAT_TYPE_UNORM || image.format.type == ZE_IMAGE_FORMAT_TYPE_SNORM ? 1
                                                                                                             : 1;
    ASSERT_NEAR(found[i], expected[i], scale * 1e-6) << what << " component " << i;
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

// A number of work-items that fills no vector evenly.
constexpr std::uint32_t Samples = 91;

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

TEST(ImageKernels, SamplersOfTheProgram) {
  Random random(3);
  HostImage image = random_image(random, image_format("8_8_8_8 unorm"), ZE_IMAGE_TYPE_2D);
  const DeviceImage on_device(image);
  Array<Float4> at(Samples), out(3 * Samples);
  for (std::uint32_t i = 0; i < Samples; ++i) at[i] = {random.real(-3, 3), random.real(-3, 3), 0, 0};
  kernel("literal_samplers").arguments(on_device.handle(), at, out).run(Samples, 13);
  auto desc = [](ze_sampler_address_mode_t mode, ze_sampler_filter_mode_t filter, ze_bool_t normalized) {
    return ze_sampler_desc_t{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, mode, filter, normalized};
  };
  for (std::uint32_t i = 0; i < Samples; ++i) {
    const Float4 eightfold{at[i][0] * 8, at[i][1] * 8, 0, 0};
    expect_texel(out[i],
                 sample(image, desc(ZE_SAMPLER_ADDRESS_MODE_MIRROR, ZE_SAMPLER_FILTER_MODE_LINEAR, true), at[i]), true,
                 image, "of the program");
    expect_texel(
        out[Samples + i],
        sample(image, desc(ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, ZE_SAMPLER_FILTER_MODE_NEAREST, false), eightfold),
        false, image, "of the kernel");
    expect_texel(out[2 * Samples + i],
                 sample(image, desc(ZE_SAMPLER_ADDRESS_MODE_REPEAT, ZE_SAMPLER_FILTER_MODE_LINEAR, true), at[i]), true,
                 image, "of the call");
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(ImageKernels, BuffersAsImages) {
  Random random(4);
  for (const char* name : {"32_32_32_32 float", "8_8_8_8 unorm", "16 snorm", "32_32_32 float"}) {
    HostImage image = random_image(random, image_format(name), ZE_IMAGE_TYPE_1D);
    image.type = ZE_IMAGE_TYPE_BUFFER;
    const DeviceImage on_device(image);
    Array<Int4> at(static_cast<std::size_t>(image.width));
    Array<Float4> out(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = {image.width - 1 - static_cast<int>(i), 0, 0, 0};
    kernel("read_buffer_f").arguments(on_device.handle(), at, out).run(static_cast<std::uint32_t>(at.size()), 1);
    for (std::size_t i = 0; i < at.size(); ++i) expect_texel(out[i], fetch(image, at[i]), false, image, name);
  }
}

TEST(ImageKernels, AKernelReadsWhatItWrote) {
  HostImage image{image_format("32 float"), "RGBA", ZE_IMAGE_TYPE_2D};
  image.width = 37, image.height = 8;
  image.bytes.resize(image.texels() * 4);
  const DeviceImage on_device(image);
  const int rounds = 5;
  kernel("add_one").arguments(on_device.handle(), rounds).run({37, 8}, {37, 2});
  const auto bytes = on_device.bytes(image.bytes.size());
  for (std::size_t i = 0; i < image.texels(); ++i) {
    float value;
    std::memcpy(&value, &bytes[i * 4], 4);
    ASSERT_EQ(value, 5.0f) << i;
  }
}

TEST(ImageKernels, KernelsAskForSizesAndFormats) {
  Random random(5);
  auto make = [&](const char* format, ze_image_type_t type, int w, int h, int d, int layers) {
    HostImage image{image_format(format), "RGBA", type, w, h, d, layers, {}};
    image.bytes.resize(image.texels() * image.format.bytes);
    return image;
  };
  const DeviceImage lines(make("8 unorm", ZE_IMAGE_TYPE_1DARRAY, 9, 1, 1, 3)),
      plane(make("8_8_8_8 unorm", ZE_IMAGE_TYPE_2D, 5, 6, 1, 1)),
      planes(make("16 sint", ZE_IMAGE_TYPE_2DARRAY, 7, 8, 1, 4)), space(make("32 float", ZE_IMAGE_TYPE_3D, 2, 3, 4, 1));
  Array<std::int32_t> out(12);
  kernel("ask").arguments(lines.handle(), plane.handle(), planes.handle(), space.handle(), out).run(1, 1);
  const std::int32_t expected[] = {9, 3, 5, 6, 6, 7, 8, 4, 2, 3, 4};
  for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(out[i], expected[i]) << i;
  EXPECT_EQ(out[11] & 15, 2); // UNORM_INT8, with or without the front end's offset
}

// Texels of 4 bytes in and out by rows, one row and one column at a time.
TEST(ImageKernels, TurnedImage) {
  Random random(6);
  HostImage image{image_format("8_8_8_8 unorm"), "RGBA", ZE_IMAGE_TYPE_2D, 64, 48, 1, 1, {}};
  for (std::size_t i = 0; i < image.texels() * 4; ++i) image.bytes.push_back(static_cast<std::uint8_t>(random.next()));
  HostImage turned = image;
  std::swap(turned.width, turned.height);
  const DeviceImage from(image), to(turned);
  kernel("turn").arguments(from.handle(), to.handle()).run({64, 48}, {32, 4});
  const auto bytes = to.bytes(turned.bytes.size());
  for (std::size_t y = 0; y < 48; ++y)
    for (std::size_t x = 0; x < 64; ++x)
      ASSERT_EQ(std::memcmp(&bytes[(x * 48 + y) * 4], &image.bytes[(y * 64 + x) * 4], 4), 0) << x << ',' << y;
}

// An image that ends with its page, before one that nobody may touch.
TEST(ImageKernels, NothingBehindTheLastTexelIsTouched) {
  const std::size_t page = 4096;
  auto* pages =
      static_cast<std::uint8_t*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + page, page, PROT_NONE), 0);
  const ze_sampler_desc_t desc{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                               ZE_SAMPLER_FILTER_MODE_LINEAR, false};
  const DeviceSampler sampler(desc);
  Random random(10);
  for (const char* name : {"8 unorm", "8_8 snorm", "5_6_5 unorm", "8_8_8 unorm", "8_8_8_8 unorm", "16_16_16 float",
                           "32_32 float", "32_32_32 float", "32_32_32_32 float"}) {
    HostImage host{image_format(name), "RGBA", ZE_IMAGE_TYPE_2D, 20, 3, 1, 1, {}};
    ze_custom_pitch_exp_desc_t pitches{ZE_STRUCTURE_TYPE_CUSTOM_PITCH_EXP_DESC, nullptr, 20u * host.format.bytes, 0};
    const ze_image_pitched_exp_desc_t pitched{ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC, &pitches,
                                              pages + page - pitches.rowPitch * 3};
    ze_image_desc_t image_desc = host.desc();
    image_desc.pNext = &pitched;
    ze_image_handle_t image = nullptr;
    if (zeImageCreate(Device::get().context, Device::get().device, &image_desc, &image) != ZE_RESULT_SUCCESS)
      GTEST_SKIP() << "the device does not share the program's memory";
    Array<Int4> places(60);
    Array<Float4> points(60), texels(60), out(60);
    for (std::uint32_t i = 0; i < 60; ++i) {
      places[i] = {static_cast<std::int32_t>(i % 20), static_cast<std::int32_t>(i / 20), 0, 0};
      points[i] = {random.real(-1, 22), random.real(-1, 4), 0, 0};
      texels[i] = {random.real(0, 1), random.real(0, 1), random.real(0, 1), random.real(0, 1)};
    }
    kernel("write_2d_f").arguments(image, places, texels).run(60, 20);
    host.bytes.assign(pages + page - pitches.rowPitch * 3, pages + page);
    kernel("read_2d_f").arguments(image, places, out).run(60, 20);
    for (std::uint32_t i = 0; i < 60; ++i) expect_texel(out[i], fetch(host, places[i]), false, host, name);
    kernel("sample_2d_f").arguments(image, sampler.handle(), points, out).run(60, 12);
    for (std::uint32_t i = 0; i < 60; ++i) expect_texel(out[i], sample(host, desc, points[i]), true, host, name);
    EXPECT_OK(zeImageDestroy(image));
  }
  munmap(pages, 2 * page);
}

// Images that kernels know by number (SPV_INTEL_bindless_images).
TEST(ImageKernels, BindlessImages) {
  Random random(8);
  HostImage host{image_format("8_8_8_8 unorm"), "RGBA", ZE_IMAGE_TYPE_2D, 13, 3, 1, 1, {}};
  for (std::size_t i = 0; i < host.texels() * 4; ++i) host.bytes.push_back(static_cast<std::uint8_t>(random.next()));
  const ze_sampler_desc_t sampler{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, ZE_SAMPLER_ADDRESS_MODE_CLAMP,
                                  ZE_SAMPLER_FILTER_MODE_LINEAR, false};
  const ze_image_bindless_exp_desc_t plain{ZE_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC, nullptr,
                                           ZE_IMAGE_BINDLESS_EXP_FLAG_BINDLESS};
  const ze_image_bindless_exp_desc_t sampled{ZE_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC, &sampler,
                                             ZE_IMAGE_BINDLESS_EXP_FLAG_BINDLESS |
                                                 ZE_IMAGE_BINDLESS_EXP_FLAG_SAMPLED_IMAGE};
  ze_image_handle_t images[2];
  std::uint64_t numbers[2];
  for (int i = 0; i < 2; ++i) {
    ze_image_desc_t desc = host.desc();
    desc.pNext = i ? &sampled : &plain;
    ASSERT_OK(zeImageCreate(Device::get().context, Device::get().device, &desc, &images[i]));
    ASSERT_OK(zeImageGetDeviceOffsetExp(images[i], &numbers[i]));
    EXPECT_OK(zeCommandListAppendImageCopyFromMemory(shared_list(), images[i], host.bytes.data(), nullptr, nullptr, 0,
                                                     nullptr));
  }
  Array<Float4> out(26);
  Kernel("bindless").arguments(numbers[0], numbers[1], out).run(13, 13);
  for (int x = 0; x < 13; ++x) {
    expect_texel(out[static_cast<std::size_t>(2 * x)], fetch(host, {x, 1, 0, 0}), false, host, "read");
    expect_texel(out[static_cast<std::size_t>(2 * x + 1)], sample(host, sampler, {static_cast<float>(x), 0.5f, 0, 0}),
                 true, host, "sampled");
  }
  for (ze_image_handle_t image : images) EXPECT_OK(zeImageDestroy(image));
}

// Blocks of a sub-group: each work-item's word next to its neighbour's, four bytes from the row's start.
TEST(ImageKernels, BlocksOfSubGroups) {
  HostImage host{image_format("32 uint"), "RGBA", ZE_IMAGE_TYPE_2D, 12, 6, 1, 1, {}};
  Random random(9);
  for (std::size_t i = 0; i < host.texels() * 4; ++i) host.bytes.push_back(static_cast<std::uint8_t>(random.next()));
  HostImage other = host;
  for (std::uint8_t& byte : other.bytes) byte = 0;
  const DeviceImage from(host), to(other);
  Kernel("image_blocks").arguments(from.handle(), to.handle()).run(8, 8);
  const auto bytes = to.bytes(host.bytes.size());
  for (std::size_t y = 0; y < 6; ++y)
    for (std::size_t x = 0; x < 12; ++x) {
      const bool written = (y == 3 || y == 4) && x >= 1 && x < 9;
      std::uint32_t expected = 0, found = 0;
      if (written) std::memcpy(&expected, &host.bytes[((y - 2) * 12 + x) * 4], 4);
      std::memcpy(&found, &bytes[(y * 12 + x) * 4], 4);
      ASSERT_EQ(found, expected) << x << ',' << y;
    }
}

// The kernel that the benchmarks run.
TEST(ImageKernels, Sobel) {
  Random random(7);
  HostImage image{image_format("8_8_8_8 unorm"), "RGBA", ZE_IMAGE_TYPE_2D, 96, 32, 1, 1, {}};
  for (std::size_t i = 0; i < image.texels() * 4; ++i)
    image.bytes.push_back(static_cast<std::uint8_t>(random.next() % 64));
  HostImage floats = image;
  floats.format = image_format("32_32_32_32 float");
  floats.bytes.assign(image.texels() * 16, 0);
  const DeviceImage from(image), to(floats);
  const DeviceSampler sampler(
      {ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_LINEAR, false});
  Kernel sobel("sobel");
  for (const auto& local : {std::pair{32u, 4u}, std::pair{12u, 8u}}) {
    sobel.arguments(from.handle(), to.handle(), sampler.handle()).run({96, 32}, local);
    const auto bytes = to.bytes(floats.bytes.size());
    auto at = [&](int x, int y) { return image.at(std::min(std::max(x, 0), 95), std::min(std::max(y, 0), 31), 0); };
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 96; ++x)
        for (std::size_t c = 0; c < 4; ++c) {
          double gx = 0, gy = 0;
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              // abs() of OpenCL C yields an unsigned number, and so do these products.
              gx += at(x + dx, y + dy)[c] * static_cast<std::uint32_t>(dx * (2 - std::abs(dy)));
              gy += at(x + dx, y + dy)[c] * static_cast<std::uint32_t>(dy * (2 - std::abs(dx)));
            }
          float found;
          std::memcpy(&found, &bytes[(static_cast<std::size_t>(y) * 96 + static_cast<std::size_t>(x)) * 16 + c * 4], 4);
          const double expected = std::sqrt(gx * gx + gy * gy);
          ASSERT_NEAR(found, expected, 1e-5 * expected) << x << ',' << y << " component " << c;
        }
  }
}

} // namespace
} // namespace device_tests
