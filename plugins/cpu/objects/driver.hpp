// The driver: what all objects of one instance of the plugin share. It is created by the first init call and never
// destroyed: worker threads and late calls at process exit may still need it.
#pragma once
#include "../commands/flow.hpp"
#include "../commands/overlap.hpp"
#include "../memory/heap.hpp"
#include "../memory/virtual_ranges.hpp"
#include "../platform/quick.hpp"
#include "../platform/visibility.hpp"
#include "flow_pool.hpp"

#include <kernel_compiler/client/kernel_compiler.hpp>
#include <sdk/error.hpp>
#include <zeroth/device/all.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace zeroth::cpu {

using device::from_handle;

class CpuDevice;
class CpuContext;

// Throws INVALID_NULL_HANDLE for a null among the devices of a call, INVALID_ARGUMENT for another driver's, which may
// be a driver of the same kind.
void check_devices(std::uint32_t count, const ze_device_handle_t* devices);

// What the configuration (or, without a host, the environment) says.
struct DriverOptions {
  unsigned threads = 0;    // workers; 0: one per core
  std::string cores;       // that workers may use, as "0-3,8"; empty: those of the process
  bool pin = false;        // each worker to one of them
  std::string sub_devices; // see split_cores()
  std::string device_mask; // of the configuration, see visible_devices()
  std::string compiler;    // path of the worker program; empty: found beside the library
  std::string cpu;         // level that kernels may use at most; empty: all
  std::string plugin_path; // file of this plugin, as the host knows it; empty: what the dynamic loader says
};

class CpuDriver final : public device::Driver {
public:
  static CpuDriver& instance();
  // Before the first instance(): what the host's init gave.
  static void configure(DriverOptions options);

  bool is_default(const CpuContext& context) {
    std::lock_guard lock(default_context_mutex_);
    return default_context_.get() == &context;
  }

  const QuickFacts& facts() const {
    std::call_once(facts_read_, [this] { facts_ = read_quick_facts(); });
    return facts_;
  }
  Heap& heap() { return heap_; }
  VirtualRanges& virtual_ranges() { return virtual_ranges_; }
  Executor& executor() { return executor_; } // of the whole device
  compiler::Compiler& compiler() { return compiler_; }
  CpuDevice& device() { return *device_; } // the whole one
  // Its parts that the program sees, if the configuration splits it.
  const std::vector<std::unique_ptr<CpuDevice>>& sub_devices() const { return sub_devices_; }
  Hierarchy hierarchy() const { return hierarchy_; }

  // Without a host that rewrites it, a program that asked for GPUs alone sees the device as one.
  void report_gpu(bool yes) { reports_gpu_.store(yes, std::memory_order_relaxed); }
  ze_device_type_t reported_type() const {
    return reports_gpu_.load(std::memory_order_relaxed) ? ZE_DEVICE_TYPE_GPU : ZE_DEVICE_TYPE_CPU;
  }

  ze_result_t get_api_version(ze_api_version_t* version) override;
  ze_result_t get_properties(ze_driver_properties_t* properties) override;
  ze_result_t get_ipc_properties(ze_driver_ipc_properties_t* properties) override;
  ze_result_t get_extension_properties(uint32_t* count, ze_driver_extension_properties_t* properties) override;
  ze_result_t get_extension_function_address(const char* name, void** address) override;
  ze_result_t get_last_error_description(const char** text) override;
  ze_context_handle_t get_default_context() override;
  ze_result_t device_get(uint32_t* count, ze_device_handle_t* devices) override;
  ze_result_t context_create(const ze_context_desc_t* desc, ze_context_handle_t* context) override;
  ze_result_t context_create_ex(const ze_context_desc_t* desc, uint32_t count, ze_device_handle_t* devices,
                                ze_context_handle_t* context) override;
  ze_result_t fabric_vertex_get_exp(uint32_t* count, ze_fabric_vertex_handle_t* vertices) override;

private:
  explicit CpuDriver(const DriverOptions& options);
  void make_devices(const DriverOptions& options);

  mutable std::once_flag facts_read_; // by the first question, not by the first init
  mutable QuickFacts facts_;
  Heap heap_;
  VirtualRanges virtual_ranges_;
  const CoreSet cores_; // all that the device may use
  Executor executor_;
  compiler::Compiler compiler_;
  std::unique_ptr<CpuDevice> device_;
  std::vector<std::unique_ptr<CpuDevice>> sub_devices_;
  Hierarchy hierarchy_ = Hierarchy::Composite;
  bool device_visible_ = true;
  std::atomic<bool> reports_gpu_{false};
  std::mutex default_context_mutex_;
  std::unique_ptr<CpuContext> default_context_;
};

} // namespace zeroth::cpu
