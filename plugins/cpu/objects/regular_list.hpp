// A list that is recorded, closed and then executed any number of times.
//
// Counter-based events that it signals point at its own progress: a timeline that each of its signalling commands
// advances by one, so that the k-th of an execution that began at n is at n + k.
#pragma once
#include "command_list.hpp"

namespace zeroth::cpu {

class RegularList : public CpuCommandList {
public:
  RegularList(CpuContext& context, ze_device_handle_t device, const ze_command_list_desc_t& desc);
  ~RegularList() override;

  bool immediate() const override { return false; }
  bool closed() const { return closed_; }
  virtual bool complete() const { return true; } // ready to execute, once closed
  std::uint32_t ordinal() const { return ordinal_; }
  bool in_order() const { return flags_ & ZE_COMMAND_LIST_FLAG_IN_ORDER; }
  Command* first() const { return first_; }
  // Its events will be signalled by the execution that is appended to `flow` next.
  void bind_events(Flow& flow);

  ze_result_t close() override;
  ze_result_t reset() override;
  ze_result_t get_flags(ze_command_list_flags_t* flags) override;
  ze_result_t host_synchronize(uint64_t) override { return ZE_RESULT_ERROR_INVALID_ARGUMENT; }

protected:
  Command* last() const { return last_; }
  ListArena& arena() { return arena_; }
  ze_command_list_desc_t description() const {
    return {ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, ordinal_, flags_};
  }
  std::size_t signal_count() const { return signals_.size(); }
  // Another event for the command whose signal has this number; null for none.
  void exchange_signal(Command& command, std::size_t number, CpuEvent* signal);

private:
  void check_open() const override;
  void* allocate(std::size_t bytes, CommandBlock*& block) override;
  void commit(Command& command, CpuEvent* signal) override;
  void bind_counter(CpuEvent& event, Effect& effect);

  const ze_command_list_flags_t flags_;
  ListArena arena_;
  Command* first_ = nullptr;
  Command* last_ = nullptr;
  struct Signal {
    CpuEvent* event; // null: no more
    Effect* effect;  // of counter-based ones
  };
  std::vector<Signal> signals_;
  Timeline* progress_ = nullptr; // once a counter-based event is signalled
  std::uint64_t signalled_ = 0;  // value of the progress when all executions so far have ended
  bool closed_ = false;
};

// Checks that `handle` is a closed regular list of the queue group `ordinal`, ready to execute. Throws what the API
// says otherwise.
RegularList& executable_list(ze_command_list_handle_t handle, std::uint32_t ordinal);

} // namespace zeroth::cpu
