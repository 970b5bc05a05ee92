// GPUs that come, go and give up, told by notices of the kernel's form over a network namespace of the test's own. The
// interval between two looks is so long that only a notice can end the wait.
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <linux/netlink.h>
#include <sched.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace zeroth::testing;
using namespace std::string_view_literals;

constexpr uint64_t Patience = 60'000;
constexpr const char* NoLooking = "interval: 600000";
const std::string Gpu = "/sys/bus/pci/devices/0000:03:00.0";

// What the kernel multicasts; in this namespace nobody else listens.
void notify(std::string_view message) {
  const int out = ::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
  sockaddr_nl to{};
  to.nl_family = AF_NETLINK;
  to.nl_groups = 1;
  EXPECT_EQ(::sendto(out, message.data(), message.size(), 0, reinterpret_cast<sockaddr*>(&to), sizeof to),
            ssize_t(message.size()));
  ::close(out);
}

zes_device_handle_t amd_gpu(zes_driver_handle_t& driver) {
  EXPECT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
  uint32_t count = 2;
  zes_driver_handle_t drivers[2] = {};
  EXPECT_EQ(zesDriverGet(&count, drivers), ZE_RESULT_SUCCESS);
  driver = drivers[1];
  return all_of(zesDeviceGet, driver).at(1);
}

// Lets something happen and says so again and again until the listener has heard it.
template <class Happen>
zes_event_type_flags_t listen_while(zes_driver_handle_t driver, zes_device_handle_t gpu, Happen happen,
                                    std::string_view notice) {
  std::atomic<bool> heard{false};
  std::thread outside([&] {
    happen();
    while (!heard) notify(notice), std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  uint32_t count = 0;
  zes_event_type_flags_t events = 0;
  EXPECT_EQ(zesDriverEventListenEx(driver, Patience, 1, &gpu, &count, &events), ZE_RESULT_SUCCESS);
  heard = true;
  outside.join();
  return events;
}

template <class Body> void with_own_notices(Body body) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may make a network namespace";
  in_fresh_process([&] {
    ASSERT_EQ(::unshare(CLONE_NEWNET), 0);
    body();
  });
}

TEST(SysmanHotplug, a_gpu_that_is_unplugged_and_comes_back) {
  with_own_notices([] {
    const Machine machine("gpus");
    machine.use(NoLooking);
    zes_driver_handle_t driver = nullptr;
    const zes_device_handle_t gpu = amd_gpu(driver);
    ASSERT_EQ(zesDeviceEventRegister(gpu, ZES_EVENT_TYPE_FLAG_DEVICE_DETACH | ZES_EVENT_TYPE_FLAG_DEVICE_ATTACH),
              ZE_RESULT_SUCCESS);
    const auto away = machine.folder() / "away";
    const auto unplug = [&] { std::filesystem::rename(machine.file(Gpu), away); };
    EXPECT_EQ(
        listen_while(driver, gpu, unplug, "remove@/devices/pci0000:00/0000:03:00.0\0ACTION=remove\0SUBSYSTEM=pci\0"sv),
        zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_DEVICE_DETACH));
    zes_device_state_t state{};
    state.stype = ZES_STRUCTURE_TYPE_DEVICE_STATE;
    EXPECT_EQ(zesDeviceGetState(gpu, &state), ZE_RESULT_ERROR_DEVICE_LOST);
    const auto plug = [&] { std::filesystem::rename(away, machine.file(Gpu)); };
    EXPECT_EQ(listen_while(driver, gpu, plug, "add@/devices/pci0000:00/0000:03:00.0\0ACTION=add\0SUBSYSTEM=pci\0"sv),
              zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_DEVICE_ATTACH));
    EXPECT_EQ(zesDeviceGetState(gpu, &state), ZE_RESULT_SUCCESS);
  });
}

TEST(SysmanHotplug, a_gpu_that_its_driver_gave_up_needs_a_reset) {
  with_own_notices([] {
    const Machine machine("gpus");
    machine.use(NoLooking);
    zes_driver_handle_t driver = nullptr;
    const zes_device_handle_t gpu = amd_gpu(driver);
    ASSERT_EQ(zesDeviceEventRegister(gpu, ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED), ZE_RESULT_SUCCESS);
    zes_info_log_instance_ext_desc_t desc{};
    desc.stype = ZES_STRUCTURE_TYPE_INFO_LOG_INSTANCE_EXT_DESC;
    zes_info_log_instance_handle_t log = nullptr;
    ASSERT_EQ(zesInfoLogCreateInstanceExt(all_of(zesDriverEnumInfoLogsExt, driver).at(0), nullptr, &desc, &log),
              ZE_RESULT_SUCCESS);
    EXPECT_EQ(listen_while(
                  driver, gpu, [] {},
                  "change@/devices/pci0000:00/0000:03:00.0/drm/card0\0SUBSYSTEM=drm\0WEDGED=bus-reset\0"sv),
              zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_DEVICE_RESET_REQUIRED));
    zes_device_ext_state_t more{};
    more.stype = ZES_STRUCTURE_TYPE_DEVICE_EXT_STATE;
    zes_device_state_t state{};
    state.stype = ZES_STRUCTURE_TYPE_DEVICE_STATE;
    state.pNext = &more;
    ASSERT_EQ(zesDeviceGetState(gpu, &state), ZE_RESULT_SUCCESS);
    EXPECT_EQ(state.reset, zes_reset_reason_flags_t(ZES_RESET_REASON_FLAG_WEDGED));
    EXPECT_EQ(more.flags, zes_device_state_ext_flags_t(ZES_DEVICE_STATE_EXT_FLAG_WEDGED));
    uint8_t bytes[1024];
    uint32_t size = sizeof bytes, records = 1;
    zes_info_log_metadata_ext_t about{};
    about.stype = ZES_STRUCTURE_TYPE_INFO_LOG_METADATA_EXT;
    ASSERT_EQ(zesInfoLogInstanceReadWithMetadataExt(log, 1000, &size, bytes, &records, &about, nullptr),
              ZE_RESULT_SUCCESS);
    ASSERT_EQ(records, 1u);
    EXPECT_EQ(about.recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL);
    EXPECT_EQ(about.address.bus, 3u);
  });
}

} // namespace
