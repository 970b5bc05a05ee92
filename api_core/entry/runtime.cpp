// The zer functions: they have no object or serve all drivers at once, so the core answers them.
#include <entry/cold.hpp>
#include <entry/core.hpp>
#include <entry/default_context.hpp>
#include <entry/identifiers.hpp>
#include <entry/last_error_text.hpp>

using namespace zeroth;
using namespace zeroth::entry;

namespace {

// For functions that return no code: the fault goes to the thread's last-error text.
template <class Result, class Body> Result with_text(const char* function, Result failure, Body body) noexcept {
  Result result = failure;
  at_edge(function, [&]() -> ze_result_t {
    if (!session().initialised(Family::Runtime)) throw Error(ZE_RESULT_ERROR_UNINITIALIZED, "called before zeInit");
    result = body();
    return ZE_RESULT_SUCCESS;
  });
  return result;
}

} // namespace

extern "C" {

ze_result_t ZE_APICALL zerGetLastErrorDescription(const char** ppString) {
  if (!session().initialised(Family::Runtime)) return ZE_RESULT_ERROR_UNINITIALIZED;
  if (ppString == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return at_edge("zerGetLastErrorDescription", [&] {
    *ppString = last_error_text();
    return ZE_RESULT_SUCCESS;
  });
}

uint32_t ZE_APICALL zerTranslateDeviceHandleToIdentifier(ze_device_handle_t hDevice) {
  return with_text("zerTranslateDeviceHandleToIdentifier", UINT32_MAX, [&] {
    if (hDevice == nullptr) throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "hDevice is null");
    return identifiers().of(hDevice);
  });
}

ze_device_handle_t ZE_APICALL zerTranslateIdentifierToDeviceHandle(uint32_t identifier) {
  return with_text<ze_device_handle_t>("zerTranslateIdentifierToDeviceHandle", nullptr, [&] {
    ze_device_handle_t device = identifiers().device(identifier);
    if (device == nullptr) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "no device has the identifier {}", identifier);
    return device;
  });
}

ze_context_handle_t ZE_APICALL zerGetDefaultContext() {
  return with_text<ze_context_handle_t>("zerGetDefaultContext", nullptr, [] { return default_context(); });
}

} // extern "C"
