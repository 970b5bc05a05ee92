// Case 27: 16 threads on the same handles, reading, enumerating, setting and listening.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <atomic>
#include <thread>

namespace {

using namespace zeroth::testing;

constexpr int Threads = 16, Rounds = 200;

void read_everything(zes_device_handle_t device, int thread) {
  const auto powers = all_of(zesDeviceEnumPowerDomains, device);
  const auto sensors = all_of(zesDeviceEnumTemperatureSensors, device);
  const auto engines = all_of(zesDeviceEnumEngineGroups, device);
  const auto clocks = all_of(zesDeviceEnumFrequencyDomains, device);
  ASSERT_EQ(powers.size(), 4u);
  for (int i = 0; i < Rounds; ++i) {
    zes_power_energy_counter_t energy{};
    ASSERT_EQ(zesPowerGetEnergyCounter(powers[1], &energy), ZE_RESULT_SUCCESS);
    EXPECT_GE(energy.energy, 5000000u);
    double celsius = 0;
    ASSERT_EQ(zesTemperatureGetState(sensors[i % 3], &celsius), ZE_RESULT_SUCCESS);
    EXPECT_GT(celsius, 40);
    zes_engine_stats_t stats{};
    ASSERT_EQ(zesEngineGetActivity(engines[0], &stats), ZE_RESULT_SUCCESS);
    zes_freq_state_t state{};
    state.stype = ZES_STRUCTURE_TYPE_FREQ_STATE;
    ASSERT_EQ(zesFrequencyGetState(clocks[i % 2], &state), ZE_RESULT_SUCCESS);
    if (thread % 4 == 0) {
      zes_temp_config_t config{};
      config.threshold1 = {true, false, 60.0 + i % 10};
      ASSERT_EQ(zesTemperatureSetConfig(sensors[0], &config), ZE_RESULT_SUCCESS);
      ASSERT_EQ(zesDeviceEventRegister(device, ZES_EVENT_TYPE_FLAG_TEMP_THRESHOLD1), ZE_RESULT_SUCCESS);
    }
    if (thread % 4 == 1) {
      uint32_t count = 0;
      zes_event_type_flags_t events = 0;
      ASSERT_EQ(zesDriverEventListen(first_driver(), 0, 1, &device, &count, &events), ZE_RESULT_SUCCESS);
    }
  }
}

TEST(SysmanThreads, sixteen_threads_read_enumerate_and_listen_on_the_same_handles) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use("interval: 1", "[{plugin: \"" FAKE_CPU "\"}]");
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < Threads; ++thread)
      threads.emplace_back([&, thread] {
        ++ready;
        while (ready < Threads) std::this_thread::yield();
        read_everything(first_device(), thread); // the first zesInit and the first look, too, are everybody's
      });
    for (auto& thread : threads) thread.join();
  });
}

TEST(SysmanThreads, all_register_for_the_drivers_events_and_enumerate_its_logs_at_once) {
  in_fresh_process([] {
    const Machine machine("container");
    machine.use("interval: 1", "[{plugin: \"" FAKE_CPU "\"}]");
    std::atomic<int> ready{0};
    std::vector<std::vector<zes_info_log_handle_t>> seen(Threads);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < Threads; ++thread)
      threads.emplace_back([&, thread] {
        ++ready;
        while (ready < Threads) std::this_thread::yield();
        for (int i = 0; i < Rounds; ++i) {
          const bool on = (i + thread) % 2 == 0;
          ASSERT_EQ(
              zesDriverEventRegisterExt(first_driver(), on ? ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT : 0),
              ZE_RESULT_SUCCESS);
          seen[thread] = all_of(zesDriverEnumInfoLogsExt, first_driver());
        }
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(seen[0].size(), 1u);
    for (const auto& handles : seen) EXPECT_EQ(handles, seen[0]);
  });
}

TEST(SysmanThreads, all_see_the_same_handles) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use("", "[{plugin: \"" FAKE_CPU "\"}]");
    std::vector<std::vector<zes_pwr_handle_t>> seen(Threads);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < Threads; ++thread)
      threads.emplace_back([&, thread] { seen[thread] = all_of(zesDeviceEnumPowerDomains, first_device()); });
    for (auto& thread : threads) thread.join();
    for (const auto& handles : seen) EXPECT_EQ(handles, seen[0]);
  });
}

} // namespace
