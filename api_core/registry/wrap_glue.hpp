// What the generated wrap.cpp calls. Not for other code.
#pragma once

#include <memory>
#include <new>

#include <registry/foreign_glue.hpp>
#include <registry/wrap.hpp>

namespace zeroth::registry::wrap_glue {

// What programs hold instead of a driver's object.
struct Wrapper {
  ze_handle_t prefix;
  void* own;
  Backend* backend;
};

// Fewer loads than Backend::of: every call on a wrapped object comes this way.
template <class Handle> Backend& backend_of(Handle handle) {
  return *__atomic_load_n(&reinterpret_cast<Wrapper*>(handle)->backend, __ATOMIC_RELAXED);
}

template <class Handle> Handle unwrap(Handle handle) {
  return handle == nullptr ? nullptr : static_cast<Handle>(reinterpret_cast<Wrapper*>(handle)->own);
}

template <class Handle> void unwrap_in_place(Handle* handles, std::uint32_t count) {
  if (handles == nullptr) return;
  for (std::uint32_t i = 0; i < count; ++i) handles[i] = unwrap(handles[i]);
}

template <class Handle> void take(Backend& backend, Handle* handles, std::uint32_t count = 1) {
  if (handles == nullptr) return;
  for (std::uint32_t i = 0; i < count; ++i)
    if (handles[i] != nullptr) handles[i] = static_cast<Handle>(wrap(backend, handles[i]));
}

inline void take(Backend& backend, ze_context_handle_t& handle) { take(backend, &handle); }

// The driver's own handles for an array of ours. Short lists, as of wait events, need no allocation.
template <class Handle> class UnwrappedList {
public:
  UnwrappedList(const Handle* handles, std::uint32_t count) {
    if (handles == nullptr) return;
    own_ = few_;
    if (count > Few) own_ = (many_ = std::make_unique<Handle[]>(count)).get();
    std::transform(handles, handles + count, own_, [](Handle handle) { return unwrap(handle); });
  }
  Handle* get() { return own_; }

private:
  static constexpr std::uint32_t Few = 32;
  Handle few_[Few];
  std::unique_ptr<Handle[]> many_;
  Handle* own_ = nullptr;
};

// A structure with handles inside, as the driver shall see it.
template <class Struct> class Unwrapped {
public:
  explicit Unwrapped(const Struct* given) {
    if (given == nullptr) return;
    own_ = *given;
    unwrap_members(own_);
    pointer_ = &own_;
  }
  const Struct* get() const { return pointer_; }

private:
  static void unwrap_members(ze_command_visit_ext_desc_t& desc) {
    desc.hReappendTargetCommandList = unwrap(desc.hReappendTargetCommandList);
  }
  Struct own_{};
  const Struct* pointer_ = nullptr;
};

// A wrapper whose object is being released. The driver may hand out a new object at the same address before the
// releasing call has returned, so the wrapper stops standing for the address before that call; if it fails, it stands
// again.
class Release {
public:
  Release(Backend& backend, void* wrapper);
  void done(ze_result_t result);

private:
  Wrapper* wrapper_;
};

} // namespace zeroth::registry::wrap_glue
