#include "context.hpp"

#include "chain.hpp"
#include "command_list.hpp"
#include "command_queue.hpp"
#include "device.hpp"
#include "event.hpp"
#include "module.hpp"

#include <sdk/error.hpp>

namespace zeroth::cpu {

ze_result_t CpuContext::destroy() {
  if (driver_.is_default(*this))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the driver's default context is the driver's"));
  delete this;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::system_barrier(ze_device_handle_t) {
  static std::atomic<int> everyone; // an exchange orders like a fence, and the thread sanitizer understands it
  everyone.exchange(0, std::memory_order_seq_cst);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::command_queue_create(ze_device_handle_t device, const ze_command_queue_desc_t* desc,
                                             ze_command_queue_handle_t* queue) {
  from_handle<CpuDevice>(device)->check_queue(desc->ordinal, desc->index);
  *queue = to_handle(new CpuCommandQueue(*this, device, *desc));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::command_list_create(ze_device_handle_t device, const ze_command_list_desc_t* desc,
                                            ze_command_list_handle_t* list) {
  from_handle<CpuDevice>(device)->check_queue(desc->commandQueueGroupOrdinal, 0);
  *list = to_handle(make_regular_list(*this, device, *desc));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::command_list_create_immediate(ze_device_handle_t device, const ze_command_queue_desc_t* desc,
                                                      ze_command_list_handle_t* list) {
  from_handle<CpuDevice>(device)->check_queue(desc->ordinal, desc->index);
  *list = to_handle(make_immediate_list(*this, device, *desc));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::event_pool_create(const ze_event_pool_desc_t* desc, uint32_t count, ze_device_handle_t* devices,
                                          ze_event_pool_handle_t* pool) {
  check_devices(count, devices);
  if (desc->count == 0) throw Error(ZE_RESULT_ERROR_INVALID_SIZE, std::string("an event pool of 0 events"));
  *pool = to_handle(new CpuEventPool(*this, driver_.executor(), *desc));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::module_create(ze_device_handle_t device, const ze_module_desc_t* desc,
                                      ze_module_handle_t* module, ze_module_build_log_handle_t* log) {
  return create_module(*this, device, *desc, module, log);
}

} // namespace zeroth::cpu
