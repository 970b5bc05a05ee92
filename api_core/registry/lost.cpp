#include <registry/lost.hpp>

namespace zeroth::registry {

const ze_handle_t& lost_tables() {
  static const TableSet& tables = *[] {
    auto* set = new TableSet;
    set->fill_missing(device_lost_tables());
    return set;
  }();
  return tables.prefix();
}

bool is_lost(const ze_handle_t& object) {
  return object.pCore != nullptr && object.pCore->RTASBuilder == lost_tables().pCore->RTASBuilder;
}

} // namespace zeroth::registry
