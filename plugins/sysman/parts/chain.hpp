// Extension structures behind a structure of the program, told by their stype; unknown ones are skipped.
#pragma once

#include <level_zero/zes_api.h>

namespace zeroth::sysman {

struct ChainItem {
  zes_structure_type_t stype;
  void* next;
};

// The first item of a chain with this tag, or null. The API calls chains of state structures constant, but hands their
// contents out all the same.
template <class T> T* in_chain(const void* chain, zes_structure_type_t stype) {
  for (auto* item = static_cast<ChainItem*>(const_cast<void*>(chain)); item; item = static_cast<ChainItem*>(item->next))
    if (item->stype == stype) return reinterpret_cast<T*>(item);
  return nullptr;
}

} // namespace zeroth::sysman
