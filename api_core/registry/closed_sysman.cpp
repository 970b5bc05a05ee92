#include <registry/closed_sysman.hpp>

#include <zeroth/api/tables.hpp>

namespace zeroth::registry {
namespace {

template <class Function> struct Closed;
template <class... Arguments> struct Closed<ze_result_t(ZE_APICALL*)(Arguments...)> {
  static ze_result_t ZE_APICALL call(Arguments...) { return ZE_RESULT_ERROR_UNINITIALIZED; }
};

template <class Function> void close(Function& slot) { slot = &Closed<Function>::call; }

} // namespace

#define ZEROTH_CLOSE_ze(table, entry)
#define ZEROTH_CLOSE_zet(table, entry)
#define ZEROTH_CLOSE_zer(table, entry)
#define ZEROTH_CLOSE_zes(table, entry) close(layer.prefix().pSysman->table->entry);
#define ZEROTH_SLOT(family, table, entry, function, index) ZEROTH_CLOSE_##family(table, entry)

void close_sysman(TableSet& layer) {
#include <zeroth/api/slots.inc>
}

} // namespace zeroth::registry
