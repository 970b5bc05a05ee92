// The two functions whose object is the first of an array of modules: the driver of that module links them all.
#include <entry/cold.hpp>
#include <entry/core.hpp>
#include <zeroth/api/tables.hpp>

namespace {

// Null when there is no first module.
const ze_module_dditable_t* table_of_first(std::uint32_t count, ze_module_handle_t* modules) {
  if (count == 0 || modules == nullptr || modules[0] == nullptr) return nullptr;
  const auto* prefix = reinterpret_cast<const ze_handle_t*>(modules[0]);
  const auto* container = __atomic_load_n(&prefix->pCore, __ATOMIC_RELAXED);
  return __atomic_load_n(&container->Module, __ATOMIC_RELAXED);
}

// What is wrong when there is no first module.
ze_result_t fault(std::uint32_t count, ze_module_handle_t* modules) {
  if (!zeroth::entry::session().initialised(zeroth::Family::Core)) return ZE_RESULT_ERROR_UNINITIALIZED;
  if (modules == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return count == 0 ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

} // namespace

extern "C" {

ze_result_t ZE_APICALL zeModuleDynamicLink(uint32_t numModules, ze_module_handle_t* phModules,
                                           ze_module_build_log_handle_t* phLinkLog) {
  const auto* table = table_of_first(numModules, phModules);
  return table ? table->pfnDynamicLink(numModules, phModules, phLinkLog) : fault(numModules, phModules);
}

ze_result_t ZE_APICALL zeModuleInspectLinkageExt(ze_linkage_inspection_ext_desc_t* pInspectDesc, uint32_t numModules,
                                                 ze_module_handle_t* phModules, ze_module_build_log_handle_t* phLog) {
  const auto* table = table_of_first(numModules, phModules);
  return table ? table->pfnInspectLinkageExt(pInspectDesc, numModules, phModules, phLog) : fault(numModules, phModules);
}

} // extern "C"
