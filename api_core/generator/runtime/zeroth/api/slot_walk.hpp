// A list of every dispatch table entry with a call that passes zero or null for each argument, for tests that must
// reach all entries of some tables. A list of small functions, not one large one: compilers with sanitizers need
// minutes for that.
#pragma once

#include <type_traits>
#include <zeroth/api/call.hpp>
#include <zeroth/api/tables.hpp>

namespace zeroth {

struct WalkedSlot {
  const char* function;
  bool returns_result;                     ///< else it returns an object or a number
  uint64_t (*call)(const DispatchTables&); ///< with nothing: the result code, or the value returned
};

template <class R, class... Arguments> constexpr bool has_result_code(R (*)(Arguments...)) {
  return std::is_same_v<R, ze_result_t>;
}

#define ZEROTH_SLOT(family, table, entry, function, index)                                                             \
  {#function, has_result_code(decltype(DispatchTables{}.family.table.entry){}),                                        \
   [](const DispatchTables& tables) { return call_with_nothing(tables.family.table.entry); }},
inline constexpr WalkedSlot walked_slots[] = {
#include <zeroth/api/slots.inc>
};

} // namespace zeroth
