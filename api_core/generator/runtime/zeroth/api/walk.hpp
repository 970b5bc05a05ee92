// A list of every public function with a call that passes zero or null for each argument, for tests that must reach all
// of them. Link with the loader library.
//
//     for (const WalkedFunction& f : walked_functions) EXPECT_EQ(f.call_with_nothing(), …) << f.name;
#pragma once

#include <cstdint>
#include <type_traits>
#include <zeroth/api/tables.hpp>

namespace zeroth {

struct WalkedFunction {
  const char* name;
  Family family;
  bool has_receiver;   ///< the first parameter is the object that it is called on
  bool returns_result; ///< else it returns an object or a number
  bool needs_handle;   ///< the specification lists INVALID_NULL_HANDLE for some parameter
  bool needs_pointer;  ///< … INVALID_NULL_POINTER
  uint64_t (*call_with_nothing)(); ///< the result code, or the value returned
};

namespace walk_detail {
template <auto Function> struct Call;
template <class R, class... Arguments, R (*Function)(Arguments...)> struct Call<Function> {
  static uint64_t call() {
    const R result = Function(Arguments{}...);
    if constexpr (std::is_pointer_v<R>) return reinterpret_cast<uintptr_t>(result);
    else return static_cast<uint64_t>(result);
  }
};
} // namespace walk_detail

#define ZEROTH_FUNCTION(function, family, has_receiver, returns_result, needs_handle, needs_pointer)                   \
  {#function,    Family::family, has_receiver,                                                                         \
   returns_result, needs_handle, needs_pointer, &walk_detail::Call<&::function>::call},
inline constexpr WalkedFunction walked_functions[] = {
#include <zeroth/api/walk.inc>
};
#undef ZEROTH_FUNCTION

} // namespace zeroth
