// What the generated functions of adopt.cpp and wrap.cpp have in common. Not for other code.
#pragma once

#include <algorithm>

#include <registry/backend.hpp>

namespace zeroth::registry {

// Whether a call with this result may have handed out objects. A failed build hands out its log.
inline bool hands_out(ze_result_t result) {
  return result == ZE_RESULT_SUCCESS || result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE ||
         result == ZE_RESULT_ERROR_MODULE_LINK_FAILURE;
}

template <class Handle> void clear(Handle* out) {
  if (out != nullptr) *out = nullptr;
}

// How many handles of an array a call may fill, and how many it says it did.
class Room {
public:
  Room(const void* array, const std::uint32_t* count) : count_(count) {
    if (array != nullptr && count != nullptr) room_ = *count;
  }
  Room(const void* array, std::uint32_t count) : room_(array == nullptr ? 0 : count) {}
  std::uint32_t filled() const { return count_ == nullptr ? room_ : std::min(room_, *count_); }

private:
  const std::uint32_t* count_ = nullptr;
  std::uint32_t room_ = 0;
};

// Puts the functions of `tables` in place of those that the layer has. A function that the driver lacks stays absent.
inline void replace_present(TableSet& layer, const DispatchTables& tables) {
  for (const TableInfo& table : all_tables) {
    const auto* bytes = reinterpret_cast<const char*>(&tables) + table.table_offset;
    const auto* mine = reinterpret_cast<const Slot*>(bytes);
    Slot* slots = layer.slots(table);
    for (std::uint32_t i = 0; i < table.slots; ++i)
      if (slots[i] != nullptr && mine[i] != nullptr) slots[i] = mine[i];
  }
}

} // namespace zeroth::registry
