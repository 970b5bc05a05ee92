// What stands behind the drivers and devices that this plugin describes: a driver that somebody else wrote (Site), or
// the kernel's list of GPUs that no driver serves (OtherGpus). Any thread; none of it throws but std::bad_alloc.
#pragma once

#include "../sources/place.hpp"

#include <zeroth/device/handle.hpp>

#include <algorithm>

#include <string>
#include <vector>

namespace zeroth::sysman {

class DevicePart;

class Backing {
public:
  virtual ~Backing() = default;
  virtual const std::string& name() const = 0;

  virtual ze_result_t devices(ze_driver_handle_t driver, std::vector<ze_device_handle_t>& all) const = 0;
  virtual std::vector<ze_device_handle_t> sub_devices(ze_device_handle_t device) const = 0;
  virtual ze_device_properties_t properties(ze_device_handle_t device) const = 0;
  virtual ze_result_t properties(ze_driver_handle_t driver, ze_driver_properties_t& properties) const = 0;
  virtual Place place(ze_device_handle_t device) const = 0;

  // Our side of a device's handle.
  virtual DevicePart& device(zes_device_handle_t handle) = 0;
  // The prefix of our objects, so that they are called like the driver's own.
  virtual ze_handle_t prefix_like(const void* handle) const = 0;
};

// Lists all, for functions with the counting protocol of enumerations; the last result.
template <class Handle, class Get, class Parent>
ze_result_t list_all(Get get, Parent parent, std::vector<Handle>& all) {
  std::uint32_t count = 0;
  if (const ze_result_t result = get(parent, &count, nullptr); result != ZE_RESULT_SUCCESS || count == 0) return result;
  all.resize(count);
  const ze_result_t result = get(parent, &count, all.data());
  all.resize(result == ZE_RESULT_SUCCESS ? std::min<std::size_t>(count, all.size()) : 0);
  return result;
}

} // namespace zeroth::sysman
