// zeInit, zeInitDrivers, zesInit and the enumeration of drivers. The states are described in registry/session.hpp.
#include <entry/cold.hpp>
#include <entry/core.hpp>
#include <zeroth/api/tables.hpp>

namespace zeroth::entry {
namespace {

using registry::Types;

constexpr ze_init_flags_t KnownInitFlags = ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY;
constexpr zes_init_flags_t KnownSysmanFlags = 0x1;

ze_result_t init_drivers(std::uint32_t* count, ze_driver_handle_t* drivers, Types wanted) {
  if (const ze_result_t result = session().init_core(wanted); result != ZE_RESULT_SUCCESS) return result;
  enumerate(session().drivers(wanted), count, drivers);
  return ZE_RESULT_SUCCESS;
}

} // namespace

ze_result_t null_handle(Family family) noexcept {
  return session().initialised(family) ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE : ZE_RESULT_ERROR_UNINITIALIZED;
}

} // namespace zeroth::entry

using namespace zeroth;
using namespace zeroth::entry;

extern "C" {

ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags) {
  if ((flags & ~KnownInitFlags) != 0) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  return at_edge("zeInit", [&] { return session().init_core(registry::types_of_init_flags(flags)); });
}

ze_result_t ZE_APICALL zeInitDrivers(uint32_t* count, ze_driver_handle_t* drivers, ze_init_driver_type_desc_t* desc) {
  if (count == nullptr || desc == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (desc->flags == 0) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  const registry::Types wanted = registry::types_of_driver_flags(desc->flags);
  return at_edge("zeInitDrivers", [&] { return init_drivers(count, drivers, wanted); });
}

ze_result_t ZE_APICALL zesInit(zes_init_flags_t flags) {
  if ((flags & ~KnownSysmanFlags) != 0) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  return at_edge("zesInit", [&] { return session().init_sysman(); });
}

ze_result_t ZE_APICALL zeDriverGet(uint32_t* count, ze_driver_handle_t* drivers) {
  if (!session().initialised(Family::Core)) return ZE_RESULT_ERROR_UNINITIALIZED;
  if (count == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return at_edge("zeDriverGet", [&] {
    enumerate(session().asked_drivers(), count, drivers);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zesDriverGet(uint32_t* count, zes_driver_handle_t* drivers) {
  if (!session().initialised(Family::Sysman)) return ZE_RESULT_ERROR_UNINITIALIZED;
  if (count == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return at_edge("zesDriverGet", [&] {
    enumerate(session().sysman_drivers(), count, drivers);
    return ZE_RESULT_SUCCESS;
  });
}

} // extern "C"
