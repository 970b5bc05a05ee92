#include "error.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "log.hpp"

namespace zeroth {

std::string detail::format_text(fmt::string_view format, fmt::format_args arguments) {
  return fmt::vformat(format, arguments);
}
namespace {

// Plain bytes, so that the text outlives every destructor of its thread and setting it never allocates.
struct ThreadText {
  char bytes[2048];
};
thread_local constinit ThreadText thread_text{};

// Each line of a cause moves one level in.
std::string indented(std::string_view cause) {
  std::string out;
  for (char c : cause) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

ze_result_t record(const char* function, ze_result_t code, std::string_view text) noexcept {
  last_error::set(text);
  try {
    if (function) {
      const std::string whole = fmt::format("{}: {}", function, text);
      last_error::set(whole);
    }
  } catch (...) { // out of memory: the text without the name stays
  }
  log(Level::Debug, "{} (result 0x{:x})", last_error::text(), static_cast<unsigned>(code));
  return code;
}

} // namespace

void Error::prepend(std::string_view outer) { text = fmt::format("{}\n  because {}", outer, indented(text)); }

void Error::append_advice(std::string_view advice) { text += fmt::format("\n  try: {}", advice); }

namespace last_error {

const char* text() noexcept { return thread_text.bytes; }

void set(std::string_view text) noexcept {
  const std::size_t size = std::min(text.size(), sizeof thread_text.bytes - 1);
  std::memmove(thread_text.bytes, text.data(), size);
  thread_text.bytes[size] = '\0';
}

void clear() noexcept { thread_text.bytes[0] = '\0'; }

} // namespace last_error

ze_result_t record_error(const char* function, const Error& error) noexcept {
  return record(function, error.code, error.text);
}

ze_result_t record_current_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return record_error(function, error);
  } catch (const std::bad_alloc&) {
    return record(function, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "out of host memory");
  } catch (const std::exception& error) {
    return record(function, ZE_RESULT_ERROR_UNKNOWN, error.what());
  } catch (...) {
    return record(function, ZE_RESULT_ERROR_UNKNOWN, "an exception of unknown type");
  }
}

} // namespace zeroth
