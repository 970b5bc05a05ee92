// One driver that this overlay stands in front of: its tables, and our view of its devices.
//
// Sites are made while the core composes a driver and live as long as the process. Any thread; finding the device of a
// handle takes no lock.
#pragma once

#include "../objects/backing.hpp"
#include "../objects/device.hpp"

#include <sdk/overlay.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace zeroth::sysman {

class DriverPart;

class Site final : public Backing {
public:
  Site(const zeroth_overlay_target& target, bool devices_are_host);

  const ze_handle_t& below() const { return *below_; }
  const std::string& name() const override { return name_; }

  ze_result_t devices(ze_driver_handle_t driver, std::vector<ze_device_handle_t>& all) const override;
  std::vector<ze_device_handle_t> sub_devices(ze_device_handle_t device) const override;
  ze_device_properties_t properties(ze_device_handle_t device) const override;
  ze_result_t properties(ze_driver_handle_t driver, ze_driver_properties_t& properties) const override;
  Place place(ze_device_handle_t device) const override;

  // Our side of a driver or device handle of programs. Throws std::bad_alloc.
  DriverPart& driver(zes_driver_handle_t handle);
  DevicePart& device(zes_device_handle_t handle) override;

  // A driver handle that programs used, or null.
  zes_driver_handle_t some_driver() const { return some_driver_.load(std::memory_order_relaxed); }

  ze_handle_t prefix_like(const void* handle) const override;

private:
  template <class Part> struct Entry {
    const void* handle;
    std::unique_ptr<Part> part;
  };
  template <class Part> using Entries = std::vector<std::shared_ptr<Entry<Part>>>;
  template <class Part, class Make>
  Part& find(std::atomic<const Entries<Part>*>& entries, const void* handle, Make make);

  const ze_handle_t* below_;
  const ze_handle_t* above_;
  std::string name_;
  bool devices_are_host_;
  std::atomic<zes_driver_handle_t> some_driver_{nullptr};
  std::mutex mutex_; // held while the two lists change
  std::atomic<const Entries<DriverPart>*> drivers_{nullptr};
  std::atomic<const Entries<DevicePart>*> devices_{nullptr};
  std::vector<const void*> replaced_; // lists that somebody may still read: known, never freed; under mutex_
};

// The site of a handle that came through a slot of ours; null for handles of drivers that we did not touch.
Site* site_of(const void* handle);
void add_site(std::unique_ptr<Site> site);

// Whether zesInit has been called (or the environment asked for it): before, every zes function says so.
bool started();
void start();

} // namespace zeroth::sysman
