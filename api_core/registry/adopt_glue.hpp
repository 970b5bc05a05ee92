// What the generated adopt.cpp calls. Not for other code.
#pragma once

#include <registry/foreign_glue.hpp>

namespace zeroth::registry::adopt_glue {

inline Backend& backend_of(const void* handle) { return Backend::of(handle); }

template <class Handle> void take(Backend& backend, Handle* handles, std::uint32_t count = 1) {
  if (handles == nullptr) return;
  for (std::uint32_t i = 0; i < count; ++i)
    if (handles[i] != nullptr)
      set_prefix(*reinterpret_cast<ze_handle_t*>(handles[i]), backend.composed(), backend.prefix_size());
}

// A function that returns the object itself.
inline void take(Backend& backend, ze_context_handle_t& handle) { take(backend, &handle); }

} // namespace zeroth::registry::adopt_glue
