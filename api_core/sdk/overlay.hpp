// For authors of overlays in C++: replaces slots by functions that do something and call on, without writing their
// parameter lists.
//
//     std::atomic<int> launches;
//     void count(ze_command_list_handle_t, auto&&...) { ++launches; }
//
//     ze_result_t apply(const zeroth_host*, const zeroth_overlay_target* target) {
//       overlay::before<&ze_dditable_driver_t::CommandList, &ze_command_list_dditable_t::pfnAppendLaunchKernel,
//       count>(*target); return ZE_RESULT_SUCCESS;
//     }
//
// A slot is named by two pointers to members: of its table in the container (ze_, zet_ or zes_dditable_driver_t) and of
// its entry in the table. Its function must take an object's handle first.
//
// Threading: init sets the host once, before any slot is called; everything else may be called from any thread.
#pragma once

#include <type_traits>

#include "error.hpp"
#include "log.hpp"
#include "zeroth_plugin.h"

namespace zeroth::overlay {

namespace detail {
[[gnu::visibility("hidden")]] inline const zeroth_host* own_host = nullptr;

template <class Container> Container* container(const ze_handle_t& tables) {
  if constexpr (std::is_same_v<Container, ze_dditable_driver_t>)
    return tables.pCore;
  else if constexpr (std::is_same_v<Container, zet_dditable_driver_t>)
    return tables.pTools;
  else if constexpr (std::is_same_v<Container, zes_dditable_driver_t>)
    return tables.pSysman;
  else
    return tables.pRuntime;
}

template <class Container, class Table> Table* table(const ze_handle_t& tables, Table* Container::*member) {
  return container<Container>(tables)->*member;
}
} // namespace detail

// Call from init: logs go to the host, and below() knows this overlay.
inline void start(const zeroth_host* host) noexcept {
  detail::own_host = host;
  use_host_log(host);
}

inline const zeroth_host* host() noexcept { return detail::own_host; }

// The slot itself, to read or to write.
template <auto Table, auto Slot> auto& slot(const ze_handle_t& tables) { return detail::table(tables, Table)->*Slot; }

// The function under this overlay for an object.
template <auto Table, auto Slot, class Handle> auto below(Handle handle) {
  return slot<Table, Slot>(*zeroth_below(detail::own_host, handle));
}

namespace detail {
template <auto Table, auto Slot, auto Hook, class Function> struct Before;
template <auto Table, auto Slot, auto Hook, class Result, class Handle, class... Rest>
struct Before<Table, Slot, Hook, Result(ZE_APICALL*)(Handle, Rest...)> {
  static Result ZE_APICALL call(Handle handle, Rest... rest) noexcept {
    const auto next = below<Table, Slot>(handle);
    if constexpr (std::is_same_v<Result, ze_result_t>) {
      try {
        Hook(handle, rest...);
      } catch (...) {
        return record_current_exception(nullptr);
      }
    } else {
      Hook(handle, rest...);
    }
    return next(handle, rest...);
  }
};
} // namespace detail

// From now on `Hook` is called with the arguments of each call, before it goes on. A hook that throws ends the call
// with the error's code.
template <auto Table, auto Slot, auto Hook> void before(const zeroth_overlay_target& target) {
  auto& entry = slot<Table, Slot>(*target.above);
  entry = detail::Before<Table, Slot, Hook, std::remove_reference_t<decltype(entry)>>::call;
}

// A capability interface such as zeroth_command_walk; null when nothing under this overlay offers it.
template <class Interface>
const Interface* find(const zeroth_overlay_target& target, const char* name, uint32_t version) {
  return static_cast<const Interface*>(target.find_interface(&target, name, version));
}

} // namespace zeroth::overlay
