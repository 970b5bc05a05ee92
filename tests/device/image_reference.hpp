// Images and sampling as the OpenCL C specification words them, one texel at a time and independent of any device: what
// the tests of images compare with.
#pragma once
#include <level_zero/ze_api.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace device_tests {

// Bits of the channels in memory order: {size, first bit}.
struct ImageFormat {
  const char* name;
  ze_image_format_layout_t layout;
  ze_image_format_type_t type;
  unsigned bytes;
  std::vector<std::array<unsigned, 2>> channels;

  ze_image_format_t api(const char* swizzle = "RGBA") const;
  bool floating() const { return type == ZE_IMAGE_FORMAT_TYPE_FLOAT; }
  bool integer() const { return type == ZE_IMAGE_FORMAT_TYPE_UINT || type == ZE_IMAGE_FORMAT_TYPE_SINT; }
};

// All that a single-plane image can have.
const std::vector<ImageFormat>& image_formats();
const ImageFormat& image_format(const std::string& name);

using Texel = std::array<double, 4>;

// A texel's components from its bytes; the swizzle is letters of "RGBA01".
Texel decode(const ImageFormat& format, const std::uint8_t* bytes, const std::string& swizzle = "RGBA");
// The bytes of a texel; floats round to the nearest even.
std::vector<std::uint8_t> encode(const ImageFormat& format, const Texel& texel, const std::string& swizzle = "RGBA");

struct HostImage {
  ImageFormat format;
  std::string swizzle = "RGBA";
  ze_image_type_t type = ZE_IMAGE_TYPE_2D;
  int width = 1, height = 1, depth = 1, layers = 1;
  std::vector<std::uint8_t> bytes{}; // without gaps

  std::size_t texels() const { return std::size_t(width) * height * depth * layers; }
  ze_image_desc_t desc() const;
  Texel at(int x, int y, int z) const; // z: slice or layer; a 1D array's layers are rows
  Texel border() const;
  int extents() const {
    return type == ZE_IMAGE_TYPE_3D ? 3 : type == ZE_IMAGE_TYPE_2D || type == ZE_IMAGE_TYPE_2DARRAY ? 2 : 1;
  }
  bool array() const { return type == ZE_IMAGE_TYPE_1DARRAY || type == ZE_IMAGE_TYPE_2DARRAY; }
};

// read_image with a sampler.
Texel sample(const HostImage& image, const ze_sampler_desc_t& sampler, const std::array<float, 4>& at);
// read_image without one, or with whole coordinates: outside is the border.
Texel fetch(const HostImage& image, const std::array<int, 4>& at);

float half_to_float(std::uint16_t half);

} // namespace device_tests
