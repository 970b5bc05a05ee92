// A list that is recorded, closed and then executed any number of times.
#pragma once
#include "command_list.hpp"

namespace zeroth::cpu {

class RegularList final : public CpuCommandList {
public:
  RegularList(CpuContext& context, ze_device_handle_t device, const ze_command_list_desc_t& desc);

  bool immediate() const override { return false; }
  bool closed() const { return closed_; }
  bool in_order() const { return flags_ & ZE_COMMAND_LIST_FLAG_IN_ORDER; }
  Command* first() const { return first_; }
  // Its events will be signalled by the execution that becomes command `number` of `flow`.
  void bind_events(Flow& flow, InOrderFlow* in_order, std::uint64_t number) const;

  ze_result_t close() override;
  ze_result_t reset() override;
  ze_result_t get_flags(ze_command_list_flags_t* flags) override;
  ze_result_t host_synchronize(uint64_t) override { return ZE_RESULT_ERROR_INVALID_ARGUMENT; }

private:
  void check_open() const override;
  void* allocate(std::size_t bytes, CommandBlock*& block) override;
  void commit(Command& command, CpuEvent* signal) override;

  const ze_command_list_flags_t flags_;
  ListArena arena_;
  Command* first_ = nullptr;
  Command* last_ = nullptr;
  std::vector<CpuEvent*> signals_;
  bool closed_ = false;
};

// Checks that `handle` is a closed regular list, ready to execute. Throws what the API says otherwise.
RegularList& executable_list(ze_command_list_handle_t handle);

} // namespace zeroth::cpu
