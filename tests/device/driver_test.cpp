// What the driver, the device and contexts tell about themselves; handles, names and identifiers that turn into each
// other.
#include "fixture.hpp"
#include "offers.hpp"

#include <algorithm>
#include <cstring>
#include <level_zero/zer_api.h>
#include <level_zero/zes_api.h>
#include <set>
#include <thread>

namespace device_tests {
namespace {

const Device& the() { return Device::get(); }

template <class T> T with_type(ze_structure_type_t type) {
  T made{};
  made.stype = type;
  return made;
}

TEST(Driver, IsOneOfThoseThatInitListed) {
  ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr, UINT32_MAX};
  std::uint32_t count = 0;
  ASSERT_OK(zeInitDrivers(&count, nullptr, &desc));
  ASSERT_GT(count, 0u);
  std::vector<ze_driver_handle_t> drivers(count);
  ASSERT_OK(zeInitDrivers(&count, drivers.data(), &desc));
  EXPECT_EQ(std::count(drivers.begin(), drivers.end(), the().driver), 1);
}

TEST(Driver, TellsItsVersionsAndItsUuid) {
  ze_api_version_t version{};
  ASSERT_OK(zeDriverGetApiVersion(the().driver, &version));
  EXPECT_GE(version, ZE_API_VERSION_1_0);
  auto first = with_type<ze_driver_properties_t>(ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES), second = first;
  ASSERT_OK(zeDriverGetProperties(the().driver, &first));
  ASSERT_OK(zeDriverGetProperties(the().driver, &second));
  EXPECT_GT(first.driverVersion, 0u);
  const ze_driver_uuid_t nothing{};
  EXPECT_NE(std::memcmp(&first.uuid, &nothing, sizeof nothing), 0);
  EXPECT_EQ(std::memcmp(&first.uuid, &second.uuid, sizeof nothing), 0);
}

TEST(Driver, ListsItsExtensionsOnce) {
  std::uint32_t count = 0;
  ASSERT_OK(zeDriverGetExtensionProperties(the().driver, &count, nullptr));
  ASSERT_GT(count, 0u);
  std::vector<ze_driver_extension_properties_t> extensions(count);
  ASSERT_OK(zeDriverGetExtensionProperties(the().driver, &count, extensions.data()));
  std::set<std::string> names;
  for (const auto& extension : extensions) {
    EXPECT_EQ(std::strncmp(extension.name, "ZE", 2), 0) << extension.name;
    EXPECT_GT(extension.version, 0u);
    EXPECT_TRUE(names.insert(extension.name).second) << extension.name;
  }
}

TEST(Driver, FindsFunctionsByName) {
  void* address = nullptr;
  ASSERT_OK(zeDriverGetExtensionFunctionAddress(the().driver, "zeDeviceGetProperties", &address));
  auto properties = with_type<ze_device_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
  ASSERT_OK(reinterpret_cast<decltype(&zeDeviceGetProperties)>(address)(the().device, &properties));
  EXPECT_GT(std::strlen(properties.name), 0u);
  EXPECT_NE(zeDriverGetExtensionFunctionAddress(the().driver, "zeNoSuchFunction", &address), ZE_RESULT_SUCCESS);
}

TEST(Driver, ExplainsTheLastError) {
  void* memory = nullptr;
  const ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  ASSERT_NE(zeMemAllocHost(the().context, &desc, 64, std::size_t{1} << 60, &memory), ZE_RESULT_SUCCESS);
  const char* text = nullptr;
  ASSERT_OK(zeDriverGetLastErrorDescription(the().driver, &text));
  ASSERT_NE(text, nullptr);
  EXPECT_NE(std::string(text).find("1152921504606846976"), std::string::npos) << text;
  const char* same = nullptr;
  ASSERT_OK(zerGetLastErrorDescription(&same));
  ASSERT_NE(same, nullptr);
  EXPECT_STREQ(same, text);
}

TEST(Driver, SharesMemoryAndEventsWithOtherProcesses) {
  auto properties = with_type<ze_driver_ipc_properties_t>(ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES);
  ASSERT_OK(zeDriverGetIpcProperties(the().driver, &properties));
  EXPECT_TRUE(properties.flags & ZE_IPC_PROPERTY_FLAG_MEMORY);
}

TEST(Device, HasAnIdentifier) {
  const std::uint32_t identifier = zerTranslateDeviceHandleToIdentifier(the().device);
  EXPECT_EQ(zerTranslateIdentifierToDeviceHandle(identifier), the().device);
}

TEST(Context, OfTheDriverIsAlwaysThere) {
  const ze_context_handle_t context = zeDriverGetDefaultContext(the().driver);
  ASSERT_NE(context, nullptr);
  const ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void* memory = nullptr;
  ASSERT_OK(zeMemAllocHost(context, &desc, 64, 64, &memory));
  EXPECT_OK(zeMemFree(context, memory));
  EXPECT_EQ(zeDriverGetDefaultContext(the().driver), context);
  EXPECT_NE(zerGetDefaultContext(), nullptr);
}

// It is the driver's: whoever asks next gets it too.
TEST(Context, OfTheDriverIsNotDestroyed) {
  const ze_context_handle_t context = zeDriverGetDefaultContext(the().driver);
  EXPECT_EQ(zeContextDestroy(context), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeDriverGetDefaultContext(the().driver), context);
  EXPECT_OK(zeContextGetStatus(context));
  const ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void* memory = nullptr;
  ASSERT_OK(zeMemAllocHost(context, &desc, 64, 64, &memory));
  EXPECT_OK(zeMemFree(context, memory));
}

TEST(Driver, TellsHowItFrees) {
  NEEDS(ZE_MEMORY_FREE_POLICIES_EXT_NAME);
  ze_driver_memory_free_ext_properties_t policies{};
  policies.stype = ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES;
  policies.freePolicies = 0x8000;
  ze_driver_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  properties.pNext = &policies;
  ASSERT_OK(zeDriverGetProperties(the().driver, &properties));
  EXPECT_NE(policies.freePolicies, 0u);
  EXPECT_EQ(policies.freePolicies & ~(ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE |
                                      ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE),
            0u);
}

// A whole device is nobody's part; a part names its whole.
TEST(Device, IsTheRootOfItsParts) {
  ze_device_handle_t root = the().context ? the().device : nullptr;
  ASSERT_OK(zeDeviceGetRootDevice(the().device, &root));
  EXPECT_EQ(root, nullptr);
  std::uint32_t count = 77;
  std::vector<ze_device_handle_t> parts(77);
  ASSERT_OK(zeDeviceGetSubDevices(the().device, &count, parts.data()));
  ASSERT_LT(count, 77u);
  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_OK(zeDeviceGetRootDevice(parts[i], &root));
    EXPECT_EQ(root, the().device);
  }
}

TEST(Device, TellsWhatItsModulesMayHold) {
  auto properties = with_type<ze_device_module_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES);
  ASSERT_OK(zeDeviceGetModuleProperties(the().device, &properties));
  EXPECT_GE(properties.spirvVersionSupported, ZE_MAKE_VERSION(1, 2));
  EXPECT_GE(properties.maxArgumentsSize, 1024u);
  EXPECT_TRUE(properties.fp32flags & ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST);
}

TEST(Device, TellsItsMemories) {
  std::uint32_t count = 0;
  ASSERT_OK(zeDeviceGetMemoryProperties(the().device, &count, nullptr));
  ASSERT_GT(count, 0u);
  std::vector<ze_device_memory_properties_t> memories(
      count, with_type<ze_device_memory_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES));
  ASSERT_OK(zeDeviceGetMemoryProperties(the().device, &count, memories.data()));
  EXPECT_GT(memories[0].totalSize, std::uint64_t{1} << 28);
  auto access = with_type<ze_device_memory_access_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES);
  ASSERT_OK(zeDeviceGetMemoryAccessProperties(the().device, &access));
  EXPECT_TRUE(access.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
  EXPECT_TRUE(access.deviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
  EXPECT_TRUE(access.sharedSingleDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
}

TEST(Device, TellsItsCaches) {
  std::uint32_t count = 0;
  ASSERT_OK(zeDeviceGetCacheProperties(the().device, &count, nullptr));
  ASSERT_GT(count, 0u);
  std::vector<ze_device_cache_properties_t> caches(
      count, with_type<ze_device_cache_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES));
  ASSERT_OK(zeDeviceGetCacheProperties(the().device, &count, caches.data()));
  for (const auto& cache : caches) EXPECT_GE(cache.cacheSize, 1024u);
}

TEST(Device, TellsHowItSharesMemory) {
  auto properties =
      with_type<ze_device_external_memory_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES);
  properties.memoryAllocationExportTypes = properties.imageExportTypes = 0x55555555;
  ASSERT_OK(zeDeviceGetExternalMemoryProperties(the().device, &properties));
  EXPECT_NE(properties.memoryAllocationExportTypes, 0x55555555u);
  EXPECT_NE(properties.imageExportTypes, 0x55555555u);
  ze_bool_t reachable = 2;
  ASSERT_OK(zeDeviceCanAccessPeer(the().device, the().device, &reachable));
  EXPECT_EQ(reachable, 1);
  auto peer = with_type<ze_device_p2p_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES);
  ASSERT_OK(zeDeviceGetP2PProperties(the().device, the().device, &peer));
  EXPECT_TRUE(peer.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS);
}

TEST(Device, TellsItsVectorWidths) {
  std::uint32_t count = 0;
  ASSERT_OK(zeDeviceGetVectorWidthPropertiesExt(the().device, &count, nullptr));
  ASSERT_GT(count, 0u);
  std::vector<ze_device_vector_width_properties_ext_t> widths(
      count, with_type<ze_device_vector_width_properties_ext_t>(ZE_STRUCTURE_TYPE_DEVICE_VECTOR_WIDTH_PROPERTIES_EXT));
  ASSERT_OK(zeDeviceGetVectorWidthPropertiesExt(the().device, &count, widths.data()));
  EXPECT_GE(widths[0].native_vector_width_float, 1u);
  EXPECT_EQ(widths[0].native_vector_width_char, 4 * widths[0].native_vector_width_float);
}

TEST(Device, CountsItsTime) {
  std::uint64_t host[2] = {}, device[2] = {};
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(zeDeviceGetGlobalTimestamps(the().device, &host[i], &device[i]));
    if (i == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_LT(host[0], host[1]);
  EXPECT_LT(device[0], device[1]);
}

TEST(Device, CountsItsEventsFarEnough) {
  std::uint64_t most = 0;
  ASSERT_OK(zeDeviceGetCounterBasedEventMaxValue(the().device, &most));
  EXPECT_GE(most, std::uint64_t{1} << 30);
}

TEST(Device, TellsItsImages) {
  auto properties = with_type<ze_device_image_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES);
  ASSERT_OK(zeDeviceGetImageProperties(the().device, &properties));
  EXPECT_GE(properties.maxImageDims2D, 8192u);
  EXPECT_GE(properties.maxSamplers, 16u);
}

TEST(PhysicalMemory, TellsItsSize) {
  std::size_t page = 0;
  ASSERT_OK(zeVirtualMemQueryPageSize(the().context, the().device, 1 << 20, &page));
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, 3 * page};
  ze_physical_mem_handle_t pages = nullptr;
  ASSERT_OK(zePhysicalMemCreate(the().context, the().device, &desc, &pages));
  auto properties = with_type<ze_physical_mem_properties_t>(ZE_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES);
  EXPECT_OK(zePhysicalMemGetProperties(the().context, pages, &properties));
  EXPECT_EQ(properties.size, 3 * page);
  EXPECT_OK(zePhysicalMemDestroy(the().context, pages));
}

} // namespace
} // namespace device_tests
