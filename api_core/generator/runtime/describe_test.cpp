#include <cstring>

#include <gtest/gtest.h>
#include <zeroth/api/printers.hpp>

namespace zeroth {
namespace {

TEST(Describe, NamesEnumerators) {
  EXPECT_EQ(to_string(ZE_RESULT_NOT_READY), "ZE_RESULT_NOT_READY");
  EXPECT_EQ(to_string(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES), "ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES");
  EXPECT_EQ(to_string(static_cast<ze_result_t>(0x1234)), "0x1234");
  EXPECT_EQ(to_string(ZE_API_VERSION_CURRENT), "ZE_API_VERSION_1_20");
  EXPECT_STREQ(result_name(ZE_RESULT_ERROR_DEVICE_LOST), "ZE_RESULT_ERROR_DEVICE_LOST");
  EXPECT_STREQ(result_name(static_cast<ze_result_t>(-5)), "unknown result code");
}

TEST(Describe, NamesEachFlagAndKeepsUnknownBits) {
  EXPECT_EQ(flags_to_string<ze_init_flag_t>(3), "ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY");
  EXPECT_EQ(flags_to_string<ze_init_flag_t>(0), "0");
  EXPECT_EQ(flags_to_string<ze_init_flag_t>(0x101), "ZE_INIT_FLAG_GPU_ONLY | 0x100");
}

TEST(Describe, PrintsEveryMemberOfAStructure) {
  ze_module_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_NATIVE;
  desc.inputSize = 12;
  desc.pBuildFlags = "-g \"x\"\n";
  EXPECT_EQ(describe(desc), "ze_module_desc_t{stype = ZE_STRUCTURE_TYPE_MODULE_DESC, pNext = null, "
                            "format = ZE_MODULE_FORMAT_NATIVE, inputSize = 12, pInputModule = null, "
                            "pBuildFlags = \"-g \\\"x\\\"?\", pConstants = null}");
}

TEST(Describe, PrintsTextNestedStructuresBytesFlagsAndReals) {
  ze_device_properties_t device = {};
  std::strcpy(device.name, "cpu0");
  device.uuid.id[0] = 0xab;
  device.flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
  const std::string text = describe(device);
  EXPECT_NE(text.find("name = \"cpu0\""), std::string::npos) << text;
  EXPECT_NE(text.find("uuid = ze_device_uuid_t{id = ab000000"), std::string::npos) << text;
  EXPECT_NE(text.find("flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED"), std::string::npos) << text;
  zet_value_t value = {};
  value.fp32 = 1.5f;
  EXPECT_NE(describe(value).find("fp32 = 1.5"), std::string::npos);
}

TEST(Describe, PrintsTextThatFillsItsArray) {
  ze_driver_extension_properties_t extension;
  std::memset(&extension, 'x', sizeof extension);
  EXPECT_NE(describe(extension).find("name = \"" + std::string(ZE_MAX_EXTENSION_NAME, 'x') + "\""), std::string::npos);
}

} // namespace
} // namespace zeroth
