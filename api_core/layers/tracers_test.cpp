// Tracers: their state, and that every way to register a callback leads to the same place.
#include <cstring>
#include <string_view>

#include <gtest/gtest.h>

#include <layers/tracers.hpp>

namespace {

using namespace zeroth;
using namespace zeroth::layers;

std::uint32_t index_of(std::string_view function) {
  for (std::uint32_t i = 0; i < std::size(traced_functions); ++i)
    if (traced_functions[i].function == function) return i;
  ADD_FAILURE() << function << " is not traced";
  return 0;
}

Callback some_callback() {
  return [] {};
}

const Tracer& object(zel_tracer_handle_t tracer) { return *reinterpret_cast<const Tracer*>(tracer); }

TEST(Tracers, keep_callbacks_of_the_core_tables_by_function) {
  Tracers tracers;
  zel_tracer_handle_t tracer = tracers.create(nullptr);
  zel_core_callbacks_t callbacks{};
  callbacks.CommandList.pfnAppendLaunchKernelCb =
      reinterpret_cast<ze_pfnCommandListAppendLaunchKernelCb_t>(some_callback());
  callbacks.Global.pfnInitCb = reinterpret_cast<ze_pfnInitCb_t>(some_callback());
  callbacks.VirtualMem.pfnFreeCb = reinterpret_cast<ze_pfnVirtualMemFreeCb_t>(some_callback());
  ASSERT_EQ(tracers.set_core(tracer, ZEL_REGISTER_PROLOGUE, callbacks), ZE_RESULT_SUCCESS);
  for (const char* function : {"zeCommandListAppendLaunchKernel", "zeInit", "zeVirtualMemFree"})
    EXPECT_EQ(object(tracer).prologues[index_of(function)], some_callback()) << function;
  EXPECT_EQ(object(tracer).prologues[index_of("zeEventCreate")], nullptr);
  EXPECT_EQ(object(tracer).epilogues[index_of("zeInit")], nullptr);
}

TEST(Tracers, change_only_while_disabled_and_are_in_use_while_enabled) {
  Tracers tracers;
  zel_tracer_handle_t tracer = tracers.create(nullptr);
  ASSERT_EQ(tracers.enable(tracer, true), ZE_RESULT_SUCCESS);
  EXPECT_EQ(tracers.set(tracer, ZEL_REGISTER_EPILOGUE, 0, some_callback()), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(tracers.reset(tracer), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(tracers.destroy(tracer), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  ASSERT_EQ(tracers.enable(tracer, false), ZE_RESULT_SUCCESS);
  EXPECT_EQ(tracers.set(tracer, ZEL_REGISTER_EPILOGUE, 0, some_callback()), ZE_RESULT_SUCCESS);
  EXPECT_EQ(object(tracer).epilogues[0], some_callback());
  EXPECT_EQ(tracers.reset(tracer), ZE_RESULT_SUCCESS);
  EXPECT_EQ(object(tracer).epilogues[0], nullptr);
  EXPECT_EQ(tracers.destroy(tracer), ZE_RESULT_SUCCESS);
}

TEST(Tracers, that_do_not_exist_are_refused) {
  Tracers tracers;
  zel_tracer_handle_t tracer = tracers.create(nullptr);
  ASSERT_EQ(tracers.destroy(tracer), ZE_RESULT_SUCCESS);
  EXPECT_EQ(tracers.destroy(tracer), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(tracers.enable(tracer, true), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(set_callback(nullptr, ZEL_REGISTER_PROLOGUE, 0, nullptr), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
}

TEST(Tracers, refuse_an_unknown_kind_of_callback) {
  Tracers tracers;
  zel_tracer_handle_t tracer = tracers.create(nullptr);
  constexpr std::uint32_t unknown = 7;
  EXPECT_EQ(tracers.set(tracer, unknown, 0, some_callback()), ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

} // namespace
