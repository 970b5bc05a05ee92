// Calls an API function with zero or null for every argument: for tests that must reach all functions.
#pragma once

#include <cstdint>
#include <type_traits>

namespace zeroth {

/// The result code, or the object or number that the function returned.
template <class R, class... Arguments> uint64_t call_with_nothing(R (*function)(Arguments...)) {
  const R result = function(Arguments{}...);
  if constexpr (std::is_pointer_v<R>)
    return reinterpret_cast<uintptr_t>(result);
  else
    return static_cast<uint64_t>(result);
}

} // namespace zeroth
