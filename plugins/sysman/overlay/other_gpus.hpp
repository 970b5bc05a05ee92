// GPUs of this machine that no Level Zero driver serves. They are shown to programs that initialised sysman alone, as
// the devices of one more driver at the end of zesDriverGet: a program that uses core sees the same drivers and devices
// in both.
#pragma once

#include "../objects/backing.hpp"
#include "../objects/driver.hpp"

#include <memory>
#include <string>
#include <vector>

namespace zeroth::sysman {

class OtherGpus final : public Backing {
public:
  // Those in the machine that are not among the `served` PCI addresses.
  explicit OtherGpus(const std::vector<std::string>& served);

  bool empty() const { return devices_.empty(); }
  zes_driver_handle_t driver() const { return to_handle(static_cast<device::Driver*>(driver_.get())); }

  const std::string& name() const override { return name_; }
  ze_result_t devices(ze_driver_handle_t driver, std::vector<ze_device_handle_t>& all) const override;
  std::vector<ze_device_handle_t> sub_devices(ze_device_handle_t) const override { return {}; }
  ze_device_properties_t properties(ze_device_handle_t device) const override;
  ze_result_t properties(ze_driver_handle_t driver, ze_driver_properties_t& properties) const override;
  Place place(ze_device_handle_t device) const override;
  DevicePart& device(zes_device_handle_t handle) override;
  ze_handle_t prefix_like(const void* handle) const override;

private:
  struct Gpu {
    std::string pci;
    std::uint32_t vendor, model;
    std::unique_ptr<DevicePart> part;
  };
  const Gpu& gpu(ze_device_handle_t device) const;

  std::string name_ = "gpus of the kernel";
  std::vector<Gpu> devices_;
  std::unique_ptr<DriverPart> driver_;
};

// What the core asks (zeroth_sysman_drivers.h).
ze_result_t list_other_drivers(uint32_t served_count, const zes_driver_handle_t* served, uint32_t* count,
                               zes_driver_handle_t* drivers);

} // namespace zeroth::sysman
