// What ends the wait of a listening thread, the kernel's own notices among it.
#include "bell.hpp"
#include "notices.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

namespace {

using zeroth::sysman::Bell;
using Woken = Bell::Ear::Woken;
using std::chrono::milliseconds;

constexpr milliseconds Patience = std::chrono::minutes(1);

TEST(SysmanBell, a_ring_before_the_wait_is_kept) {
  Bell bell;
  Bell::Ear ear(bell, false);
  EXPECT_EQ(ear.wait(milliseconds(0)), Woken::Time);
  bell.ring();
  bell.ring();
  EXPECT_EQ(ear.wait(Patience), Woken::Bell);
  EXPECT_EQ(ear.wait(milliseconds(0)), Woken::Time) << "both rings are heard at once";
}

TEST(SysmanBell, every_ear_hears_a_ring_of_another_thread) {
  Bell bell;
  Bell::Ear first(bell, false), second(bell, false);
  std::thread other([&] { bell.ring(); });
  EXPECT_EQ(first.wait(Patience), Woken::Bell);
  EXPECT_EQ(second.wait(Patience), Woken::Bell);
  other.join();
}

// Writing to `uevent` makes the kernel send the notice that a device changed.
TEST(SysmanBell, a_notice_of_the_kernel_about_a_device_ends_the_wait) {
  Bell bell;
  Bell::Ear ear(bell, true);
  if (!ear.hears_devices()) GTEST_SKIP() << "no netlink socket may be opened here";
  std::ofstream uevent("/sys/devices/system/cpu/cpu0/uevent");
  if (!(uevent << "change" << std::flush)) GTEST_SKIP() << "only root makes the kernel send a notice";
  EXPECT_EQ(ear.wait(Patience), Woken::Device);
}

TEST(SysmanBell, a_gpu_that_was_given_up_is_well_again_once_its_driver_is_bound_anew) {
  using namespace std::string_view_literals;
  zeroth::sysman::Notices notices;
  notices.take("change@/devices/pci0000:00/0000:03:00.0/drm/card0\0WEDGED=rebind\0"sv);
  EXPECT_TRUE(notices.is_wedged("0000:03:00.0"));
  EXPECT_FALSE(notices.is_wedged("0000:04:00.0"));
  notices.take("bind@/devices/pci0000:00/0000:04:00.0\0"sv);
  notices.take("add@/devices/pci0000:00/0000:03:00.0/drm/card0\0"sv);
  EXPECT_TRUE(notices.is_wedged("0000:03:00.0")) << "about others";
  notices.take("bind@/devices/pci0000:00/0000:03:00.0\0"sv);
  EXPECT_FALSE(notices.is_wedged("0000:03:00.0"));
}

} // namespace
