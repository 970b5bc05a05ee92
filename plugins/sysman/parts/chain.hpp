// Extension structures behind a structure of the program, told by their stype; unknown ones are skipped. A chain that
// runs in a circle is an Error, INVALID_ARGUMENT, instead of a walk without end.
#pragma once

#include <level_zero/zes_api.h>

#include <sdk/error.hpp>

namespace zeroth::sysman {

struct ChainItem {
  zes_structure_type_t stype;
  void* next;
};

// The first item of a chain with this tag, or null. The API calls chains of state structures constant, but hands their
// contents out all the same.
template <class T> T* in_chain(const void* chain, zes_structure_type_t stype) {
  constexpr unsigned Longest = 1024; // the API has not so many structures
  unsigned steps = 0;
  for (auto* item = static_cast<ChainItem*>(const_cast<void*>(chain)); item;
       item = static_cast<ChainItem*>(item->next)) {
    if (item->stype == stype) return reinterpret_cast<T*>(item);
    if (++steps == Longest)
      throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a pNext chain has {} items and more: it runs in a circle",
                  Longest);
  }
  return nullptr;
}

} // namespace zeroth::sysman
