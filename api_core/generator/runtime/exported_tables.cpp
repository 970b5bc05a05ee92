// Tables whose every slot is the exported function: what the loader's table getters give out.
#include <zeroth/api/tables.hpp>

namespace zeroth {
namespace {

constexpr DispatchTables exported(DispatchTables& self) {
  DispatchTables tables{};
#define ZEROTH_SLOT(family, table, entry, function, index) tables.family.table.entry = &::function;
#define ZEROTH_TABLE(family, name, container) tables.container.name = &self.family.name;
#include <zeroth/api/slots.inc>
  set_versions(tables);
  return tables;
}

constinit DispatchTables all_exported = exported(all_exported);

} // namespace

const DispatchTables& exported_tables() { return all_exported; }

} // namespace zeroth
