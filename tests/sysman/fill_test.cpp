// Over drivers of others: what they serve is left alone, what they lack is filled, as the option `fill` says.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <level_zero/ze_api.h>

namespace {

using namespace zeroth::testing;

class SysmanFill : public ::testing::TestWithParam<std::string> {};

TEST_P(SysmanFill, a_driver_with_a_processor_and_no_sysman_gets_all_of_it) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use("", "[{library: \"" + GetParam() + "\"}]");
    const zes_device_handle_t device = first_device();
    ASSERT_NE(device, nullptr);
    zes_device_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    EXPECT_EQ(zesDeviceGetProperties(device, &properties), ZE_RESULT_SUCCESS);
    // These drivers say that their device is a GPU, and do not say where: nothing of this machine is told as its own.
    EXPECT_TRUE(all_of(zesDeviceEnumPowerDomains, device).empty());
    EXPECT_EQ(all_of(zesDriverEnumInfoLogsExt, first_driver()).size(), 1u);
    uint32_t count = 9;
    zes_event_type_flags_t events = 9;
    zes_device_handle_t list = device;
    EXPECT_EQ(zesDriverEventListen(first_driver(), 1, 1, &list, &count, &events), ZE_RESULT_SUCCESS);
    EXPECT_EQ(events, 0u);
  });
}
INSTANTIATE_TEST_SUITE_P(drivers, SysmanFill, ::testing::Values(FOREIGN_DDI, FOREIGN_PLAIN));

TEST(SysmanFillOption, missing_fills_what_a_device_lacks_and_keeps_what_it_has) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use("", "[{plugin: \"" FAKE_CPU "\"}]");
    const zes_device_handle_t device = first_device(); // the driver's own zesDeviceGet
    const auto powers = all_of(zesDeviceEnumPowerDomains, device);
    ASSERT_EQ(powers.size(), 4u);
    EXPECT_EQ(ask_plain(zesPowerGetEnergyCounter, powers[1]).energy, 5000000u);
  });
}

TEST(SysmanFillOption, none_leaves_a_driver_as_it_is) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use("fill: none", "[{plugin: \"" FAKE_CPU "\"}]");
    uint32_t count = 0;
    EXPECT_EQ(zesDeviceEnumPowerDomains(first_device(), &count, nullptr), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  });
}

TEST(SysmanFillOption, all_takes_every_function) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use("fill: all", "[{plugin: \"" FAKE_CPU "\"}]");
    EXPECT_EQ(all_of(zesDeviceEnumPowerDomains, first_device()).size(), 4u);
  });
}

struct Meter {
  std::size_t powers = 0, temperatures = 0;
  uint64_t energy = 0;      // of the first power domain
  ze_result_t limits{};     // what the driver's meter does not serve
  ze_result_t enumerated{}; // temperatures, which the driver does not serve
};

// A driver that meters power by itself and serves nothing else of sysman.
Meter meter_with(const char* fill) {
  const Machine machine("laptop");
  machine.use(fill, "[{plugin: \"" FAKE_METER "\"}]");
  const zes_device_handle_t device = first_device();
  Meter seen;
  const auto powers = all_of(zesDeviceEnumPowerDomains, device);
  seen.powers = powers.size();
  if (!powers.empty()) {
    zes_power_energy_counter_t energy{};
    EXPECT_EQ(zesPowerGetEnergyCounter(powers[0], &energy), ZE_RESULT_SUCCESS);
    seen.energy = energy.energy;
    uint32_t count = 0;
    seen.limits = zesPowerGetLimitsExt(powers[0], &count, nullptr);
  }
  uint32_t count = 0;
  seen.enumerated = zesDeviceEnumTemperatureSensors(device, &count, nullptr);
  seen.temperatures = seen.enumerated == ZE_RESULT_SUCCESS ? count : 0;
  return seen;
}

TEST(SysmanFillOption, missing_fills_beside_the_domains_that_a_driver_serves_itself) {
  in_fresh_process([] {
    const Meter seen = meter_with("fill: missing");
    EXPECT_EQ(seen.powers, 1u) << "the driver's, not the machine's four";
    EXPECT_EQ(seen.energy, 424242u);
    EXPECT_EQ(seen.limits, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) << "its object is not mixed with ours";
    EXPECT_EQ(seen.temperatures, 3u) << "the machine's, which the driver lacks";
  });
}

TEST(SysmanFillOption, none_leaves_its_domains_and_adds_nothing) {
  in_fresh_process([] {
    const Meter seen = meter_with("fill: none");
    EXPECT_EQ(seen.powers, 1u);
    EXPECT_EQ(seen.energy, 424242u);
    EXPECT_EQ(seen.enumerated, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  });
}

TEST(SysmanFillOption, all_replaces_its_domains) {
  in_fresh_process([] {
    const Meter seen = meter_with("fill: all");
    EXPECT_EQ(seen.powers, 4u);
    EXPECT_EQ(seen.energy, 9000000u) << "the laptop's";
    EXPECT_EQ(seen.temperatures, 3u);
  });
}

TEST(SysmanFillOption, a_wrong_word_is_refused_with_the_words_that_it_takes) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use("fill: some", "[{plugin: \"" FAKE_CPU "\"}]");
    uint32_t count = 0;
    EXPECT_EQ(zesDeviceEnumPowerDomains(first_device(), &count, nullptr), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
        << "the overlay is left out, the driver works";
  });
}

} // namespace
