// What the generated list of dispatch tables (zeroth/api/tables.hpp) says about one table.
// Plain constant data: no ownership, usable from any thread and before main.
#pragma once

#include <cstdint>
#include <level_zero/ze_api.h>

namespace zeroth {

/// The four parts of the API; the order is that of the pointers in a handle's prefix (ze_handle_t).
enum class Family : uint8_t { Core, Tools, Sysman, Runtime };

struct SlotInfo {
  const char* function;
  ze_api_version_t since; ///< the first version whose headers hold this entry
};

struct TableInfo {
  const char* getter;
  Family family;
  uint32_t table_offset;     ///< of the table in DispatchTables
  uint32_t container_offset; ///< of the table's pointer in its family's ze*_dditable_driver_t
  uint32_t slots;
  const SlotInfo* slot;
  ze_api_version_t since;
};

/// Entries of the table that a caller of this version knows. A table only ever grows at its end, so they are the first
/// ones; a caller of another major version is taken to know all of ours.
constexpr uint32_t slots_of(const TableInfo& table, ze_api_version_t version) {
  if (ZE_MAJOR_VERSION(version) != ZE_MAJOR_VERSION(ZE_API_VERSION_CURRENT)) return table.slots;
  uint32_t known = 0;
  while (known < table.slots && table.slot[known].since <= version) ++known;
  return known;
}

} // namespace zeroth
