// What images are not: chains that name no sampler, texels that are not linear, copies onto themselves.
#include "image_reference.hpp"
#include "offers.hpp"

namespace device_tests {
namespace {

ze_context_handle_t context() { return Device::get().context; }
ze_device_handle_t device() { return Device::get().device; }

ze_image_desc_t description(const char* format, std::uint64_t width, std::uint32_t height) {
  ze_image_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
  desc.type = ZE_IMAGE_TYPE_2D;
  desc.format = image_format(format).api();
  desc.width = width;
  desc.height = height;
  desc.depth = 1;
  return desc;
}

struct ImageRefusals : ::testing::Test {
  std::vector<ze_image_handle_t> made;
  ~ImageRefusals() override {
    for (auto image : made) EXPECT_OK(zeImageDestroy(image));
  }
  ze_image_handle_t create(const ze_image_desc_t& desc) {
    ze_image_handle_t image = nullptr;
    EXPECT_OK(zeImageCreate(context(), device(), &desc, &image));
    if (image) made.push_back(image);
    return image;
  }
};

// A sampler comes with an image too.
TEST_F(ImageRefusals, NumbersThatAreNoEnumeratorsAreRefusedInChains) {
  for (int wrong : {-1, 99}) {
    ze_sampler_desc_t sampling{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, static_cast<ze_sampler_address_mode_t>(wrong),
                               ZE_SAMPLER_FILTER_MODE_LINEAR, false};
    ze_image_desc_t desc = description("8_8_8_8 unorm", 8, 8);
    desc.pNext = &sampling;
    ze_image_handle_t image = nullptr;
    EXPECT_EQ(zeImageCreate(context(), device(), &desc, &image), ZE_RESULT_ERROR_INVALID_ENUMERATION) << wrong;
    sampling.addressMode = ZE_SAMPLER_ADDRESS_MODE_CLAMP;
    sampling.filterMode = static_cast<ze_sampler_filter_mode_t>(wrong);
    EXPECT_EQ(zeImageCreate(context(), device(), &desc, &image), ZE_RESULT_ERROR_INVALID_ENUMERATION) << wrong;
    sampling.filterMode = ZE_SAMPLER_FILTER_MODE_LINEAR;
    create(desc);
  }
}

// Who asks for sRGB gets it or hears that it is not there: linear texels would be silently wrong.
TEST_F(ImageRefusals, TexelsInSrgbAreNotTakenForLinearOnes) {
  ze_srgb_ext_desc_t srgb{ZE_STRUCTURE_TYPE_SRGB_EXT_DESC, nullptr, true};
  ze_image_desc_t desc = description("8_8_8_8 unorm", 8, 8);
  const ze_image_handle_t linear = create(desc);
  desc.pNext = &srgb;
  ze_image_format_support_ext_properties_t support{};
  support.stype = ZE_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES;
  ze_image_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES;
  properties.pNext = &support;
  ze_image_handle_t image = nullptr;
  if (!offers_extension(ZE_SRGB_EXT_NAME)) {
    EXPECT_EQ(zeImageCreate(context(), device(), &desc, &image), ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
    EXPECT_EQ(zeImageViewCreateExt(context(), device(), &desc, linear, &image),
              ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
    ASSERT_OK(zeImageGetProperties(device(), &desc, &properties));
    EXPECT_FALSE(support.supported);
  }
  srgb.sRGB = false;
  create(desc);
  ASSERT_OK(zeImageGetProperties(device(), &desc, &properties));
  EXPECT_TRUE(support.supported);
}

// Multiplied by the image's height some of them are small again.
TEST_F(ImageRefusals, PitchesBeyondAllMemory) {
  NEEDS(ZE_BINDLESS_IMAGE_EXP_NAME);
  for (std::size_t row : {std::size_t{1} << 62, std::size_t{1} << 40, ~std::size_t{0} - 3})
    for (std::size_t slice : {std::size_t{0}, std::size_t{1} << 62}) {
      const ze_custom_pitch_exp_desc_t pitch{ZE_STRUCTURE_TYPE_CUSTOM_PITCH_EXP_DESC, nullptr, row, slice};
      ze_image_desc_t desc = description("8_8_8_8 unorm", 8, 8);
      desc.pNext = &pitch;
      ze_image_handle_t image = nullptr;
      EXPECT_NE(zeImageCreate(context(), device(), &desc, &image), ZE_RESULT_SUCCESS) << row << ' ' << slice;
    }
}

// Two images in one piece of the program's memory.
TEST_F(ImageRefusals, RegionsThatOverlapInMemoryAreRefused) {
  NEEDS(ZE_BINDLESS_IMAGE_EXP_NAME);
  Array<std::uint8_t> memory(64 * 16);
  ze_image_handle_t images[2];
  for (std::size_t i = 0; i < 2; ++i) {
    ze_image_pitched_exp_desc_t pitched{ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC, nullptr, memory.data() + 64 * 4 * i};
    ze_image_desc_t desc = description("8_8_8_8 uint", 16, 8);
    desc.pNext = &pitched;
    images[i] = create(desc);
  }
  auto copy = [&](std::uint32_t to_y, std::uint32_t from_y) {
    const ze_image_region_t to{0, to_y, 0, 16, 4, 1}, from{0, from_y, 0, 16, 4, 1};
    return zeCommandListAppendImageCopyRegion(shared_list(), images[1], images[0], &to, &from, nullptr, 0, nullptr);
  };
  EXPECT_EQ(copy(0, 4), ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  EXPECT_EQ(copy(0, 1), ZE_RESULT_ERROR_OVERLAPPING_REGIONS);
  EXPECT_OK(copy(0, 0));
  EXPECT_EQ(zeCommandListAppendImageCopy(shared_list(), images[1], images[0], nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
}

} // namespace
} // namespace device_tests
