// The process's one session, and what every hand-written entry point does around its work.
#pragma once

#include <entry/last_error_text.hpp>
#include <registry/session.hpp>
#include <sdk/error.hpp>

namespace zeroth::entry {

// Built on first use, never destroyed: calls are served until the process is gone, whatever runs at its exit.
registry::Session& session();

// Runs `body` for an entry point; an exception becomes its code and the thread's last-error text.
template <class Body> ze_result_t at_edge(const char* function, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    const ze_result_t result = record_current_exception(function);
    core_failed();
    return result;
  }
}

// The counting protocol of all enumerations: *count = 0 or no array asks how many there are, else up to *count are
// written.
template <class Handle, class List> void enumerate(const List& all, std::uint32_t* count, Handle* handles) {
  const auto total = static_cast<std::uint32_t>(all.size());
  if (handles == nullptr || *count == 0 || *count > total) *count = total;
  if (handles == nullptr) return;
  for (std::uint32_t i = 0; i < *count; ++i) handles[i] = all[i];
}

} // namespace zeroth::entry
