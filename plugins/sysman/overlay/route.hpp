// The functions that stand in a driver's sysman tables: each finds out whose object it is called for, and calls on.
//
//   a part (power domain, sensor, …)  ours by its address (Arena), else the driver's
//   a device or a driver              theirs first, once: what they do not serve is ours from then on (Choices)
//
// Reading a part of ours costs two compares and a jump beside the reading.
#pragma once

#include "choice.hpp"
#include "last_error.hpp"
#include "site.hpp"

#include "../objects/driver.hpp"

#include <zeroth/api/tables.hpp>
#include <zeroth/device/handle.hpp>

#include <type_traits>

namespace zeroth::sysman {

// The generated function behind one slot: checks the arguments, calls the object's method, turns what it throws into a
// code.
template <auto Table, auto Slot> auto own() { return device::tables().sysman_container.*Table->*Slot; }

// A function that fills an array of handles has a count and the array behind its object.
template <class... Rest> constexpr bool is_enumeration = false;
template <class Handle> constexpr bool is_enumeration<std::uint32_t*, Handle*> = std::is_pointer_v<Handle>;

template <auto Table, auto Slot, std::size_t Index, class Handle, class... Rest>
ze_result_t choose(Choices& choices, Handle theirs, Handle ours, Rest... rest) {
  using Who = Choices::Who;
  const auto below = overlay::below<Table, Slot>(theirs);
  Who who = choices.of(Index);
  if (who == Who::Theirs) return below(theirs, rest...);
  if (who == Who::Unknown) {
    if constexpr (is_enumeration<Rest...>) {
      std::uint32_t count = 0;
      who = below(theirs, &count, nullptr) == ZE_RESULT_SUCCESS && count > 0 ? Who::Theirs : Who::Ours;
      choices.keep(Index, who);
      if (who == Who::Theirs) return below(theirs, rest...);
    } else {
      const ze_result_t result = below(theirs, rest...);
      choices.keep(Index, is_missing(result) ? Who::Ours : Who::Theirs);
      if (!is_missing(result)) return result;
    }
  }
  return noted(site_of(theirs), own<Table, Slot>()(ours, rest...));
}

template <auto Table, auto Slot, std::size_t Index, class Function> struct Route;

template <auto Table, auto Slot, std::size_t Index, class Handle, class... Rest>
struct Route<Table, Slot, Index, ze_result_t(ZE_APICALL*)(Handle, Rest...)> {
  static ze_result_t ZE_APICALL call(Handle handle, Rest... rest) noexcept {
    if constexpr (std::is_same_v<Handle, ze_device_handle_t>)
      return on_device(handle, rest...);
    else if constexpr (std::is_same_v<Handle, ze_driver_handle_t>)
      return on_driver(handle, rest...);
    else
      return on_part(handle, rest...);
  }

private:
  static ze_result_t on_part(Handle handle, Rest... rest) noexcept {
    if (!Arena::holds(handle)) return overlay::below<Table, Slot>(handle)(handle, rest...);
    return noted(nullptr, own<Table, Slot>()(handle, rest...));
  }

  static ze_result_t on_device(Handle handle, Rest... rest) noexcept try {
    if (!started()) return ZE_RESULT_ERROR_UNINITIALIZED;
    Site* site = site_of(handle);
    if (site == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    DevicePart& mine = site->device(handle);
    return choose<Table, Slot, Index>(mine.choices(), handle, to_handle(static_cast<device::Device*>(&mine)), rest...);
  } catch (...) {
    return record_current_exception(nullptr);
  }

  static ze_result_t on_driver(Handle handle, Rest... rest) noexcept try {
    if (!started()) return ZE_RESULT_ERROR_UNINITIALIZED;
    Site* site = site_of(handle);
    if (site == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    DriverPart& mine = site->driver(handle);
    return choose<Table, Slot, Index>(mine.choices(), handle, to_handle(static_cast<device::Driver*>(&mine)), rest...);
  } catch (...) {
    return record_current_exception(nullptr);
  }
};

} // namespace zeroth::sysman
