// A complete set of dispatch tables as the core hands them to handles: every slot filled, four containers in front.
//
// Ownership: a TableSet never moves and, once handles point at it, never dies. Threading: written while no handle
// points at it; read by any thread after.
#pragma once

#include <cstdint>
#include <functional>

#include <sdk/zeroth_plugin.h>
#include <zeroth/api/tables.hpp>

namespace zeroth::registry {

// A slot of any table, its real type forgotten. All function pointers share size and representation on our platforms.
using Slot = void (*)();

// The slots of one table, reached through the containers of a handle prefix; null when the prefix lacks that family.
Slot* table_slots(const ze_handle_t& prefix, const TableInfo& table);
// Where the container keeps its pointer to that table; null when the prefix lacks that family.
void** table_pointer(const ze_handle_t& prefix, const TableInfo& table);

class TableSet {
public:
  // `composition` is what zeroth_below() finds in front of the Driver table.
  explicit TableSet(const zeroth_composition* composition = nullptr);
  TableSet(const TableSet&) = delete;
  TableSet& operator=(const TableSet&) = delete;

  ze_handle_t& prefix() { return prefix_; }
  const ze_handle_t& prefix() const { return prefix_; }
  const DispatchTables& tables() const { return block_.tables; }
  Slot* slots(const TableInfo& table) { return table_slots(prefix_, table); }

  // Copies every slot of the other set.
  void copy_slots(const ze_handle_t& other);
  // Fills slots that are null from a complete set.
  void fill_missing(const DispatchTables& defaults);

private:
  // The plugin ABI fixes this order: zeroth_below() finds the composition right before the first core table.
  struct Block {
    const zeroth_composition* composition = nullptr;
    DispatchTables tables{};
  };
  Block block_;
  ze_handle_t prefix_{};
};

// Asks a plugin or driver for all its tables through its getters: for the entries of our version, or of the newest
// older one that it serves. Slots that it does not know stay null.
void fetch_tables(const std::function<void*(const char*)>& symbol, TableSet& into);

} // namespace zeroth::registry
