// Extension structures are told by the stype of pNext items; unknown ones are skipped,
// or refused where a function's codes say so. A chain that runs in a circle is
// an Error, INVALID_ARGUMENT, instead of a walk without end.
#pragma once
#include <level_zero/ze_api.h>

#include <sdk/error.hpp>

#include <algorithm>
#include <initializer_list>

namespace zeroth::cpu {

struct ChainItem {
  ze_structure_type_t stype;
  const void* next;
};

constexpr unsigned LongestChain = 1024; // the API has not so many structures

inline const ChainItem* after(const ChainItem* item, unsigned& steps) {
  if (++steps > LongestChain)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a pNext chain has more than {} items: it runs in a circle",
                LongestChain);
  return static_cast<const ChainItem*>(item->next);
}

// The first item of a chain with this tag, or null.
template <class T> T* find_in_chain(const void* chain, ze_structure_type_t stype) {
  unsigned steps = 0;
  for (auto* item = static_cast<const ChainItem*>(chain); item; item = after(item, steps))
    if (item->stype == stype) return reinterpret_cast<T*>(const_cast<ChainItem*>(item));
  return nullptr;
}

// For functions whose codes list UNSUPPORTED_FEATURE where a structure has no meaning: all have one of these.
inline void check_chain_knows(const void* chain, std::initializer_list<ze_structure_type_t> known) {
  unsigned steps = 0;
  for (auto* item = static_cast<const ChainItem*>(chain); item; item = after(item, steps))
    if (std::find(known.begin(), known.end(), item->stype) == known.end())
      throw Error(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "no structure of type {:#x} is known here",
                  static_cast<unsigned>(item->stype));
}
inline void check_chain_is_empty(const void* chain) { check_chain_knows(chain, {}); }

// Calls visit(stype, item) for each item of a chain that is to be filled.
template <class Visit> void for_each_in_chain(void* chain, Visit visit) {
  unsigned steps = 0;
  for (auto* item = static_cast<const ChainItem*>(chain); item; item = after(item, steps))
    visit(item->stype, static_cast<void*>(const_cast<ChainItem*>(item)));
}

} // namespace zeroth::cpu
