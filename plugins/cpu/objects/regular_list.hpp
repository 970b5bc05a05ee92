// A list that is recorded, closed and then executed any number of times.
//
// Counter-based events that it signals point at its own progress: a timeline that each of its signalling commands
// advances by one, so that the k-th of an execution that began at n is at n + k. The append already makes the event
// stand for the first execution, so that others may wait for that before it is submitted; each submission makes it
// stand for its own. An event that was destroyed since is left out: it may be.
//
// A list executes once at a time, in the order of the submissions, whatever queues and immediate lists they go to:
// where these do not keep the order, an execution waits for the end of the one before.
//
// Threads: one at a time appends, changes or submits.
#pragma once
#include "../commands/small.hpp"
#include "command_list.hpp"
#include "recorded_waits.hpp"

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
  // How many of the list's waits each submission looks up anew.
  std::size_t renewals() const { return recorded_waits_.count(); }
  // `command` executes this list and is appended to `flow` next; its events and its order are bound to that.
  void submit(ExecuteListCommand& command, Flow& flow, bool in_order);

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
  // A copy of a list does not take its events away from it: they go on to the copy when that is submitted.
  void leave_events() { takes_events_ = false; }
  // After `count` waits of the command were written anew.
  void renew_waits(const Command& command, std::size_t count);
  // The list has the same commands as `from`: they wait for what those wait for, whatever events these are by now.
  void copy_waits(const RegularList& from);

private:
  void check_open() const override;
  void* allocate(std::size_t bytes, CommandBlock*& block) override;
  void commit(Command& command, CpuEvent* signal) override;
  struct Signal {
    CpuEvent* event;     // null: no more
    std::uint32_t birth; // of the event
    Command* command;
    Effect* effect;     // of counter-based ones: it stays when the event goes, or the others' numbers would change
    SignalQueue* queue; // of those whose signals have numbers
    bool alive() const { return event && event->birth() == birth; }
  };
  void add_signal(Command& command, CpuEvent& event);
  void begin_progress();
  void set_effect(Signal& signal);
  void bind_counter(Signal& signal, std::uint64_t number);
  void forget_promises();
  void bind_events(Flow& flow);
  void keep_order(ExecuteListCommand& command, Flow& flow, bool in_order);

  const ze_command_list_flags_t flags_;
  ListArena arena_;
  Command* first_ = nullptr;
  Command* last_ = nullptr;
  std::vector<Signal> signals_;
  RecordedWaits recorded_waits_;
  ListProgress* progress_ = nullptr; // once a counter-based event is signalled
  std::uint64_t signalled_ = 0;      // value of the progress when all executions so far have ended
  std::uint64_t counters_ = 0;       // signals of one execution that advance the progress
  Timeline* before_ = nullptr;       // which reaches a number when the execution submitted last has ended
  std::uint64_t before_number_ = 0;
  ListProgress* runs_ = nullptr; // ended executions out of order
  std::uint64_t runs_begun_ = 0;
  bool takes_events_ = true, closed_ = false;
};

// Checks that `handle` is a closed regular list of the queue group `ordinal`, ready to execute. Throws what the API
// says otherwise.
RegularList& executable_list(ze_command_list_handle_t handle, std::uint32_t ordinal);

} // namespace zeroth::cpu
