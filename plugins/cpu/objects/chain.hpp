// Extension structures are told by the stype of pNext items; unknown ones are skipped.
#pragma once
#include <level_zero/ze_api.h>

namespace zeroth::cpu {

struct ChainItem {
  ze_structure_type_t stype;
  const void* next;
};

// The first item of a chain with this tag, or null.
template <class T> T* find_in_chain(const void* chain, ze_structure_type_t stype) {
  for (auto* item = static_cast<const ChainItem*>(chain); item; item = static_cast<const ChainItem*>(item->next))
    if (item->stype == stype) return reinterpret_cast<T*>(const_cast<ChainItem*>(item));
  return nullptr;
}

// Calls visit(stype, item) for each item of a chain that is to be filled.
template <class Visit> void for_each_in_chain(void* chain, Visit visit) {
  for (auto* item = static_cast<ChainItem*>(chain); item; item = static_cast<ChainItem*>(const_cast<void*>(item->next)))
    visit(item->stype, static_cast<void*>(item));
}

} // namespace zeroth::cpu
