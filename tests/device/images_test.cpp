// Image objects: properties, layouts, views, planes, memory of the program, and copies with every rule of their pages.
#include "image_reference.hpp"
#include "offers.hpp"

#include <cstring>
#include <unistd.h>

namespace device_tests {
namespace {

using Bytes = std::vector<std::uint8_t>;

ze_context_handle_t context() { return Device::get().context; }
ze_device_handle_t device() { return Device::get().device; }

Bytes random_bytes(std::uint64_t seed, std::size_t size) {
  Random random(seed);
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next() >> 5);
  return bytes;
}

ze_image_desc_t description(ze_image_type_t type, const char* format, std::uint64_t width, std::uint32_t height = 1,
                            std::uint32_t depth = 1, std::uint32_t layers = 0) {
  return {ZE_STRUCTURE_TYPE_IMAGE_DESC,
          nullptr,
          ZE_IMAGE_FLAG_KERNEL_WRITE,
          type,
          image_format(format).api(),
          width,
          height,
          depth,
          layers,
          0};
}

struct Images : ::testing::Test {
  std::vector<ze_image_handle_t> made;
  ~Images() override {
    while (!made.empty()) {
      EXPECT_OK(zeImageDestroy(made.back()));
      made.pop_back();
    }
  }

  ze_image_handle_t create(const ze_image_desc_t& desc) {
    ze_image_handle_t image = nullptr;
    EXPECT_OK(zeImageCreate(context(), device(), &desc, &image));
    if (image) made.push_back(image);
    return image;
  }
  ze_image_handle_t view(ze_image_handle_t of, const ze_image_desc_t& desc) {
    ze_image_handle_t image = nullptr;
    EXPECT_OK(zeImageViewCreateExt(context(), device(), &desc, of, &image));
    if (image) made.push_back(image);
    return image;
  }
  static void finish() { EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX)); }
  static void fill(ze_image_handle_t image, const Bytes& bytes) {
    EXPECT_OK(zeCommandListAppendImageCopyFromMemory(shared_list(), image, bytes.data(), nullptr, nullptr, 0, nullptr));
    finish();
  }
  static Bytes read(ze_image_handle_t image, std::size_t size, const ze_image_region_t* region = nullptr) {
    Bytes bytes(size);
    EXPECT_OK(zeCommandListAppendImageCopyToMemory(shared_list(), bytes.data(), image, region, nullptr, 0, nullptr));
    finish();
    return bytes;
  }
};

TEST_F(Images, PropertiesNameLimitsThatCreationKeeps) {
  ze_device_image_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES;
  ASSERT_OK(zeDeviceGetImageProperties(device(), &p));
  EXPECT_GE(p.maxImageDims2D, 8192u); // of OpenCL's full profile
  EXPECT_GE(p.maxSamplers, 16u);
  create(description(ZE_IMAGE_TYPE_2D, "8 unorm", p.maxImageDims2D, 1));
  create(description(ZE_IMAGE_TYPE_2D, "8 unorm", 1, p.maxImageDims2D));
  create(description(ZE_IMAGE_TYPE_1DARRAY, "8 unorm", 1, 1, 1, p.maxImageArraySlices));
  ze_image_handle_t image = nullptr;
  for (const ze_image_desc_t& desc : {description(ZE_IMAGE_TYPE_1D, "8 unorm", std::uint64_t{p.maxImageDims1D} + 1),
                                      description(ZE_IMAGE_TYPE_2D, "8 unorm", 1, p.maxImageDims2D + 1),
                                      description(ZE_IMAGE_TYPE_3D, "8 unorm", 1, 1, p.maxImageDims3D + 1),
                                      description(ZE_IMAGE_TYPE_2DARRAY, "8 unorm", 1, 1, 1, p.maxImageArraySlices + 1),
                                      description(ZE_IMAGE_TYPE_2D, "8 unorm", 0, 1)})
    EXPECT_EQ(zeImageCreate(context(), device(), &desc, &image), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Images, SupportIsToldBeforeCreation) {
  for (const ImageFormat& format : image_formats()) {
    const ze_image_desc_t desc = description(ZE_IMAGE_TYPE_2D, format.name, 4, 4);
    ze_image_format_support_ext_properties_t support{};
    support.stype = ZE_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES;
    ze_image_properties_t p{ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES, &support, 0};
    ASSERT_OK(zeImageGetProperties(device(), &desc, &p)) << format.name;
    EXPECT_TRUE(support.supported) << format.name;
    EXPECT_EQ(p.samplerFilterFlags, format.integer()
                                        ? +ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT
                                        : ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT | ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR)
        << format.name;
    create(desc);
  }
  for (const ze_image_format_layout_t layout :
       {ZE_IMAGE_FORMAT_LAYOUT_YUYV, ZE_IMAGE_FORMAT_LAYOUT_P8, ZE_IMAGE_FORMAT_LAYOUT_8}) {
    ze_image_desc_t desc = description(ZE_IMAGE_TYPE_2D, "8 unorm", 4, 4);
    desc.format.layout = layout;
    if (layout == ZE_IMAGE_FORMAT_LAYOUT_8) desc.format.type = ZE_IMAGE_FORMAT_TYPE_FLOAT;
    ze_image_format_support_ext_properties_t support{};
    support.stype = ZE_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES;
    ze_image_properties_t p{ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES, &support, 0};
    ASSERT_OK(zeImageGetProperties(device(), &desc, &p));
    EXPECT_FALSE(support.supported);
    EXPECT_EQ(p.samplerFilterFlags, 0u);
    ze_image_handle_t image = nullptr;
    EXPECT_EQ(zeImageCreate(context(), device(), &desc, &image), ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  }
}

TEST_F(Images, KernelArgumentsAreHandles) {
  Kernel kernel("sobel");
  const ze_image_handle_t image = create(description(ZE_IMAGE_TYPE_2D, "8_8_8_8 unorm", 4, 4));
  const ze_image_handle_t none = nullptr;
  EXPECT_OK(zeKernelSetArgumentValue(kernel.handle(), 0, sizeof image, &image));
  EXPECT_EQ(zeKernelSetArgumentValue(kernel.handle(), 0, 4, &image), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  EXPECT_EQ(zeKernelSetArgumentValue(kernel.handle(), 1, sizeof none, &none), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ze_image_desc_t planar = description(ZE_IMAGE_TYPE_2D, "8 unorm", 4, 4);
  planar.format.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
  const ze_image_handle_t planes = create(planar);
  EXPECT_EQ(zeKernelSetArgumentValue(kernel.handle(), 1, sizeof planes, &planes),
            ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
}

struct Shape {
  ze_image_type_t type;
  std::uint32_t width, height, depth, layers;
  std::uint32_t extents[3]; // as regions count them
};
constexpr Shape Shapes[] = {
    {ZE_IMAGE_TYPE_1D, 13, 1, 1, 0, {13, 1, 1}}, {ZE_IMAGE_TYPE_1DARRAY, 9, 1, 1, 5, {9, 5, 1}},
    {ZE_IMAGE_TYPE_2D, 11, 7, 1, 0, {11, 7, 1}}, {ZE_IMAGE_TYPE_2DARRAY, 6, 5, 1, 4, {6, 5, 4}},
    {ZE_IMAGE_TYPE_3D, 5, 4, 3, 0, {5, 4, 3}},   {ZE_IMAGE_TYPE_BUFFER, 130, 1, 1, 0, {130, 1, 1}}};

// A box of texels among texels without gaps.
Bytes box(const Bytes& all, const Shape& shape, std::size_t texel, const ze_image_region_t& r) {
  Bytes part;
  for (std::uint32_t z = r.originZ; z < r.originZ + r.depth; ++z)
    for (std::uint32_t y = r.originY; y < r.originY + r.height; ++y)
      for (std::size_t i = 0; i < r.width * texel; ++i)
        part.push_back(all[((std::size_t{z} * shape.extents[1] + y) * shape.extents[0] + r.originX) * texel + i]);
  return part;
}

TEST_F(Images, EveryShapeIsCopiedWholeAndByRegions) {
  Random random(11);
  for (const Shape& s : Shapes)
    for (const char* name : {"8 uint", "8_8_8 unorm", "16_16_16_16 float", "32_32_32_32 uint"}) {
      const std::size_t texel = image_format(name).bytes;
      const ze_image_desc_t desc = description(s.type, name, s.width, s.height, s.depth, s.layers);
      const ze_image_handle_t a = create(desc), b = create(desc);
      Bytes content = random_bytes(random.next(), std::size_t{s.extents[0]} * s.extents[1] * s.extents[2] * texel);
      fill(a, content);
      ASSERT_EQ(read(a, content.size()), content) << name;
      EXPECT_OK(zeCommandListAppendImageCopy(shared_list(), b, a, nullptr, 0, nullptr));
      finish();
      ASSERT_EQ(read(b, content.size()), content) << name;
      auto part = [&](std::uint32_t extent) { return random.next() % extent; };
      ze_image_region_t from{part(s.extents[0]), part(s.extents[1]), part(s.extents[2]), 1, 1, 1};
      from.width += part(s.extents[0] - from.originX);
      from.height += part(s.extents[1] - from.originY);
      from.depth += part(s.extents[2] - from.originZ);
      ASSERT_EQ(read(a, std::size_t{from.width} * from.height * from.depth * texel, &from),
                box(content, s, texel, from));
      const ze_image_region_t to{0, 0, 0, from.width, from.height, from.depth};
      EXPECT_OK(zeCommandListAppendImageCopyRegion(shared_list(), b, a, &to, &from, nullptr, 0, nullptr));
      finish();
      ASSERT_EQ(read(b, std::size_t{to.width} * to.height * to.depth * texel, &to), box(content, s, texel, from))
          << name;
    }
}

TEST_F(Images, CopiesThatCannotBeAreRefused) {
  const ze_image_handle_t image = create(description(ZE_IMAGE_TYPE_2D, "8_8_8_8 unorm", 8, 8));
  const ze_image_handle_t other = create(description(ZE_IMAGE_TYPE_2D, "16_16_16_16 unorm", 8, 8));
  ze_image_desc_t planar = description(ZE_IMAGE_TYPE_2D, "8 unorm", 8, 8);
  planar.format.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
  const ze_image_handle_t planes = create(planar);
  Bytes memory(8 * 8 * 16);
  auto list = shared_list();
  const ze_image_region_t whole{0, 0, 0, 8, 8, 1}, low{0, 0, 0, 5, 5, 1}, high{4, 4, 0, 4, 4, 1},
      corner{0, 0, 0, 4, 4, 1}, beyond{5, 0, 0, 4, 8, 1};
  const ze_image_region_t low4{1, 1, 0, 4, 4, 1};
  EXPECT_EQ(zeCommandListAppendImageCopyToMemory(list, memory.data(), image, &beyond, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeCommandListAppendImageCopyFromMemory(list, planes, memory.data(), nullptr, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeCommandListAppendImageCopy(list, image, other, nullptr, 0, nullptr), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeCommandListAppendImageCopyRegion(list, image, image, &whole, &low, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeCommandListAppendImageCopyRegion(list, image, image, &low4, &high, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  EXPECT_OK(zeCommandListAppendImageCopyRegion(list, image, image, &corner, &high, nullptr, 0, nullptr));
  finish();
}

// The pitch rules of zeCommandListAppendImageCopyToMemoryExt and …FromMemoryExt, shape by shape.
TEST_F(Images, PitchesOfMemory) {
  struct Case {
    std::uint32_t shape, row, slice;
    bool legal;
  };
  const std::uint32_t texel = 4;
  const Case cases[] = {
      {0, 0, 0, true},
      {0, 13 * texel, 0, false}, // 1D: rows have no pitch
      {0, 0, 13 * texel, false},
      {2, 11 * texel, 0, true},
      {2, 64, 0, true},
      {2, 11 * texel - 1, 0, false}, // shorter than a row
      {2, 0, 0, false},
      {2, 64, 64 * 7, false}, // 2D: no slices
      {4, 5 * texel, 5 * texel * 4, true},
      {4, 32, 256, true},
      {4, 32, 32 * 4 - 1, false}, // smaller than a slice
      {4, 32, 0, false},
      {3, 24, 24 * 5, true},
      {3, 24, 24 * 5 - 4, false},
      {1, 36, 36, true},
      {1, 36, 64, true},
      {1, 36, 32, false},
      {1, 32, 64, false},
  };
  for (const Case& c : cases) {
    const Shape& s = Shapes[c.shape];
    const ze_image_handle_t image = create(description(s.type, "8_8_8_8 uint", s.width, s.height, s.depth, s.layers));
    const Bytes content =
        random_bytes(c.row * 31 + c.slice, std::size_t{s.extents[0]} * s.extents[1] * s.extents[2] * texel);
    fill(image, content);
    Bytes memory(4096, 0xee), expected = memory;
    const ze_result_t result = zeCommandListAppendImageCopyToMemoryExt(shared_list(), memory.data(), image, nullptr,
                                                                       c.row, c.slice, nullptr, 0, nullptr);
    ASSERT_EQ(result, c.legal ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT)
        << c.shape << ": " << c.row << ' ' << c.slice;
    ASSERT_EQ(zeCommandListAppendImageCopyFromMemoryExt(shared_list(), image, expected.data(), nullptr, c.row, c.slice,
                                                        nullptr, 0, nullptr),
              result);
    finish();
    if (!c.legal) continue;
    const std::size_t row_bytes = s.extents[0] * texel, row = s.type == ZE_IMAGE_TYPE_1DARRAY ? c.slice : c.row;
    for (std::size_t z = 0; z < s.extents[2]; ++z)
      for (std::size_t y = 0; y < s.extents[1]; ++y)
        std::memcpy(&expected[z * c.slice + y * row], &content[(z * s.extents[1] + y) * row_bytes], row_bytes);
    ASSERT_EQ(memory, expected) << c.shape << ": " << c.row << ' ' << c.slice;
    fill(image, Bytes(content.size(), 0x77)); // so that the way back has something to do
    EXPECT_OK(zeCommandListAppendImageCopyFromMemoryExt(shared_list(), image, memory.data(), nullptr, c.row, c.slice,
                                                        nullptr, 0, nullptr));
    finish();
    ASSERT_EQ(read(image, content.size()), content);
  }
}

TEST_F(Images, ViewsShareTexels) {
  const ze_image_handle_t image = create(description(ZE_IMAGE_TYPE_2D, "8_8_8_8 unorm", 9, 5));
  const Bytes content = random_bytes(3, 9 * 5 * 4);
  fill(image, content);
  ze_image_handle_t other = view(image, description(ZE_IMAGE_TYPE_2D, "32 uint", 9, 5));
  EXPECT_EQ(read(other, content.size()), content);
  const Bytes changed = random_bytes(4, content.size());
  fill(other, changed);
  EXPECT_EQ(read(image, content.size()), changed);
  const ze_image_desc_t bytes = description(ZE_IMAGE_TYPE_2D, "8_8_8_8 snorm", 4, 5);
  ze_image_handle_t narrow = nullptr;
  ASSERT_OK(zeImageViewCreateExp(context(), device(), &bytes, image, &narrow));
  made.push_back(narrow);
  const Bytes part = read(narrow, 4 * 5 * 4);
  for (std::size_t y = 0; y < 5; ++y) EXPECT_EQ(std::memcmp(&part[y * 16], &changed[y * 36], 16), 0) << y;
  const ze_image_desc_t wrong_size = description(ZE_IMAGE_TYPE_2D, "16_16_16_16 uint", 9, 5),
                        too_large = description(ZE_IMAGE_TYPE_2D, "32 uint", 10, 5);
  EXPECT_EQ(zeImageViewCreateExt(context(), device(), &wrong_size, image, &other),
            ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  EXPECT_EQ(zeImageViewCreateExp(context(), device(), &too_large, image, &other), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Images, ViewsOutliveWhatTheySee) {
  const ze_image_desc_t desc = description(ZE_IMAGE_TYPE_2D, "8 uint", 8, 8);
  ze_image_handle_t image = nullptr;
  ASSERT_OK(zeImageCreate(context(), device(), &desc, &image));
  const Bytes content = random_bytes(5, 64);
  fill(image, content);
  const ze_image_handle_t seen = view(image, desc);
  ASSERT_OK(zeImageDestroy(image));
  EXPECT_EQ(read(seen, 64), content);
}

TEST_F(Images, PlanesAreReachedThroughViews) {
  ze_image_desc_t desc = description(ZE_IMAGE_TYPE_2D, "8 unorm", 12, 6);
  desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
  const ze_image_handle_t image = create(desc);
  ze_image_view_planar_ext_desc_t plane{ZE_STRUCTURE_TYPE_IMAGE_VIEW_PLANAR_EXT_DESC, nullptr, 0};
  ze_image_desc_t luma = description(ZE_IMAGE_TYPE_2D, "8 unorm", 12, 6),
                  chroma = description(ZE_IMAGE_TYPE_2D, "8_8 unorm", 6, 3);
  luma.pNext = chroma.pNext = &plane;
  const ze_image_handle_t y = view(image, luma);
  plane.planeIndex = 1;
  const ze_image_handle_t uv = view(image, chroma);
  const Bytes brightness = random_bytes(6, 72), colour = random_bytes(7, 36);
  fill(y, brightness);
  fill(uv, colour);
  EXPECT_EQ(read(y, 72), brightness);
  EXPECT_EQ(read(uv, 36), colour);
  ze_image_handle_t wrong = nullptr;
  plane.planeIndex = 2;
  EXPECT_EQ(zeImageViewCreateExt(context(), device(), &chroma, image, &wrong), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  chroma.pNext = nullptr;
  EXPECT_EQ(zeImageViewCreateExt(context(), device(), &chroma, image, &wrong), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Images, MemoryOfTheProgram) {
  std::size_t pitch = 0;
  ASSERT_OK(zeMemGetPitchFor2dImage(context(), device(), 10, 6, 4, &pitch));
  ASSERT_GE(pitch, 40u);
  Array<std::uint8_t> memory(pitch * 6);
  ze_image_pitched_exp_desc_t pitched{ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC, nullptr, memory.data()};
  ze_image_desc_t desc = description(ZE_IMAGE_TYPE_2D, "8_8_8_8 uint", 10, 6);
  desc.pNext = &pitched;
  const ze_image_handle_t image = create(desc);
  const Bytes content = random_bytes(8, 10 * 6 * 4);
  fill(image, content);
  for (std::size_t y = 0; y < 6; ++y) EXPECT_EQ(std::memcmp(memory.data() + y * pitch, &content[y * 40], 40), 0) << y;
  ze_image_memory_properties_exp_t p{};
  p.stype = ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES;
  ASSERT_OK(zeImageGetMemoryPropertiesExp(image, &p));
  EXPECT_EQ(p.rowPitch, pitch);
  EXPECT_EQ(p.size, pitch * 6);
  ze_image_allocation_ext_properties_t id{};
  id.stype = ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES;
  ASSERT_OK(zeImageGetAllocPropertiesExt(context(), image, &id));
  ze_memory_allocation_properties_t of_memory{};
  of_memory.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ASSERT_OK(zeMemGetAllocProperties(context(), memory.data(), &of_memory, nullptr));
  EXPECT_EQ(id.id, of_memory.id);
  ze_image_handle_t too_large = nullptr;
  desc.height = 7;
  EXPECT_EQ(zeImageCreate(context(), device(), &desc, &too_large), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Images, PitchesOfTheProgram) {
  Array<std::uint8_t> memory(200 * 6);
  ze_custom_pitch_exp_desc_t pitches{ZE_STRUCTURE_TYPE_CUSTOM_PITCH_EXP_DESC, nullptr, 200, 0};
  ze_image_pitched_exp_desc_t pitched{ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC, &pitches, memory.data()};
  ze_image_desc_t desc = description(ZE_IMAGE_TYPE_2D, "8_8_8_8 uint", 10, 6);
  desc.pNext = &pitched;
  const ze_image_handle_t image = create(desc);
  const Bytes content = random_bytes(9, 10 * 6 * 4);
  fill(image, content);
  for (std::size_t y = 0; y < 6; ++y) EXPECT_EQ(std::memcmp(memory.data() + y * 200, &content[y * 40], 40), 0) << y;
  pitches.rowPitch = 36;
  ze_image_handle_t wrong = nullptr;
  EXPECT_EQ(zeImageCreate(context(), device(), &desc, &wrong), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Images, ABufferAsAnImageNeedsNoMoreThanItsTexels) {
  Array<std::uint8_t> memory(130 * 3);
  ze_image_pitched_exp_desc_t pitched{ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC, nullptr, memory.data()};
  ze_image_desc_t desc = description(ZE_IMAGE_TYPE_BUFFER, "8_8_8 uint", 130);
  desc.pNext = &pitched;
  const ze_image_handle_t image = create(desc);
  const Bytes content = random_bytes(12, 130 * 3);
  fill(image, content);
  EXPECT_EQ(std::memcmp(memory.data(), content.data(), content.size()), 0);
}

TEST_F(Images, MemoryIsExportedAndImported) {
  NEEDS("images as a descriptor");
  const ze_external_memory_export_desc_t to_export{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, nullptr,
                                                   ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD};
  ze_image_desc_t desc = description(ZE_IMAGE_TYPE_2D, "8_8 unorm", 33, 9);
  desc.pNext = &to_export;
  const ze_image_handle_t image = create(desc);
  const Bytes content = random_bytes(10, 33 * 9 * 2);
  fill(image, content);
  ze_external_memory_export_fd_t exported{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr,
                                          ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, -1};
  ze_image_allocation_ext_properties_t properties{ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES, &exported, 0};
  ASSERT_OK(zeImageGetAllocPropertiesExt(context(), image, &properties));
  ASSERT_GE(exported.fd, 0);
  const ze_external_memory_import_fd_t to_import{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr,
                                                 ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, exported.fd};
  desc.pNext = &to_import;
  const ze_image_handle_t imported = create(desc);
  EXPECT_EQ(close(exported.fd), 0);
  EXPECT_EQ(read(imported, content.size()), content);
  const Bytes changed = random_bytes(11, content.size());
  fill(imported, changed);
  EXPECT_EQ(read(image, content.size()), changed);
}

TEST_F(Images, SamplersOfEveryMode) {
  for (int mode = 0; mode <= ZE_SAMPLER_ADDRESS_MODE_MIRROR; ++mode)
    for (int filter = 0; filter <= ZE_SAMPLER_FILTER_MODE_LINEAR; ++filter)
      for (ze_bool_t normalized : {ze_bool_t{0}, ze_bool_t{1}}) {
        const ze_sampler_desc_t desc{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr,
                                     static_cast<ze_sampler_address_mode_t>(mode),
                                     static_cast<ze_sampler_filter_mode_t>(filter), normalized};
        ze_sampler_handle_t sampler = nullptr;
        ASSERT_OK(zeSamplerCreate(context(), device(), &desc, &sampler));
        EXPECT_OK(zeSamplerDestroy(sampler));
      }
}

// Not even negative ones, which are less than the last enumerator.
TEST_F(Images, NumbersThatAreNoEnumeratorsAreRefused) {
  ze_image_handle_t image = nullptr;
  for (int wrong : {-1, 8, 1000}) {
    ze_image_desc_t desc = description(ZE_IMAGE_TYPE_2D, "8_8_8_8 unorm", 8, 8);
    desc.format.y = static_cast<ze_image_format_swizzle_t>(wrong);
    EXPECT_EQ(zeImageCreate(context(), device(), &desc, &image), ZE_RESULT_ERROR_INVALID_ENUMERATION) << wrong;
    desc = description(ZE_IMAGE_TYPE_2D, "8_8_8_8 unorm", 8, 8);
    desc.type = static_cast<ze_image_type_t>(wrong);
    EXPECT_EQ(zeImageCreate(context(), device(), &desc, &image), ZE_RESULT_ERROR_INVALID_ENUMERATION) << wrong;
    ze_sampler_handle_t sampler = nullptr;
    ze_sampler_desc_t sampling{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, static_cast<ze_sampler_address_mode_t>(wrong),
                               ZE_SAMPLER_FILTER_MODE_LINEAR, false};
    EXPECT_EQ(zeSamplerCreate(context(), device(), &sampling, &sampler), ZE_RESULT_ERROR_INVALID_ENUMERATION) << wrong;
    sampling.addressMode = ZE_SAMPLER_ADDRESS_MODE_CLAMP;
    sampling.filterMode = static_cast<ze_sampler_filter_mode_t>(wrong);
    EXPECT_EQ(zeSamplerCreate(context(), device(), &sampling, &sampler), ZE_RESULT_ERROR_INVALID_ENUMERATION) << wrong;
  }
}

TEST_F(Images, Residency) {
  const ze_image_handle_t image = create(description(ZE_IMAGE_TYPE_3D, "16 float", 3, 4, 5));
  EXPECT_OK(zeContextMakeImageResident(context(), device(), image));
  EXPECT_OK(zeContextEvictImage(context(), device(), image));
}

} // namespace
} // namespace device_tests
