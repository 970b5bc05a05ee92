// Small numbers for devices, unique over all drivers of the process: zerTranslateDeviceHandleToIdentifier and back.
//
// A driver only knows its own devices, so the core numbers them: first those of the first driver, and so on. Devices
// that no enumeration lists (sub-devices) get the next free number when first asked for. Numbers never change or come
// back. Threading: any thread; one lock.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include <level_zero/ze_api.h>

namespace zeroth::entry {

class Identifiers {
public:
  // `device` must not be null.
  std::uint32_t of(ze_device_handle_t device);
  // Null when no device has that number.
  ze_device_handle_t device(std::uint32_t identifier);

  // Around fork(); a child starts anew.
  void lock_for_fork() { mutex_.lock(); }
  void unlock_after_fork() { mutex_.unlock(); }
  void clear() { devices_.clear(); }

private:
  // Numbers the devices of all drivers, unless that was done. Calls drivers, so the lock is not held meanwhile.
  void number_roots();

  std::mutex mutex_;
  std::vector<ze_device_handle_t> devices_; // by number
};

Identifiers& identifiers();

} // namespace zeroth::entry
