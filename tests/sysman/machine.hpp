// A machine to look at: a recorded tree of /sys and /proc in a temporary folder, which a test may change while the
// plugin reads it, and a configuration that makes the CPU device read it.
//
// A recording (machines/*.tree) is text: `/path = one line`, `/path -> link target`, `/path/ ` for an empty folder, or
// `/path <<` with lines up to one that holds a single dot. `# …` is a remark. One thread.
#pragma once

#include <level_zero/zes_api.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace zeroth::testing {

class Machine {
public:
  // Lays out machines/NAME.tree; an empty name gives a machine that tells nothing.
  explicit Machine(std::string_view name);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::string root() const { return folder_ / "root"; }
  std::filesystem::path folder() const { return folder_; }
  std::string file(std::string_view absolute) const { return root() + std::string(absolute); }

  void write(std::string_view absolute, std::string_view text) const; // in place: open files see it
  std::string read(std::string_view absolute) const;
  void remove(std::string_view absolute) const;
  void forbid(std::string_view absolute) const; // mode 0400, owner root

  // Makes this process use the machine; `options` are more options of the overlay: "fill: all, interval: 5".
  // Without `drivers`: the CPU device, or what the environment variable SYSMAN_TEST_DRIVERS says.
  void use(std::string_view options = "", std::string_view drivers = "") const;

private:
  void lay_out(std::string_view text) const;

  std::filesystem::path folder_;
};

// zesInit, then the first driver, or its first device.
zes_driver_handle_t first_driver();
zes_device_handle_t first_device();

// All handles of an enumeration such as zesDeviceEnumPowerDomains.
template <class Handle, class Parent>
std::vector<Handle> all_of(ze_result_t (*enumerate)(Parent, uint32_t*, Handle*), Parent parent) {
  uint32_t count = 0;
  EXPECT_EQ(enumerate(parent, &count, nullptr), ZE_RESULT_SUCCESS);
  std::vector<Handle> handles(count);
  if (count > 0) {
    EXPECT_EQ(enumerate(parent, &count, handles.data()), ZE_RESULT_SUCCESS);
  }
  handles.resize(count);
  return handles;
}

// A structure with its tag, filled by a function such as zesPowerGetProperties.
template <class Struct, class Handle>
Struct ask(ze_result_t (*function)(Handle, Struct*), Handle handle, zes_structure_type_t tag,
           ze_result_t expected = ZE_RESULT_SUCCESS) {
  Struct value{};
  value.stype = tag;
  EXPECT_EQ(function(handle, &value), expected);
  return value;
}
template <class Struct, class Handle> Struct ask_plain(ze_result_t (*function)(Handle, Struct*), Handle handle) {
  Struct value{};
  EXPECT_EQ(function(handle, &value), ZE_RESULT_SUCCESS);
  return value;
}

std::vector<zes_driver_handle_t> sysman_drivers();
// After zesInit, the devices of the driver behind all others.
std::vector<zes_device_handle_t> gpus();

// What the driver says about the thread's last failure.
std::string last_error(zes_driver_handle_t driver);

} // namespace zeroth::testing
