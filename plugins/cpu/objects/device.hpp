// The device, all usable cores of the machine, and its parts, if the configuration splits it. Each executes on threads
// of its own, which start with its first work; memory is one for all.
#pragma once
#include "driver.hpp"

namespace zeroth::cpu {

// Limits that properties report and that lists and kernels enforce.
inline constexpr std::uint32_t MaxGroupSize = 1024;
inline constexpr std::uint32_t MaxLocalBytes = 256u << 10;
inline constexpr std::uint32_t QueuesPerGroup = 4;
// Queue groups, by their ordinals. The second is for programs that send copies to an engine of their own; here both
// execute on the same threads, and a copy costs the same in either.
enum QueueGroup : std::uint32_t { EverythingGroup, CopyGroup, QueueGroups };
inline constexpr std::uint32_t TimestampBits = 56;

class CpuDevice final : public device::Device {
public:
  // The whole device.
  CpuDevice(CpuDriver& driver, Executor& executor, CoreSet cores);
  // Part `number`.
  CpuDevice(CpuDriver& driver, CpuDevice& root, std::uint32_t number, const CoreSet& cores, bool pin);

  CpuDriver& driver() { return driver_; }
  Executor& executor() { return executor_; }
  int node() const { return node_; } // see node_of()
  FlowPool<InOrderFlow>& in_order_flows() { return in_order_flows_; }
  FlowPool<OverlapFlow>& overlap_flows() { return overlap_flows_; }

  // Throws INVALID_ARGUMENT for a queue group or index that does not exist.
  void check_queue(std::uint32_t ordinal, std::uint32_t index) const;

  ze_result_t get_root_device(ze_device_handle_t* root) override;
  ze_result_t get_sub_devices(uint32_t* count, ze_device_handle_t* devices) override;
  ze_result_t get_properties(ze_device_properties_t* properties) override;
  ze_result_t get_compute_properties(ze_device_compute_properties_t* properties) override;
  ze_result_t get_module_properties(ze_device_module_properties_t* properties) override;
  ze_result_t get_command_queue_group_properties(uint32_t* count,
                                                 ze_command_queue_group_properties_t* properties) override;
  ze_result_t get_memory_properties(uint32_t* count, ze_device_memory_properties_t* properties) override;
  ze_result_t get_memory_access_properties(ze_device_memory_access_properties_t* properties) override;
  ze_result_t get_cache_properties(uint32_t* count, ze_device_cache_properties_t* properties) override;
  ze_result_t get_image_properties(ze_device_image_properties_t* properties) override;
  ze_result_t image_get_properties(const ze_image_desc_t* desc, ze_image_properties_t* properties) override;
  ze_result_t get_external_memory_properties(ze_device_external_memory_properties_t* properties) override;
  ze_result_t get_p2p_properties(ze_device_handle_t peer, ze_device_p2p_properties_t* properties) override;
  ze_result_t can_access_peer(ze_device_handle_t peer, ze_bool_t* value) override;
  ze_result_t get_status() override { return ZE_RESULT_SUCCESS; }
  ze_result_t get_global_timestamps(uint64_t* host, uint64_t* device) override;
  ze_result_t synchronize() override;
  ze_result_t get_runtime_requirements_key(const char** key) override;
  ze_result_t get_runtime_requirements(const void* desc, size_t* size, char* text) override;
  ze_result_t validate_runtime_requirements(const char* text, ze_validate_runtime_requirements_output_t* out) override;
  ze_result_t import_external_semaphore_ext(const ze_external_semaphore_ext_desc_t* desc,
                                            ze_external_semaphore_ext_handle_t* semaphore) override;
  ze_result_t get_compiler_info(ze_device_compiler_info_t what, const void* next, size_t* size, void* data) override;
  ze_result_t get_aggregated_copy_offload_increment_value(uint32_t* value) override;
  ze_result_t get_counter_based_event_max_value(uint64_t* value) override;
  ze_result_t get_vector_width_properties_ext(uint32_t* count,
                                              ze_device_vector_width_properties_ext_t* properties) override;
  // Tools (objects/tools.cpp).
  ze_result_t zet_get_debug_properties(zet_device_debug_properties_t* properties) override;
  ze_result_t zet_metric_group_get(uint32_t* count, zet_metric_group_handle_t* groups) override;
  ze_result_t zet_metric_programmable_get_exp(uint32_t* count, zet_metric_programmable_exp_handle_t* metrics) override;

private:
  std::uint32_t physical_cores() const;
  void drain();

  CpuDriver& driver_;
  CpuDevice* const root_;      // null: it is the whole one
  const std::uint32_t number_; // among all parts, also those that the program does not see
  const CoreSet cores_;
  const int node_;
  std::unique_ptr<Executor> own_executor_;
  Executor& executor_;
  FlowPool<InOrderFlow> in_order_flows_;
  FlowPool<OverlapFlow> overlap_flows_;
};

} // namespace zeroth::cpu
