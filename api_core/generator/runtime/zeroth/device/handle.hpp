// The base of every object that a device plugin hands out. A handle's value is the address of the object's ze_handle_t
// part: the four container pointers through which exported functions find the driver's tables.
//
//     class MyDevice : public zeroth::device::Device { … };
//     *phDevice = to_handle(device);                          // any class derived from a generated one
//     auto* device = from_handle<MyDevice>(hDevice);          // null stays null
//
// Ownership: a handle does not own its object; the plugin creates it and its destroy() deletes it.
// Threading: the prefix is written once here; the core may later swap the pointers inside the containers.
#pragma once

#include <level_zero/ze_ddi.h>
#include <level_zero/zer_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>

namespace zeroth {
struct DispatchTables;
} // namespace zeroth

namespace zeroth::device {

/// The plugin's own tables: filled before main, writable because the core exchanges the pointers in the containers.
DispatchTables& tables() noexcept;

class Handle : public ze_handle_t {
public:
  Handle() noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  virtual ~Handle() = default;
};

template <class T, class H> T* from_handle(H handle) noexcept {
  return static_cast<T*>(reinterpret_cast<ze_handle_t*>(handle));
}

} // namespace zeroth::device
