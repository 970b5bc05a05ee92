// Errors inside Zeroth: one exception type that carries the spec's result code and a text that a user can act on.
//
// Code inside the core and the plugins throws `Error`; the C edge (generated) turns it into `code` and keeps `text` as
// the calling thread's last-error text, which zeDriverGetLastErrorDescription returns. The text is a cause chain,
// outermost first, one cause a line:
//
//     zeModuleCreate on device cpu0: the module was not built
//       because kernel `blur`: OpTypeImage needs image support
//       try: give the buffer version of the kernel
//
//     throw Error(ZE_RESULT_ERROR_INVALID_SIZE, "group size {} of kernel {} is larger than {}", size, name, limit);
//     catch (Error& error) { throw std::move(error).within("zeModuleCreate on device {}", device.name()); }
//
// Threading: the last-error text belongs to its thread. Each shared object (the core, each plugin) keeps its own.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>
#include <level_zero/ze_api.h>

namespace zeroth {

namespace detail {
// fmt::vformat, compiled into the SDK: whoever throws needs no formatting library.
std::string format_text(fmt::string_view format, fmt::format_args arguments);
} // namespace detail

class Error : public std::exception {
public:
  Error(ze_result_t result, std::string message) : code(result), text(std::move(message)) {}

  // Who, what, which object: Error(code, "queue {} has {} commands", …). The format string is checked at compile time.
  template <class First, class... Rest>
  Error(ze_result_t result, fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest)
      : code(result), text(detail::format_text(format, fmt::make_format_args(first, rest...))) {}

  const char* what() const noexcept override { return text.c_str(); }

  // Puts what was being done in front; what happened becomes its cause.
  template <class... Arguments> Error within(fmt::format_string<Arguments...> format, Arguments&&... arguments) && {
    prepend(detail::format_text(format, fmt::make_format_args(arguments...)));
    return std::move(*this);
  }
  // Adds what the user can do about it.
  template <class... Arguments> Error advise(fmt::format_string<Arguments...> format, Arguments&&... arguments) && {
    append_advice(detail::format_text(format, fmt::make_format_args(arguments...)));
    return std::move(*this);
  }

  ze_result_t code;
  std::string text;

private:
  void prepend(std::string_view outer);
  void append_advice(std::string_view advice);
};

// The calling thread's last-error text of this shared object. Never null, never fails, longest texts are cut; the
// pointer stays valid for the life of the thread, its content until the next error on it. Usable during thread and
// process exit.
namespace last_error {
const char* text() noexcept;
void set(std::string_view text) noexcept;
void clear() noexcept;
} // namespace last_error

// For the C edge: keeps the error's text for the thread, logs it at debug level and returns the code to hand out.
// `function` names the API function that failed and leads the text.
ze_result_t record_error(const char* function, const Error& error) noexcept;

// The same for whatever is in flight: call inside a catch block. Error → its code, std::bad_alloc →
// ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, anything else → ZE_RESULT_ERROR_UNKNOWN.
ze_result_t record_current_exception(const char* function) noexcept;

} // namespace zeroth
