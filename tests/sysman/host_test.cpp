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

ze_result_t start_core() { return zeInit(0); }
ze_result_t start_core_by_list() {
  ze_init_driver_type_desc_t desc{ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, nullptr, UINT32_MAX};
  uint32_t count = 0;
  return zeInitDrivers(&count, nullptr, &desc);
}
ze_result_t start_sysman() { return zesInit(0); }

// Drivers, devices and parts of devices as both families list them, by name and by uuid.
void expect_both_families_agree() {
  const auto list = [](auto get) {
    uint32_t count = 8;
    std::vector<void*> drivers(count);
    EXPECT_EQ(get(&count, drivers.data()), ZE_RESULT_SUCCESS);
    drivers.resize(count);
    return drivers;
  };
  const auto core =
      list([](uint32_t* n, void** to) { return zeDriverGet(n, reinterpret_cast<ze_driver_handle_t*>(to)); });
  const auto sysman =
      list([](uint32_t* n, void** to) { return zesDriverGet(n, reinterpret_cast<zes_driver_handle_t*>(to)); });
  ASSERT_EQ(core, sysman);
  for (void* one : core) {
    const auto driver = static_cast<zes_driver_handle_t>(one);
    const auto devices = all_of(zeDeviceGet, driver);
    ASSERT_EQ(devices, all_of(zesDeviceGet, driver)) << "the same handles in the same order";
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const auto parts = all_of(zeDeviceGetSubDevices, devices[i]);
      auto whole = ask(zesDeviceGetProperties, devices[i], ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES);
      EXPECT_EQ(whole.numSubdevices, parts.size());
      uint32_t count = 0;
      EXPECT_EQ(zesDeviceGetSubDevicePropertiesExp(devices[i], &count, nullptr), ZE_RESULT_SUCCESS);
      EXPECT_EQ(count, parts.size());
      for (std::size_t part = 0; part <= parts.size(); ++part) {
        const ze_device_handle_t device = part == 0 ? devices[i] : parts[part - 1];
        ze_device_properties_t properties{};
        properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
        ASSERT_EQ(zeDeviceGetProperties(device, &properties), ZE_RESULT_SUCCESS);
        zes_uuid_t uuid;
        std::memcpy(uuid.id, properties.uuid.id, sizeof uuid.id);
        zes_device_handle_t found = nullptr;
        ze_bool_t inside = false;
        uint32_t number = 99;
        ASSERT_EQ(zesDriverGetDeviceByUuidExp(driver, uuid, &found, &inside, &number), ZE_RESULT_SUCCESS) << part;
        EXPECT_EQ(found, devices[i]);
        EXPECT_EQ(inside, part != 0);
        EXPECT_TRUE(part == 0 || number == properties.subdeviceId) << number;
      }
    }
  }
}

TEST(SysmanHost, every_order_of_both_starts_gives_the_same_devices) {
  using Start = ze_result_t (*)();
  const std::vector<std::vector<Start>> orders = {{start_core, start_sysman},
                                                  {start_sysman, start_core},
                                                  {start_core_by_list, start_sysman, start_core},
                                                  {start_sysman, start_core_by_list},
                                                  {start_core}}; // with ZES_ENABLE_SYSMAN
  for (const char* options : {"", "options: {sub_devices: 2}"})
    for (const char* hierarchy : {"COMPOSITE", "FLAT"})
      for (std::size_t order = 0; order < orders.size(); ++order)
        in_fresh_process([&] {
          const Machine machine("server");
          machine.use("", std::string("[{plugin: cpu, ") + options + "}]");
          setenv("ZE_FLAT_DEVICE_HIERARCHY", hierarchy, 1);
          if (orders[order].size() == 1) setenv("ZES_ENABLE_SYSMAN", "1", 1);
          for (const Start start : orders[order]) ASSERT_EQ(start(), ZE_RESULT_SUCCESS);
          expect_both_families_agree();
        });
}

// What hwloc asks of each device to place it in the machine.
TEST(SysmanHost, clients_that_place_devices_get_the_same_from_core_and_sysman) {
  for (const char* name : {"laptop", "server", "container"})
    in_fresh_process([&] {
      const Machine machine(name);
      machine.use();
      setenv("ZES_ENABLE_SYSMAN", "1", 1);
      ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
      const zes_device_handle_t device = first_device();
      ze_pci_ext_properties_t core{};
      core.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES;
      zes_pci_properties_t sysman{};
      sysman.stype = ZES_STRUCTURE_TYPE_PCI_PROPERTIES;
      EXPECT_EQ(zeDevicePciGetPropertiesExt(device, &core), zesDevicePciGetProperties(device, &sysman))
          << "a processor is on no bus for either";
      uint32_t vertices = 9, ports = 9;
      const ze_result_t listed = zeFabricVertexGetExp(first_driver(), &vertices, nullptr);
      EXPECT_EQ(zesDeviceEnumFabricPorts(device, &ports, nullptr), ZE_RESULT_SUCCESS);
      EXPECT_EQ(ports, listed == ZE_RESULT_SUCCESS ? vertices : 0u);
    });
}

TEST(SysmanHost, this_machines_memory_is_as_large_for_core_as_for_sysman) {
  in_fresh_process([] {
    setenv("ZEROTH_CONFIG", "default", 1);
    setenv("ZES_ENABLE_SYSMAN", "1", 1);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    const zes_device_handle_t device = first_device();
    uint64_t core = 0, sysman = 0;
    uint32_t count = 8;
    std::vector<ze_device_memory_properties_t> memories(count);
    for (auto& one : memories) one.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
    ASSERT_EQ(zeDeviceGetMemoryProperties(device, &count, memories.data()), ZE_RESULT_SUCCESS);
    for (uint32_t i = 0; i < count; ++i) core += memories[i].totalSize;
    for (const auto module : all_of(zesDeviceEnumMemoryModules, device)) {
      zes_mem_state_t state{};
      state.stype = ZES_STRUCTURE_TYPE_MEM_STATE;
      if (zesMemoryGetState(module, &state) == ZE_RESULT_SUCCESS) sysman += state.size;
    }
    EXPECT_NEAR(double(core), double(sysman), double(core) / 100);
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
