#include "regular_list.hpp"

#include <sdk/error.hpp>

namespace zeroth::cpu {

RegularList::RegularList(CpuContext& context, ze_device_handle_t device, const ze_command_list_desc_t& desc)
    : CpuCommandList(context, device, desc.commandQueueGroupOrdinal), flags_(desc.flags) {
  takes_counter_events_ = in_order();
}

void RegularList::check_open() const {
  if (closed_) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the list is closed: reset it to append"));
}

void* RegularList::allocate(std::size_t bytes, CommandBlock*& block) {
  check_open();
  block = nullptr;
  return arena_.allocate(bytes);
}

void RegularList::commit(Command& command, CpuEvent* signal) {
  if (signal) {
    if (signal->counter_based() && !takes_counter_events_)
      throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("counter-based events need a list in order"));
    signals_.push_back(signal);
  }
  if (last_) {
    last_->next.store(&command, std::memory_order_relaxed);
  } else {
    first_ = &command;
  }
  last_ = &command;
}

void RegularList::bind_events(Flow& flow, InOrderFlow* in_order, std::uint64_t number) const {
  for (CpuEvent* event : signals_) {
    if (event->counter_based() && in_order) event->will_be_signalled_by(*in_order, number);
    event->produced_by(flow);
  }
}

ze_result_t RegularList::close() {
  closed_ = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t RegularList::reset() {
  arena_.clear();
  first_ = last_ = nullptr;
  signals_.clear();
  closed_ = false;
  return ZE_RESULT_SUCCESS;
}

ze_result_t RegularList::get_flags(ze_command_list_flags_t* flags) {
  *flags = flags_;
  return ZE_RESULT_SUCCESS;
}

RegularList& executable_list(ze_command_list_handle_t handle) {
  if (!handle) throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, std::string("a command list is null"));
  auto& list = *from_handle<CpuCommandList>(handle);
  if (list.immediate())
    throw Error(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, std::string("an immediate list executes by itself"));
  auto& regular = static_cast<RegularList&>(list);
  if (!regular.closed()) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the list is not closed"));
  return regular;
}

CpuCommandList* make_regular_list(CpuContext& context, ze_device_handle_t device, const ze_command_list_desc_t& desc) {
  return new RegularList(context, device, desc);
}

} // namespace zeroth::cpu
