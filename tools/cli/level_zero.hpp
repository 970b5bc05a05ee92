// A thin C++ edge over the public API, for programs that only want to get on: failures become exceptions, handles free
// themselves. Knows nothing of how a runtime is built. One thread.
#pragma once

#include "cli/commands.hpp"

#include <level_zero/ze_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace zeroth::cli {

// Throws Failure naming the call, the result code and the driver's own words, unless `result` is success.
void check(ze_result_t result, const char* call);
#define ZEROTH_CHECK(call) ::zeroth::cli::check((call), #call)

struct DriverEntry {
  ze_driver_handle_t handle;
  std::vector<ze_device_handle_t> devices;
};

// zeInit(0), then all drivers with their root devices. An empty list when the runtime has none.
std::vector<DriverEntry> enumerate_drivers();

// Calls a two-step "count, then array" function and returns the array.
template <class T, class Function> std::vector<T> ask_list(Function function, const char* call, T initial = {}) {
  uint32_t count = 0;
  check(function(&count, static_cast<T*>(nullptr)), call);
  std::vector<T> items(count, initial);
  check(function(&count, items.data()), call);
  items.resize(count);
  return items;
}

template <class Handle, ze_result_t (*Destroy)(Handle)> struct Destroyer {
  using pointer = Handle;
  void operator()(Handle handle) const { Destroy(handle); }
};
template <class Handle, ze_result_t (*Destroy)(Handle)>
using Owned = std::unique_ptr<Handle, Destroyer<Handle, Destroy>>;

using Context = Owned<ze_context_handle_t, zeContextDestroy>;
using Module = Owned<ze_module_handle_t, zeModuleDestroy>;
using BuildLog = Owned<ze_module_build_log_handle_t, zeModuleBuildLogDestroy>;
using Kernel = Owned<ze_kernel_handle_t, zeKernelDestroy>;
using CommandList = Owned<ze_command_list_handle_t, zeCommandListDestroy>;

// The log's text, or "(no log)".
std::string build_log_text(ze_module_build_log_handle_t log);
std::string uuid_text(const uint8_t (&id)[16]);
std::string version_text(uint32_t version); // ZE_MAKE_VERSION form: "1.20"

} // namespace zeroth::cli
