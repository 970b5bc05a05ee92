#include "command_queue.hpp"

#include "../commands/host_wait.hpp"
#include "../commands/small.hpp"
#include "device.hpp"
#include "regular_list.hpp"

#include <new>

namespace zeroth::cpu {

CpuCommandQueue::CpuCommandQueue(CpuContext&, ze_device_handle_t device, const ze_command_queue_desc_t& desc)
    : device_(*from_handle<CpuDevice>(device)), desc_(desc), priority_(desc.priority),
      flow_(device_.in_order_flows().acquire()) {
  flow_.set_priority(priority_of(desc.priority));
}

CpuCommandQueue::~CpuCommandQueue() { device_.in_order_flows().release(flow_); }

ze_result_t CpuCommandQueue::destroy() {
  delete this;
  return ZE_RESULT_SUCCESS;
}

void CpuCommandQueue::execute(RegularList& list, CpuFence* fence) {
  CommandBlock* block = nullptr;
  void* room = flow_.begin_append(ExecuteListCommand::room_for(list.renewals()), block);
  auto* command = new (room) ExecuteListCommand(list.first(), list.in_order(), list.renewals());
  command->block = block;
  command->signal = fence ? &fence->signalled_by(flow_.next_number()) : nullptr;
  command->signals_word = fence != nullptr;
  list.submit(*command, flow_, true);
  flow_.append(*command);
}

ze_result_t CpuCommandQueue::execute_command_lists(uint32_t count, ze_command_list_handle_t* lists,
                                                   ze_fence_handle_t fence) {
  for (uint32_t i = 0; i < count; ++i) executable_list(lists[i], desc_.ordinal); // all or none
  {
    std::lock_guard lock(order_);
    for (uint32_t i = 0; i < count; ++i)
      execute(executable_list(lists[i], desc_.ordinal),
              fence && i + 1 == count ? from_handle<CpuFence>(fence) : nullptr);
  }
  return desc_.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS ? synchronize(Forever) : ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandQueue::synchronize(uint64_t timeout) {
  const bool done = timeout ? flow_.wait(deadline_after(timeout)) : flow_.poll();
  flush_printed();
  return done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t CpuCommandQueue::get_ordinal(uint32_t* ordinal) {
  *ordinal = desc_.ordinal;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandQueue::get_index(uint32_t* index) {
  *index = desc_.index;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandQueue::get_flags(ze_command_queue_flags_t* flags) {
  *flags = desc_.flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandQueue::get_mode(ze_command_queue_mode_t* mode) {
  *mode = desc_.mode;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandQueue::get_priority(ze_command_queue_priority_t* priority) {
  *priority = priority_.load(std::memory_order_relaxed);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandQueue::set_priority_ext(ze_command_queue_priority_t priority) {
  priority_.store(priority, std::memory_order_relaxed);
  flow_.set_priority(priority_of(priority));
  return ZE_RESULT_SUCCESS;
}

// Kept for those who ask: all queues get what they can.
ze_result_t CpuCommandQueue::set_qos_ext(const ze_command_queue_qos_ext_desc_t* desc) {
  qos_.store(desc->qos, std::memory_order_relaxed);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandQueue::get_qos_ext(ze_command_queue_qos_ext_properties_t* properties) {
  properties->qos = qos_.load(std::memory_order_relaxed);
  properties->isOverridden = false;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandQueue::fence_create(const ze_fence_desc_t* desc, ze_fence_handle_t* fence) {
  *fence = to_handle(new CpuFence(*this, desc->flags & ZE_FENCE_FLAG_SIGNALED));
  return ZE_RESULT_SUCCESS;
}

CpuFence::CpuFence(CpuCommandQueue& queue, bool signalled) : queue_(queue) {
  if (signalled) cell_.word.signal();
}

ze_result_t CpuFence::destroy() {
  delete this;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuFence::host_synchronize(uint64_t timeout) {
  if (timeout == 0) return query_status();
  InOrderFlow& flow = queue_.flow();
  const Goal goal{.last = number_.load(std::memory_order_relaxed)};
  const bool done = host_wait(
      &flow, &goal, flow.executor(), deadline_after(timeout), [this] { return cell_.word.signalled(); },
      [this](std::uint64_t until) { return cell_.word.sleep_until(until); });
  flush_printed();
  return done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t CpuFence::query_status() {
  if (cell_.word.signalled()) return ZE_RESULT_SUCCESS;
  queue_.flow().executor().hurry();
  return ZE_RESULT_NOT_READY;
}

ze_result_t CpuFence::reset() {
  cell_.word.reset();
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
