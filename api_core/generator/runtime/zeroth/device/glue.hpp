// What the generated glue needs beside the tables. Not for plugin code.
#pragma once

#include <cstdint>
#include <zeroth/device/handle.hpp>

namespace zeroth::device {

/// Keeps "what" as the thread's last-error text and returns the code. Never on a path that succeeds.
[[gnu::cold]] ze_result_t rejected(ze_result_t code, const char* function, const char* what) noexcept;

/// Copies the entries that a caller of this version knows.
ze_result_t fill_table(uint32_t index, ze_api_version_t version, void* table) noexcept;

/// The object of a handle that was checked not to be null.
template <class T, class H> T& object(H handle) noexcept {
  return static_cast<T&>(*reinterpret_cast<ze_handle_t*>(handle));
}

[[noreturn]] void throw_no_handle(const char* function, bool array_is_empty);

/// First of an array of handles, on which a function without a handle of its own is called.
template <class H> H first(const char* function, H* handles, uint32_t count) {
  if (count == 0 || !handles || !handles[0]) throw_no_handle(function, count == 0);
  return handles[0];
}

} // namespace zeroth::device
