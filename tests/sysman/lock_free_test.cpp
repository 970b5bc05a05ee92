// The specification wants some functions to be lock-free: they take no lock of the threads' library, which this program
// stands in front of. The first call, which finds out what there is, may.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <dlfcn.h>
#include <pthread.h>

namespace {

thread_local int locks_taken = 0;

template <class Lock> using Take = int (*)(Lock*);

template <class Lock> Take<Lock> library(const char* name) {
  return reinterpret_cast<Take<Lock>>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {
__attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t* lock) {
  static const auto next = library<pthread_mutex_t>("pthread_mutex_lock");
  return ++locks_taken, next(lock);
}
__attribute__((visibility("default"))) int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  static const auto next = library<pthread_rwlock_t>("pthread_rwlock_rdlock");
  return ++locks_taken, next(lock);
}
__attribute__((visibility("default"))) int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  static const auto next = library<pthread_rwlock_t>("pthread_rwlock_wrlock");
  return ++locks_taken, next(lock);
}
}

namespace {

using namespace zeroth::testing;

template <class Call> int locks_of(Call call) {
  call();
  locks_taken = 0;
  call();
  return locks_taken;
}

TEST(SysmanLocks, a_function_that_locks_is_noticed) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use("", "[{plugin: \"" FAKE_CPU "\"}]");
    const auto sensor = all_of(zesDeviceEnumTemperatureSensors, first_device()).at(0);
    EXPECT_GT(locks_of([&] { ask(zesTemperatureGetConfig, sensor, ZES_STRUCTURE_TYPE_TEMP_CONFIG); }), 0);
  });
}

TEST(SysmanLocks, enumerating_info_logs_takes_none) {
  in_fresh_process([] {
    const Machine machine("container");
    machine.use("", "[{plugin: \"" FAKE_CPU "\"}]");
    const zes_driver_handle_t driver = first_driver();
    EXPECT_EQ(locks_of([&] {
                uint32_t count = 1;
                zes_info_log_handle_t log = nullptr;
                zesDriverEnumInfoLogsExt(driver, &count, &log);
              }),
              0);
  });
}

TEST(SysmanLocks, enumerating_and_reading_sensors_takes_none) {
  in_fresh_process([] {
    const Machine machine("laptop");
    machine.use("", "[{plugin: \"" FAKE_CPU "\"}]");
    const zes_device_handle_t device = first_device();
    EXPECT_EQ(locks_of([&] {
                uint32_t count = 3;
                zes_temp_handle_t sensors[3] = {};
                zesDeviceEnumTemperatureSensors(device, &count, sensors);
                double celsius = 0;
                zesTemperatureGetState(sensors[0], &celsius);
              }),
              0);
  });
}

} // namespace
