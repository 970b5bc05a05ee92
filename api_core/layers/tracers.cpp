#include <layers/tracers.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace zeroth::layers {
namespace {

bool enabled_by_environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && std::strcmp(value, "1") == 0;
}

Callbacks* of_kind(Tracer& tracer, std::uint32_t kind) {
  switch (kind) {
  case ZEL_REGISTER_PROLOGUE:
    return &tracer.prologues;
  case ZEL_REGISTER_EPILOGUE:
    return &tracer.epilogues;
  default:
    return nullptr;
  }
}

static_assert(sizeof(zel_core_callbacks_t) == core_callback_count * sizeof(Callback));

} // namespace

Tracers::Tracers() : layer_enabled_(enabled_by_environment("ZE_ENABLE_TRACING_LAYER")) {}

Tracers& tracers() {
  static Tracers& all = *new Tracers;
  return all;
}

Tracer* Tracers::find(zel_tracer_handle_t tracer) {
  const auto place = std::find_if(tracers_.begin(), tracers_.end(),
                                  [&](const auto& known) { return known.get() == reinterpret_cast<Tracer*>(tracer); });
  return place == tracers_.end() ? nullptr : place->get();
}

template <class Change> ze_result_t Tracers::change_disabled(zel_tracer_handle_t tracer, Change change) {
  const std::lock_guard lock(mutex_);
  Tracer* found = find(tracer);
  if (found == nullptr || found->enabled) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  return change(*found);
}

zel_tracer_handle_t Tracers::create(void* user_data) {
  auto tracer = std::make_unique<Tracer>();
  tracer->user_data = user_data;
  const std::lock_guard lock(mutex_);
  return reinterpret_cast<zel_tracer_handle_t>(tracers_.emplace_back(std::move(tracer)).get());
}

ze_result_t Tracers::destroy(zel_tracer_handle_t tracer) {
  const std::lock_guard lock(mutex_);
  Tracer* found = find(tracer);
  if (found == nullptr) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (found->enabled) return ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE;
  std::erase_if(tracers_, [&](const auto& known) { return known.get() == found; });
  return ZE_RESULT_SUCCESS;
}

ze_result_t Tracers::set(zel_tracer_handle_t tracer, std::uint32_t kind, std::uint32_t index, Callback callback) {
  return change_disabled(tracer, [&](Tracer& found) {
    Callbacks* callbacks = of_kind(found, kind);
    if (callbacks == nullptr) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    (*callbacks)[index] = callback;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t Tracers::set_core(zel_tracer_handle_t tracer, std::uint32_t kind, const zel_core_callbacks_t& callbacks) {
  return change_disabled(tracer, [&](Tracer& found) {
    std::memcpy(of_kind(found, kind)->data(), &callbacks, sizeof(callbacks));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t Tracers::enable(zel_tracer_handle_t tracer, bool enabled) {
  const std::lock_guard lock(mutex_);
  Tracer* found = find(tracer);
  if (found == nullptr) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  found->enabled = enabled;
  return ZE_RESULT_SUCCESS;
}

ze_result_t Tracers::reset(zel_tracer_handle_t tracer) {
  return change_disabled(tracer, [&](Tracer& found) {
    found.prologues = {};
    found.epilogues = {};
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t set_callback(zel_tracer_handle_t tracer, std::uint32_t kind, std::uint32_t index,
                         Callback callback) noexcept {
  if (tracer == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  return tracers().set(tracer, kind, index, callback);
}

} // namespace zeroth::layers
