#include <entry/getters.hpp>

#include <cstring>

#include <level_zero/layers/zel_tracing_ddi.h>
#include <zeroth/api/tables.hpp>

namespace zeroth::entry {

ze_result_t fill_exported(std::uint32_t index, ze_api_version_t version, void* table) noexcept {
  if (table == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const TableInfo& info = all_tables[index];
  const auto* exported = reinterpret_cast<const char*>(&exported_tables()) + info.table_offset;
  std::memcpy(table, exported, slots_of(info, version) * sizeof(void*));
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::entry

extern "C" ze_result_t ZE_APICALL zelGetTracerApiProcAddrTable(ze_api_version_t, zel_tracer_dditable_t* table) {
  if (table == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *table = {zelTracerCreate, zelTracerDestroy, zelTracerSetPrologues, zelTracerSetEpilogues, zelTracerSetEnabled};
  return ZE_RESULT_SUCCESS;
}
