// What the tests of images in kernels share: images and samplers that go away by themselves, the kernels of images.cl,
// random contents, comparison of texels.
#pragma once
#include "fixture.hpp"
#include "image_reference.hpp"

#include <array>
#include <string>
#include <vector>

namespace device_tests {

using Float4 = std::array<float, 4>;
using Int4 = std::array<std::int32_t, 4>;

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
Kernel& kernel(const std::string& name);

// Any bits, but no floats whose sums would only be infinite or not a number.
HostImage random_image(Random& random, const ImageFormat& format, ze_image_type_t type, const char* swizzle = "RGBA");

// Exactly, or for sums of weighted texels within their rounding.
void expect_texel(const Float4& found, const Texel& expected, bool filtered, const HostImage& image,
                  const std::string& what);

// A number of work-items that fills no vector evenly.
constexpr std::uint32_t Samples = 91;

} // namespace device_tests
