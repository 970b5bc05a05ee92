#include <registry/table_set.hpp>

#include <algorithm>

namespace zeroth::registry {
namespace {

using Getter = ze_result_t(ZE_APICALL*)(ze_api_version_t, void*);

// Room behind a table for drivers that write more entries than the version asked for has.
constexpr std::size_t SpareSlots = 64;
constexpr std::size_t MostSlots = [] {
  std::size_t most = 0;
  for (const TableInfo& table : all_tables) most = std::max<std::size_t>(most, table.slots);
  return most;
}();

void* container_of(const ze_handle_t& prefix, Family family) {
  switch (family) {
  case Family::Core:
    return prefix.pCore;
  case Family::Tools:
    return prefix.pTools;
  case Family::Sysman:
    return prefix.pSysman;
  case Family::Runtime:
    return prefix.pRuntime;
  }
  return nullptr;
}

Slot* slots_in(const DispatchTables& tables, const TableInfo& table) {
  const char* bytes = reinterpret_cast<const char*>(&tables) + table.table_offset;
  return reinterpret_cast<Slot*>(const_cast<char*>(bytes));
}

ze_api_version_t older(ze_api_version_t version) {
  return ZE_MINOR_VERSION(version) == 0 ? version : static_cast<ze_api_version_t>(version - 1);
}

ze_result_t ask(Getter getter, ze_api_version_t version, const TableInfo& table, TableSet& into) {
  Slot answer[MostSlots + SpareSlots] = {};
  const ze_result_t result = getter(version, answer);
  if (result == ZE_RESULT_SUCCESS) std::copy_n(answer, zeroth::slots_of(table, version), into.slots(table));
  return result;
}

} // namespace

void** table_pointer(const ze_handle_t& prefix, const TableInfo& table) {
  auto* container = static_cast<char*>(container_of(prefix, table.family));
  if (container == nullptr) return nullptr;
  return reinterpret_cast<void**>(container + table.container_offset);
}

Slot* table_slots(const ze_handle_t& prefix, const TableInfo& table) {
  void** pointer = table_pointer(prefix, table);
  return pointer == nullptr ? nullptr : static_cast<Slot*>(__atomic_load_n(pointer, __ATOMIC_RELAXED));
}

TableSet::TableSet(const zeroth_composition* composition) {
  static_assert(offsetof(Block, tables) == sizeof(composition) && offsetof(DispatchTables, ze) == 0);
  DispatchTables& tables = block_.tables;
  block_.composition = composition;
  connect(tables);
  prefix_ = {&tables.core_container, &tables.tools_container, &tables.sysman_container, &tables.runtime_container};
}

void TableSet::copy_slots(const ze_handle_t& other) {
  for (const TableInfo& table : all_tables) std::copy_n(table_slots(other, table), table.slots, slots(table));
}

void TableSet::fill_missing(const DispatchTables& defaults) {
  for (const TableInfo& table : all_tables) {
    const Slot* spare = slots_in(defaults, table);
    Slot* mine = slots(table);
    for (std::uint32_t i = 0; i < table.slots; ++i)
      if (mine[i] == nullptr) mine[i] = spare[i];
  }
}

void fetch_tables(const std::function<void*(const char*)>& symbol, TableSet& into) {
  for (const TableInfo& table : all_tables) {
    auto getter = reinterpret_cast<Getter>(symbol(table.getter));
    if (getter == nullptr) continue;
    ze_api_version_t version = ZE_API_VERSION_CURRENT;
    while (ask(getter, version, table, into) == ZE_RESULT_ERROR_UNSUPPORTED_VERSION && older(version) != version)
      version = older(version);
  }
}

} // namespace zeroth::registry
