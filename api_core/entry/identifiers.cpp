#include <entry/identifiers.hpp>

#include <algorithm>

#include <entry/core.hpp>

namespace zeroth::entry {
namespace {

std::vector<ze_device_handle_t> devices_of(ze_driver_handle_t driver) {
  std::uint32_t count = 0;
  if (zeDeviceGet(driver, &count, nullptr) != ZE_RESULT_SUCCESS) return {};
  std::vector<ze_device_handle_t> devices(count);
  if (zeDeviceGet(driver, &count, devices.data()) != ZE_RESULT_SUCCESS) return {};
  devices.resize(std::min<std::size_t>(count, devices.size()));
  return devices;
}

} // namespace

Identifiers& identifiers() {
  static Identifiers& all = *new Identifiers;
  return all;
}

void Identifiers::number_roots() {
  {
    const std::lock_guard lock(mutex_);
    if (!devices_.empty()) return;
  }
  std::vector<ze_device_handle_t> roots;
  for (ze_driver_handle_t driver : session().asked_drivers())
    for (ze_device_handle_t device : devices_of(driver)) roots.push_back(device);
  const std::lock_guard lock(mutex_);
  if (devices_.empty()) devices_ = std::move(roots);
}

std::uint32_t Identifiers::of(ze_device_handle_t device) {
  number_roots();
  const std::lock_guard lock(mutex_);
  auto place = std::find(devices_.begin(), devices_.end(), device);
  if (place == devices_.end()) place = devices_.insert(place, device);
  return static_cast<std::uint32_t>(place - devices_.begin());
}

ze_device_handle_t Identifiers::device(std::uint32_t identifier) {
  number_roots();
  const std::lock_guard lock(mutex_);
  return identifier < devices_.size() ? devices_[identifier] : nullptr;
}

} // namespace zeroth::entry
