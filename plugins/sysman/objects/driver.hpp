// Our view of one driver: its devices in sysman's order, which is core's, its events and its info logs.
#pragma once

#include "device.hpp"
#include "info_log.hpp"

#include <zeroth/device/driver.hpp>

namespace zeroth::sysman {

class DriverPart final : public device::Driver {
public:
  // A null handle makes an object whose own handle is given out.
  DriverPart(Backing& backing, zes_driver_handle_t handle);

  Choices& choices() { return choices_; }

  // For a handle of our own.
  ze_result_t device_get(uint32_t* count, ze_device_handle_t* devices) override;
  ze_result_t get_last_error_description(const char** text) override;

  ze_result_t zes_get_properties(zes_driver_properties_t* properties) override;
  ze_result_t zes_get_extension_properties(uint32_t* count, zes_driver_extension_properties_t* properties) override;
  ze_result_t zes_get_extension_function_address(const char* name, void** address) override;
  ze_result_t zes_device_get(uint32_t* count, zes_device_handle_t* devices) override;
  ze_result_t zes_get_device_by_uuid_exp(zes_uuid_t uuid, zes_device_handle_t* device, ze_bool_t* on_subdevice,
                                         uint32_t* subdevice) override;
  ze_result_t zes_enum_info_logs_ext(uint32_t* count, zes_info_log_handle_t* logs) override;

  ze_result_t zes_event_register_ext(zes_event_type_flags_t events) override;
  ze_result_t zes_event_listen(uint32_t timeout, uint32_t count, zes_device_handle_t* devices, uint32_t* device_events,
                               zes_event_type_flags_t* events) override;
  ze_result_t zes_event_listen_ex(uint64_t timeout, uint32_t count, zes_device_handle_t* devices,
                                  uint32_t* device_events, zes_event_type_flags_t* events) override;
  ze_result_t zes_event_listen_ext(uint64_t timeout, uint32_t count, zes_device_handle_t* devices,
                                   uint32_t* device_events, zes_event_type_flags_t* events,
                                   zes_event_type_flags_t* driver_events) override;

private:
  std::vector<ze_device_handle_t> devices() const;
  std::vector<DevicePart*> listened(uint32_t count, const zes_device_handle_t* handles);
  zes_event_type_flags_t driver_events();
  std::uint64_t records(); // of the info log, ever written
  const Origins& origins();

  Backing& backing_;
  const zes_driver_handle_t handle_;
  Choices choices_;
  std::once_flag looked_;
  Origins origins_;
  std::unique_ptr<InfoLogPart> info_log_;
  std::atomic<zes_event_type_flags_t> registered_{0};
  std::atomic<std::uint64_t> seen_records_{0};
};

} // namespace zeroth::sysman
