#include <zeroth/device/glue.hpp>

#include <atomic>
#include <cstring>
#include <zeroth/api/refuse.hpp>
#include <zeroth/api/tables.hpp>

#include "sdk/error.hpp"
#include "sdk/log.hpp"

namespace zeroth {

// A plugin's own hook; the core has another.
[[gnu::weak]] void note_unsupported(const char* function) noexcept {
  log(Level::Info, "{} is not supported by this device", function);
}

namespace device {

Handle::Handle() noexcept
    : ze_handle_t{&tables().core_container, &tables().tools_container, &tables().sysman_container,
                  &tables().runtime_container} {}

ze_result_t rejected(ze_result_t code, const char* function, const char* what) noexcept {
  try {
    return record_error(function, Error(code, std::string(what)));
  } catch (...) {
    return code;
  }
}

void throw_no_handle(const char* function, bool array_is_empty) {
  if (array_is_empty) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{}: no handles were given", function);
  throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "{}: the first handle is null", function);
}

ze_result_t fill_table(uint32_t index, ze_api_version_t version, void* table) noexcept {
  if (!table) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (ZE_MAJOR_VERSION(version) != ZE_MAJOR_VERSION(ZE_API_VERSION_CURRENT)) return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  const TableInfo& info = all_tables[index];
  const auto* own = reinterpret_cast<const char*>(&tables()) + info.table_offset;
  std::memcpy(table, own, slots_of(info, version) * sizeof(void*));
  return ZE_RESULT_SUCCESS;
}

} // namespace device
} // namespace zeroth
