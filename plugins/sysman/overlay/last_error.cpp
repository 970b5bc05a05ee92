#include "last_error.hpp"

#include "site.hpp"

#include <functional>
#include <string_view>

namespace zeroth::sysman {
namespace {

using Description = ze_result_t(ZE_APICALL*)(ze_driver_handle_t, const char**);

thread_local bool failed_last = false;
thread_local std::size_t theirs_then = 0; // what the driver's text was when we failed

std::size_t text_of(Description description, ze_driver_handle_t driver, const char*& text) {
  text = nullptr;
  if (driver == nullptr || description(driver, &text) != ZE_RESULT_SUCCESS || text == nullptr) text = "";
  return std::hash<std::string_view>()(text);
}

Description description_of(const ze_handle_t& tables) {
  return overlay::slot<&ze_dditable_driver_t::Driver, &ze_driver_dditable_t::pfnGetLastErrorDescription>(tables);
}

ze_result_t ZE_APICALL describe(ze_driver_handle_t driver, const char** text) noexcept {
  if (text == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  const Description below = description_of(*zeroth_below(overlay::host(), driver));
  const char* theirs = nullptr;
  const std::size_t now = text_of(below, driver, theirs);
  if (!failed_last) return below(driver, text);
  if (theirs_then == 0) theirs_then = now;
  if (now != theirs_then) failed_last = false;
  *text = failed_last ? last_error::text() : theirs;
  return ZE_RESULT_SUCCESS;
}

} // namespace

ze_result_t noted(Site* site, ze_result_t result) noexcept {
  if (result == ZE_RESULT_SUCCESS) return result;
  const char* text = nullptr;
  failed_last = true;
  theirs_then = site && site->some_driver() ? text_of(description_of(site->below()), site->some_driver(), text) : 0;
  return result;
}

void show_own_errors(const zeroth_overlay_target& target) {
  overlay::slot<&ze_dditable_driver_t::Driver, &ze_driver_dditable_t::pfnGetLastErrorDescription>(*target.above) =
      describe;
}

} // namespace zeroth::sysman
