#include "../commands/host_wait.hpp"
#include "../commands/small.hpp"
#include "chain.hpp"
#include "command_list.hpp"
#include "device.hpp"
#include "regular_list.hpp"

#include <sdk/error.hpp>

#include <type_traits>

namespace zeroth::cpu {

namespace {

template <class F> FlowPool<F>& pool_of(ze_device_handle_t handle) {
  CpuDevice& device = *from_handle<CpuDevice>(handle);
  if constexpr (std::is_same_v<F, InOrderFlow>) {
    return device.in_order_flows();
  } else {
    return device.overlap_flows();
  }
}

template <class F> class ImmediateList : public CpuCommandList {
public:
  ImmediateList(CpuContext& context, ze_device_handle_t device, const ze_command_queue_desc_t& desc)
      : CpuCommandList(context, device, desc.ordinal), desc_(desc), flow_(pool_of<F>(device).acquire()) {
    if constexpr (InOrder) own_timeline_ = &flow_.timeline();
    takes_counter_events_ = InOrder;
    flow_.set_priority(priority_of(desc.priority));
  }
  ~ImmediateList() override { pool_of<F>(device_).release(flow_); }

  bool immediate() const override { return true; }

  ze_result_t close() override { return ZE_RESULT_SUCCESS; }
  ze_result_t reset() override { return ZE_RESULT_SUCCESS; } // holds nothing that is not under way

  ze_result_t host_synchronize(uint64_t timeout) override {
    const bool done = timeout ? flow_.wait(deadline_after(timeout)) : flow_.poll();
    flush_printed();
    return done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
  }

  ze_result_t immediate_append_command_lists_exp(uint32_t count, ze_command_list_handle_t* lists,
                                                 ze_event_handle_t signal, uint32_t wait_count,
                                                 ze_event_handle_t* waits) override {
    for (uint32_t i = 0; i < count; ++i) executable_list(lists[i], desc_.ordinal); // all or none
    return record_several({signal, wait_count, waits}, [&] {
      for (uint32_t i = 0; i < count; ++i) execute(executable_list(lists[i], desc_.ordinal));
    });
  }
  ze_result_t immediate_append_command_lists_with_parameters(uint32_t count, ze_command_list_handle_t* lists,
                                                             const void* next, ze_event_handle_t signal,
                                                             uint32_t wait_count, ze_event_handle_t* waits) override {
    check_chain_is_empty(next);
    return immediate_append_command_lists_exp(count, lists, signal, wait_count, waits);
  }

  ze_result_t get_flags(ze_command_list_flags_t* flags) override {
    *flags = InOrder ? ZE_COMMAND_LIST_FLAG_IN_ORDER : 0;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t immediate_get_index(uint32_t* index) override {
    *index = desc_.index;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t immediate_get_flags(ze_command_queue_flags_t* flags) override {
    *flags = desc_.flags;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t immediate_get_mode(ze_command_queue_mode_t* mode) override {
    *mode = desc_.mode;
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t immediate_get_priority(ze_command_queue_priority_t* priority) override {
    *priority = desc_.priority;
    return ZE_RESULT_SUCCESS;
  }

protected:
  static constexpr bool InOrder = std::is_same_v<F, InOrderFlow>;

  void* allocate(std::size_t bytes, CommandBlock*& block) override { return flow_.begin_append(bytes, block); }
  void abandon(CommandBlock* block) noexcept override { flow_.abandon_append(block); }

  void commit(Command& command, CpuEvent* signal) override {
    if (signal) {
      if (signal->counter_based()) point_to_next(command, *signal);
      signal->produced_by(flow_, flow_.next_number());
    }
    flow_.append(command);
  }

  void execute(RegularList& list) {
    const Room room = reserve(ExecuteListCommand::room_for(list.renewals()), 0, 0);
    auto& command = *new (room.command) ExecuteListCommand(list.first(), list.in_order(), list.renewals());
    command.block = room.block;
    list.submit(command, flow_, InOrder);
    commit(command, nullptr);
  }

  void point_to_next(Command& command, CpuEvent& signal) {
    check_signal(signal);
    if (CounterStorage* storage = signal.storage()) command.effect = storage->next_signal();
    signal.will_be_signalled_by(flow_.timeline(), flow_.next_number());
    signal.take_times_of(command);
  }

  const ze_command_queue_desc_t desc_;
  F& flow_;
};

template <class F> class SynchronousList final : public ImmediateList<F> {
  using ImmediateList<F>::ImmediateList;

  void commit(Command& command, CpuEvent* signal) override {
    ImmediateList<F>::commit(command, signal);
    this->flow_.wait(Forever);
    flush_printed();
  }
};

template <class F>
CpuCommandList* make_list(CpuContext& context, ze_device_handle_t device, const ze_command_queue_desc_t& desc) {
  if (desc.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS) return new SynchronousList<F>(context, device, desc);
  return new ImmediateList<F>(context, device, desc);
}

} // namespace

CpuCommandList* make_immediate_list(CpuContext& context, ze_device_handle_t device,
                                    const ze_command_queue_desc_t& desc) {
  if (desc.flags & ZE_COMMAND_QUEUE_FLAG_IN_ORDER) return make_list<InOrderFlow>(context, device, desc);
  return make_list<OverlapFlow>(context, device, desc);
}

} // namespace zeroth::cpu
