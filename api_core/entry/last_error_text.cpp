#include <entry/last_error_text.hpp>

#include <functional>
#include <string_view>

#include <entry/core.hpp>

namespace zeroth::entry {
namespace {

// What drivers_text() was when the core last failed on this thread.
thread_local std::size_t drivers_text_at_failure = 0;
thread_local bool core_has_failed = false;

// The text of the first driver that has one.
const char* drivers_text() {
  for (ze_driver_handle_t driver : session().asked_drivers()) {
    const char* text = nullptr;
    if (zeDriverGetLastErrorDescription(driver, &text) != ZE_RESULT_SUCCESS) continue;
    if (text != nullptr && *text != '\0') return text;
  }
  return "";
}

std::size_t hash_of(const char* text) { return std::hash<std::string_view>()(text); }

} // namespace

void core_failed() noexcept try {
  core_has_failed = true;
  drivers_text_at_failure = hash_of(drivers_text());
} catch (...) {
  drivers_text_at_failure = 0;
}

const char* last_error_text() {
  const char* drivers = drivers_text();
  if (core_has_failed && hash_of(drivers) == drivers_text_at_failure) return last_error::text();
  return drivers;
}

} // namespace zeroth::entry
