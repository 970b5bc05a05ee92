// Our view of one driver: its devices in sysman's order, which is core's, its events and its info logs.
#pragma once

#include "device.hpp"

#include <zeroth/device/driver.hpp>

namespace zeroth::sysman {

class DriverPart final : public device::Driver {
public:
  DriverPart(Site& site, zes_driver_handle_t handle) : site_(site), handle_(handle) {}

  Choices& choices() { return choices_; }

  ze_result_t zes_get_properties(zes_driver_properties_t* properties) override;
  ze_result_t zes_get_extension_properties(uint32_t* count, zes_driver_extension_properties_t* properties) override;
  ze_result_t zes_get_extension_function_address(const char* name, void** address) override;
  ze_result_t zes_device_get(uint32_t* count, zes_device_handle_t* devices) override;
  ze_result_t zes_get_device_by_uuid_exp(zes_uuid_t uuid, zes_device_handle_t* device, ze_bool_t* on_subdevice,
                                         uint32_t* subdevice) override;

private:
  std::vector<ze_device_handle_t> devices() const;

  Site& site_;
  const zes_driver_handle_t handle_;
  Choices choices_;
};

} // namespace zeroth::sysman
