// Tracers (zelTracer…): the objects, their state and the callbacks registered with them.
//
// A tracer starts disabled. Callbacks change only while it is disabled; an enabled one is in use and cannot be
// destroyed. Threading: any thread; one lock. Ownership: a tracer lives from zelTracerCreate to zelTracerDestroy.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <vector>

#include <level_zero/layers/zel_tracing_api.h>
#include <level_zero/layers/zel_tracing_register_cb.h>
#include <zeroth/api/tracing.hpp>

namespace zeroth::layers {

using Callback = void (*)();
using Callbacks = std::array<Callback, std::size(traced_functions)>; // by place in traced_functions

struct Tracer {
  void* user_data = nullptr;
  bool enabled = false;
  Callbacks prologues{};
  Callbacks epilogues{};
};

class Tracers {
public:
  zel_tracer_handle_t create(void* user_data);
  ze_result_t destroy(zel_tracer_handle_t tracer);
  // `kind`: a zel_tracer_reg_t, or what a program passes for one.
  ze_result_t set(zel_tracer_handle_t tracer, std::uint32_t kind, std::uint32_t index, Callback callback);
  ze_result_t set_core(zel_tracer_handle_t tracer, std::uint32_t kind, const zel_core_callbacks_t& callbacks);
  ze_result_t enable(zel_tracer_handle_t tracer, bool enabled);
  ze_result_t reset(zel_tracer_handle_t tracer);

  // Whether tracing was asked for: by ZE_ENABLE_TRACING_LAYER=1 or zelEnableTracingLayer.
  bool layer_enabled() const { return layer_enabled_.load(); }
  void enable_layer(bool enabled) { layer_enabled_.store(enabled); }

  void lock_for_fork() { mutex_.lock(); }
  void unlock_after_fork() { mutex_.unlock(); }

  Tracers();

private:
  // Null when there is no such tracer. The lock is held.
  Tracer* find(zel_tracer_handle_t tracer);
  template <class Change> ze_result_t change_disabled(zel_tracer_handle_t tracer, Change change);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Tracer>> tracers_;
  std::atomic<bool> layer_enabled_;
};

// Never destroyed.
Tracers& tracers();

// Behind every zelTracer…RegisterCallback; `index` is the function's place in traced_functions.
ze_result_t set_callback(zel_tracer_handle_t tracer, std::uint32_t kind, std::uint32_t index,
                         Callback callback) noexcept;

} // namespace zeroth::layers
