// The host processor: the same device in core and sysman, and what a recorded laptop tells about it.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <cstring>
#include <level_zero/ze_api.h>

namespace {

using namespace zeroth::testing;

TEST(SysmanHost, a_zes_function_before_zesInit_says_uninitialised) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    uint32_t count = 1;
    ze_driver_handle_t driver = nullptr;
    ASSERT_EQ(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zesDeviceGet(driver, &count, nullptr), ZE_RESULT_ERROR_UNINITIALIZED);
    EXPECT_EQ(zesDriverGet(&count, nullptr), ZE_RESULT_ERROR_UNINITIALIZED);
    ASSERT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zesDeviceGet(driver, &count, nullptr), ZE_RESULT_SUCCESS);
  });
}

TEST(SysmanHost, core_and_sysman_have_the_same_drivers_devices_and_uuids) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    setenv("ZES_ENABLE_SYSMAN", "1", 1);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    uint32_t drivers = 0, sysman_drivers = 0;
    ASSERT_EQ(zeDriverGet(&drivers, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesDriverGet(&sysman_drivers, nullptr), ZE_RESULT_SUCCESS);
    EXPECT_EQ(drivers, sysman_drivers);
    const zes_driver_handle_t driver = first_driver();
    const auto core = all_of(zeDeviceGet, driver);
    const auto sysman = all_of(zesDeviceGet, driver);
    ASSERT_EQ(core, sysman);
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    ASSERT_EQ(zeDeviceGetProperties(core[0], &properties), ZE_RESULT_SUCCESS);
    zes_device_ext_properties_t more{};
    more.stype = ZES_STRUCTURE_TYPE_DEVICE_EXT_PROPERTIES;
    zes_device_properties_t theirs{};
    theirs.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    theirs.pNext = &more;
    ASSERT_EQ(zesDeviceGetProperties(sysman[0], &theirs), ZE_RESULT_SUCCESS);
    EXPECT_EQ(std::memcmp(properties.uuid.id, theirs.core.uuid.id, 16), 0);
    EXPECT_EQ(std::memcmp(properties.uuid.id, more.uuid.id, 16), 0);
    EXPECT_EQ(more.type, ZES_DEVICE_TYPE_CPU);
    zes_device_handle_t found = nullptr;
    ze_bool_t inside = true;
    uint32_t number = 7;
    ASSERT_EQ(zesDriverGetDeviceByUuidExp(driver, more.uuid, &found, &inside, &number), ZE_RESULT_SUCCESS);
    EXPECT_EQ(found, sysman[0]);
    EXPECT_FALSE(inside);
  });
}

TEST(SysmanHost, reads_memory_frequency_temperature_and_power_of_a_laptop) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const zes_device_handle_t device = first_device();

    const auto memories = all_of(zesDeviceEnumMemoryModules, device);
    ASSERT_EQ(memories.size(), 1u);
    const auto memory = ask(zesMemoryGetState, memories[0], ZES_STRUCTURE_TYPE_MEM_STATE);
    EXPECT_EQ(memory.size, 16252928ull << 10);
    EXPECT_EQ(memory.free, 4194304ull << 10);
    const auto traffic = ask_plain(zesMemoryGetBandwidth, memories[0]);
    EXPECT_EQ(traffic.readCounter, 3000 * 64u);
    EXPECT_EQ(traffic.writeCounter, 2000 * 64u);

    const auto clocks = all_of(zesDeviceEnumFrequencyDomains, device);
    ASSERT_EQ(clocks.size(), 2u);
    EXPECT_DOUBLE_EQ(ask(zesFrequencyGetState, clocks[0], ZES_STRUCTURE_TYPE_FREQ_STATE).actual, 1800.123);
    const auto limits = ask(zesFrequencyGetProperties, clocks[0], ZES_STRUCTURE_TYPE_FREQ_PROPERTIES);
    EXPECT_DOUBLE_EQ(limits.min, 400);
    EXPECT_DOUBLE_EQ(limits.max, 4400);

    const auto sensors = all_of(zesDeviceEnumTemperatureSensors, device);
    ASSERT_EQ(sensors.size(), 3u) << "the package and two cores, neither disk nor board";
    double celsius = 0;
    ASSERT_EQ(zesTemperatureGetState(sensors[0], &celsius), ZE_RESULT_SUCCESS);
    EXPECT_DOUBLE_EQ(celsius, 51);

    const auto powers = all_of(zesDeviceEnumPowerDomains, device);
    ASSERT_EQ(powers.size(), 4u);
    EXPECT_EQ(ask_plain(zesPowerGetEnergyCounter, powers[0]).energy, 9000000u) << "psys covers all, and comes first";
    zes_pwr_handle_t card = nullptr;
    ASSERT_EQ(zesDeviceGetCardPowerDomain(device, &card), ZE_RESULT_SUCCESS);
    EXPECT_EQ(card, powers[0]);
  });
}

TEST(SysmanHost, a_changed_file_is_the_next_reading) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use();
    const auto sensors = all_of(zesDeviceEnumTemperatureSensors, first_device());
    double celsius = 0;
    ASSERT_EQ(zesTemperatureGetState(sensors[0], &celsius), ZE_RESULT_SUCCESS);
    machine.write("/sys/class/hwmon/hwmon3/temp1_input", "67500\n");
    ASSERT_EQ(zesTemperatureGetState(sensors[0], &celsius), ZE_RESULT_SUCCESS);
    EXPECT_DOUBLE_EQ(celsius, 67.5);
  });
}

TEST(SysmanHost, traffic_and_makers_of_a_servers_memory) {
  in_fresh_process([] {
    const Machine machine("server");
    machine.use();
    const auto memories = all_of(zesDeviceEnumMemoryModules, first_device());
    ASSERT_EQ(memories.size(), 6u) << "two nodes and four modules";
    machine.write("/perf/amd_umc_0/cas_read", "1000\n");
    const auto traffic = ask_plain(zesMemoryGetBandwidth, memories[0]);
    EXPECT_EQ(traffic.readCounter, 64 * (1000u + 10u)) << "two controllers, lines of 64 bytes";
    EXPECT_EQ(traffic.writeCounter, 64 * 40u);
    EXPECT_EQ(traffic.maxBandwidth, UINT64_MAX) << "not known";
    EXPECT_NE(traffic.timestamp, 0u);
    zes_mem_bandwidth_t of_module{};
    EXPECT_EQ(zesMemoryGetBandwidth(memories[2], &of_module), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    zes_mem_state_t state{};
    state.stype = ZES_STRUCTURE_TYPE_MEM_STATE;
    EXPECT_EQ(zesMemoryGetState(memories[2], &state), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    EXPECT_NE(last_error(first_driver()).find("spreads memory over all"), std::string::npos) << "why";
    zes_memory_vendor_info_ext_properties_t vendor{};
    vendor.stype = ZES_STRUCTURE_TYPE_MEMORY_VENDOR_INFO_EXT_PROPERTIES;
    zes_mem_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES;
    properties.pNext = &vendor;
    ASSERT_EQ(zesMemoryGetProperties(memories[2], &properties), ZE_RESULT_SUCCESS);
    EXPECT_STREQ(vendor.vendorName, "unknown") << "the firmware's tables are not there";
    EXPECT_EQ(vendor.vendorId, UINT32_MAX);
  });
}

// A table of one memory module as SMBIOS 3.2 has it.
std::string memory_device(const char* locator, const char* maker, uint16_t id) {
  std::string raw(0x54, '\0');
  raw[0] = 17, raw[1] = 0x54, raw[0x0c] = 1, raw[0x0d] = 0x40, raw[0x10] = 1, raw[0x17] = 2;
  raw[0x2c] = static_cast<char>(id), raw[0x2d] = static_cast<char>(id >> 8);
  return raw + locator + '\0' + maker + '\0' + '\0';
}

TEST(SysmanHost, modules_of_several_makers_are_told_apart_by_their_places) {
  in_fresh_process([] {
    const Machine machine("server");
    machine.write("/sys/firmware/dmi/entries/17-0/raw", memory_device("P0_A", "Samsung", 0xce80));
    machine.write("/sys/firmware/dmi/entries/17-1/raw", memory_device("P0_B", "Micron", 0x2c80));
    machine.write("/sys/devices/system/edac/mc/mc0/dimm0/dimm_label", "CPU P0_B\n");
    machine.use();
    const auto memories = all_of(zesDeviceEnumMemoryModules, first_device());
    const auto maker = [&](std::size_t i) {
      zes_memory_vendor_info_ext_properties_t vendor{};
      vendor.stype = ZES_STRUCTURE_TYPE_MEMORY_VENDOR_INFO_EXT_PROPERTIES;
      zes_mem_properties_t properties{};
      properties.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES;
      properties.pNext = &vendor;
      EXPECT_EQ(zesMemoryGetProperties(memories.at(i), &properties), ZE_RESULT_SUCCESS);
      return std::string(vendor.vendorName) + " " + std::to_string(vendor.vendorId);
    };
    EXPECT_EQ(maker(2), "Micron " + std::to_string(0x2c80));
    EXPECT_EQ(maker(3), "unknown " + std::to_string(UINT32_MAX)) << "its place is not named";
    EXPECT_EQ(maker(0), "unknown " + std::to_string(UINT32_MAX)) << "a node has modules of both";
  });
}

TEST(SysmanHost, this_machine_gives_its_memory_and_activity) {
  in_fresh_process([] {
    setenv("ZEROTH_CONFIG", "default", 1);
    const zes_device_handle_t device = first_device();
    const auto memories = all_of(zesDeviceEnumMemoryModules, device);
    ASSERT_FALSE(memories.empty());
    const auto memory = ask(zesMemoryGetState, memories[0], ZES_STRUCTURE_TYPE_MEM_STATE);
    EXPECT_GT(memory.size, memory.free);
    EXPECT_GT(memory.free, 0u);
    const auto engines = all_of(zesDeviceEnumEngineGroups, device);
    ASSERT_FALSE(engines.empty());
    EXPECT_GT(ask_plain(zesEngineGetActivity, engines[0]).activeTime, 0u);
  });
}

} // namespace
