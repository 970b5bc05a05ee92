// A list of every public function with a call that passes zero or null for each argument, for tests that must reach all
// of them. Link with the loader library.
//
//     for (const WalkedFunction& f : walked_functions) EXPECT_EQ(f.call(), …) << f.name;
#pragma once

#include <zeroth/api/call.hpp>
#include <zeroth/api/tables.hpp>

namespace zeroth {

struct WalkedFunction {
  const char* name;
  Family family;
  bool has_receiver;   ///< the first parameter is the object that it is called on
  bool returns_result; ///< else it returns an object or a number
  bool needs_handle;   ///< the specification lists INVALID_NULL_HANDLE for some parameter
  bool needs_pointer;  ///< … INVALID_NULL_POINTER
  uint64_t (*call)();  ///< with nothing: the result code, or the value returned
};

#define ZEROTH_FUNCTION(function, family, ...)                                                                         \
  {#function, Family::family, __VA_ARGS__, [] { return call_with_nothing(&::function); }},
inline constexpr WalkedFunction walked_functions[] = {
#include <zeroth/api/walk.inc>
};
#undef ZEROTH_FUNCTION

} // namespace zeroth
