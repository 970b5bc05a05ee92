// The loader's own functions: versions, handle translation, and the names that upstream's static loader looks up.
#include <cstring>

#include <entry/cold.hpp>
#include <entry/core.hpp>
#include <entry/loader_version.hpp>
#include <registry/wrap.hpp>

using namespace zeroth::entry;

namespace {

bool is_known(zel_handle_type_t type) { return type >= ZEL_HANDLE_DRIVER && type <= ZEL_HANDLE_PHYSICAL_MEM; }

} // namespace

extern "C" {

ze_result_t ZE_APICALL zelLoaderGetVersions(size_t* num_elems, zel_component_version_t* versions) {
  if (num_elems == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (versions != nullptr && *num_elems > 0) versions[0] = LoaderVersion;
  *num_elems = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zelGetLoaderVersion(zel_component_version_t* version) {
  if (version == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *version = LoaderVersion;
  return ZE_RESULT_SUCCESS;
}

// Programs and drivers share their handles here, except those of drivers without a prefix, which are wrapped.
ze_result_t ZE_APICALL zelLoaderTranslateHandle(zel_handle_type_t handleType, void* handleIn, void** handleOut) {
  if (!session().initialised(zeroth::Family::Core)) return ZE_RESULT_ERROR_UNINITIALIZED;
  if (handleIn == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if (handleOut == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (!is_known(handleType)) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  *handleOut = zeroth::registry::driver_object(handleIn);
  return ZE_RESULT_SUCCESS;
}

// Internal names, in the order in which the static loader uses them (findings: it calls the first two unchecked).

ZE_DLLEXPORT ze_result_t ZE_APICALL zeLoaderInit() { return ZE_RESULT_SUCCESS; }

ZE_DLLEXPORT ze_result_t ZE_APICALL zelLoaderGetVersionsInternal(size_t* num_elems, zel_component_version_t* versions) {
  return zelLoaderGetVersions(num_elems, versions);
}

// There is no separate tracing library; a null answer makes the static loader take the tracer's table from us.
ZE_DLLEXPORT void* ZE_APICALL zeLoaderGetTracingHandle() { return nullptr; }

ZE_DLLEXPORT ze_result_t ZE_APICALL zelLoaderTranslateHandleInternal(zel_handle_type_t handleType, void* handleIn,
                                                                     void** handleOut) {
  return zelLoaderTranslateHandle(handleType, handleIn, handleOut);
}

} // extern "C"
