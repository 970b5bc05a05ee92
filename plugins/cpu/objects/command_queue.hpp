// Command queues and their fences.
// Threads: lists may be executed on one queue from several threads; a lock keeps their order whole.
#pragma once
#include "context.hpp"

#include <zeroth/device/command_queue.hpp>
#include <zeroth/device/fence.hpp>

namespace zeroth::cpu {

class CpuCommandQueue final : public device::CommandQueue {
public:
  CpuCommandQueue(CpuContext& context, ze_device_handle_t device, const ze_command_queue_desc_t& desc);
  ~CpuCommandQueue() override;

  InOrderFlow& flow() { return flow_; }

  ze_result_t destroy() override;
  ze_result_t execute_command_lists(uint32_t count, ze_command_list_handle_t* lists, ze_fence_handle_t fence) override;
  ze_result_t synchronize(uint64_t timeout) override;
  ze_result_t get_ordinal(uint32_t* ordinal) override;
  ze_result_t get_index(uint32_t* index) override;
  ze_result_t get_flags(ze_command_queue_flags_t* flags) override;
  ze_result_t get_mode(ze_command_queue_mode_t* mode) override;
  ze_result_t get_priority(ze_command_queue_priority_t* priority) override;
  ze_result_t fence_create(const ze_fence_desc_t* desc, ze_fence_handle_t* fence) override;
  ze_result_t set_priority_ext(ze_command_queue_priority_t priority) override;
  ze_result_t set_qos_ext(const ze_command_queue_qos_ext_desc_t* desc) override;
  ze_result_t get_qos_ext(ze_command_queue_qos_ext_properties_t* properties) override;

private:
  void execute(class RegularList& list, class CpuFence* fence);

  CpuDevice& device_;
  const ze_command_queue_desc_t desc_;
  std::atomic<ze_command_queue_priority_t> priority_;
  std::atomic<ze_command_queue_qos_ext_t> qos_{ZE_COMMAND_QUEUE_QOS_EXT_DEFAULT};
  InOrderFlow& flow_;
  std::mutex order_;
};

class CpuFence final : public device::Fence {
public:
  CpuFence(CpuCommandQueue& queue, bool signalled);
  // The queue's `number`-th command will signal it.
  EventCell& signalled_by(std::uint64_t number) {
    number_.store(number, std::memory_order_relaxed);
    return cell_;
  }

  ze_result_t destroy() override;
  ze_result_t host_synchronize(uint64_t timeout) override;
  ze_result_t query_status() override;
  ze_result_t reset() override;

private:
  CpuCommandQueue& queue_;
  EventCell cell_;
  std::atomic<std::uint64_t> number_{0};
};

} // namespace zeroth::cpu
