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
