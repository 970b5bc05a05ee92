// Kernels that meet images in other ways than by plain samples: literal samplers, buffers, both ways, questions,
// numbers, blocks; and whole image programs.
#include "image_fixture.hpp"
#include "offers.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sys/mman.h>

namespace device_tests {
namespace {

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

// Images are arguments whose values a clone must know by what they were, not by what the kernel was given for them.
TEST(ImageKernels, ClonesLaunchThemWithTheirImages) {
  NEEDS(ZE_COMMAND_LIST_CLONE_EXP_NAME);
  const Device& d = Device::get();
  HostImage image{image_format("32 float"), "RGBA", ZE_IMAGE_TYPE_2D};
  image.width = 4, image.height = 4;
  image.bytes.resize(image.texels() * 4);
  const DeviceImage on_device(image);
  const ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0,
                                    ZE_COMMAND_LIST_FLAG_IN_ORDER | ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE};
  ze_command_list_handle_t original = nullptr, clone = nullptr;
  ASSERT_OK(zeCommandListCreate(d.context, d.device, &desc, &original));
  ze_image_handle_t handle = on_device.handle();
  int rounds = 3;
  void* values[] = {&handle, &rounds};
  ASSERT_OK(zeCommandListAppendLaunchKernelWithArguments(original, kernel("add_one").handle(), {1, 1, 1}, {4, 4, 1},
                                                         values, nullptr, nullptr, 0, nullptr));
  ASSERT_OK(zeCommandListClose(original));
  ASSERT_OK(zeCommandListCreateCloneExp(original, &clone));
  EXPECT_OK(zeCommandListImmediateAppendCommandListsExp(shared_list(), 1, &clone, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  const auto bytes = on_device.bytes(image.bytes.size());
  float first = 0;
  std::memcpy(&first, bytes.data(), sizeof first);
  EXPECT_EQ(first, 3.0f);
  EXPECT_OK(zeCommandListDestroy(clone));
  EXPECT_OK(zeCommandListDestroy(original));
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
  NEEDS("the program's own memory");
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
    ASSERT_OK(zeImageCreate(Device::get().context, Device::get().device, &image_desc, &image)) << name;
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

TEST(ImageKernels, TellTheirOrderInTheNumbersOfOpenCL) {
  constexpr std::int32_t Rgba = 0x10B5;
  HostImage host{image_format("8_8_8_8 unorm"), "RGBA", ZE_IMAGE_TYPE_2D, 4, 4, 1, 1, {}};
  host.bytes.resize(host.texels() * 4);
  Array<std::int32_t> order(1);
  Kernel("image_order").arguments(DeviceImage(host).handle(), order).run(1, 1);
  EXPECT_EQ(order[0], Rgba);
}

// Blocks of a sub-group: each work-item's word next to its neighbour's, four bytes from the row's start. Reads beyond
// the right edge see the last texel.
TEST(ImageKernels, BlocksOfSubGroups) {
  for (const int width : {12, 6}) {
    HostImage host{image_format("32 uint"), "RGBA", ZE_IMAGE_TYPE_2D, width, 6, 1, 1, {}};
    HostImage other{image_format("32 uint"), "RGBA", ZE_IMAGE_TYPE_2D, 12, 6, 1, 1, {}};
    Random random(9);
    for (std::size_t i = 0; i < host.texels() * 4; ++i) host.bytes.push_back(static_cast<std::uint8_t>(random.next()));
    other.bytes.resize(other.texels() * 4);
    const DeviceImage from(host), to(other);
    Kernel("image_blocks").arguments(from.handle(), to.handle()).run(8, 8);
    const auto bytes = to.bytes(other.bytes.size());
    for (std::size_t y = 0; y < 6; ++y)
      for (std::size_t x = 0; x < 12; ++x) {
        const bool written = (y == 3 || y == 4) && x >= 1 && x < 9;
        std::uint32_t expected = 0, found = 0;
        const std::size_t source = std::min(x, static_cast<std::size_t>(width) - 1);
        if (written) std::memcpy(&expected, &host.bytes[((y - 2) * static_cast<std::size_t>(width) + source) * 4], 4);
        std::memcpy(&found, &bytes[(y * 12 + x) * 4], 4);
        ASSERT_EQ(found, expected) << width << ": " << x << ',' << y;
      }
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
