// What tools are told about the device.
#include "fixture.hpp"

#include <cstring>
#include <level_zero/zet_api.h>

namespace device_tests {
namespace {

const Device& the() { return Device::get(); }

TEST(Tools, TheDeviceSaysWhetherDebuggersMayAttach) {
  zet_device_debug_properties_t properties{};
  properties.stype = ZET_STRUCTURE_TYPE_DEVICE_DEBUG_PROPERTIES;
  properties.flags = 0x5555;
  ASSERT_OK(zetDeviceGetDebugProperties(the().device, &properties));
  EXPECT_NE(properties.flags, 0x5555u);
  zet_debug_config_t config{1};
  zet_debug_session_handle_t session = nullptr;
  const bool refused = zetDebugAttach(the().device, &config, &session) == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  EXPECT_NE(refused, (properties.flags & ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH) != 0);
}

TEST(Tools, TheDeviceCountsItsMetrics) {
  std::uint32_t groups = 0x5555, programmables = 0x5555;
  ASSERT_OK(zetMetricGroupGet(the().device, &groups, nullptr));
  EXPECT_LT(groups, 0x5555u);
  ASSERT_OK(zetMetricProgrammableGetExp(the().device, &programmables, nullptr));
  EXPECT_LT(programmables, 0x5555u);
  EXPECT_OK(zetContextActivateMetricGroups(the().context, the().device, 0, nullptr));
}

TEST(Tools, DebugInformationIsAnObjectFile) {
  Kernel kernel("saxpy");
  std::size_t size = 0;
  ASSERT_OK(zetModuleGetDebugInfo(kernel.module(), ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF, &size, nullptr));
  ASSERT_GT(size, 64u);
  std::vector<std::uint8_t> bytes(size);
  ASSERT_OK(zetModuleGetDebugInfo(kernel.module(), ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF, &size, bytes.data()));
  EXPECT_EQ(std::memcmp(bytes.data(),
                        "\x7f"
                        "ELF",
                        4),
            0);
}

} // namespace
} // namespace device_tests
