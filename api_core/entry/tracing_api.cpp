// The public functions of tracers. The layer that calls the callbacks is an overlay of its own and is not part of this
// library yet: asking for it is accepted, answered truthfully in the log, and callbacks are kept.
#include <entry/cold.hpp>
#include <entry/core.hpp>
#include <layers/tracers.hpp>
#include <level_zero/loader/ze_loader.h>
#include <sdk/log.hpp>

using zeroth::entry::at_edge;
using zeroth::layers::tracers;

namespace {

// Null objects are refused as everywhere: before any init UNINITIALIZED comes first.
ze_result_t null_tracer() { return zeroth::entry::null_handle(zeroth::Family::Core); }

ze_result_t set_core(const char* function, zel_tracer_handle_t tracer, std::uint32_t kind,
                     const zel_core_callbacks_t* callbacks) {
  if (tracer == nullptr) return null_tracer();
  if (callbacks == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return at_edge(function, [&] { return tracers().set_core(tracer, kind, *callbacks); });
}

} // namespace

extern "C" {

ze_result_t ZE_APICALL zelTracerCreate(const zel_tracer_desc_t* desc, zel_tracer_handle_t* phTracer) {
  if (desc == nullptr || phTracer == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  return at_edge("zelTracerCreate", [&] {
    *phTracer = tracers().create(desc->pUserData);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t ZE_APICALL zelTracerDestroy(zel_tracer_handle_t hTracer) {
  return hTracer == nullptr ? null_tracer() : tracers().destroy(hTracer);
}

ze_result_t ZE_APICALL zelTracerSetPrologues(zel_tracer_handle_t hTracer, zel_core_callbacks_t* pCoreCbs) {
  return set_core("zelTracerSetPrologues", hTracer, ZEL_REGISTER_PROLOGUE, pCoreCbs);
}

ze_result_t ZE_APICALL zelTracerSetEpilogues(zel_tracer_handle_t hTracer, zel_core_callbacks_t* pCoreCbs) {
  return set_core("zelTracerSetEpilogues", hTracer, ZEL_REGISTER_EPILOGUE, pCoreCbs);
}

ze_result_t ZE_APICALL zelTracerSetEnabled(zel_tracer_handle_t hTracer, ze_bool_t enable) {
  return hTracer == nullptr ? null_tracer() : tracers().enable(hTracer, enable != 0);
}

ze_result_t ZE_APICALL zelTracerResetAllCallbacks(zel_tracer_handle_t hTracer) {
  return hTracer == nullptr ? null_tracer() : tracers().reset(hTracer);
}

ze_result_t ZE_APICALL zelEnableTracingLayer() {
  zeroth::log(zeroth::Level::Warning, "tracing is on, but this build has no tracing layer: no callback will be called");
  tracers().enable_layer(true);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zelDisableTracingLayer() {
  tracers().enable_layer(false);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zelGetTracingLayerState(bool* enabled) {
  if (enabled == nullptr) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  *enabled = tracers().layer_enabled();
  return ZE_RESULT_SUCCESS;
}

} // extern "C"
