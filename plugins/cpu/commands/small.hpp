// The commands that take no time of their own.
#pragma once
#include "command.hpp"
#include "host_functions.hpp"

#include <cstddef>

namespace zeroth::cpu {

// Begins and is over, or goes on elsewhere.
class QuickCommand : public Command {
public:
  bool takes_at_most(std::uint64_t) const override { return true; }

protected:
  ~QuickCommand() = default;
};

// Everything before it ends first: barriers, and in lists out of order also what signals, waits or resets by itself.
class BarrierCommand final : public QuickCommand {
public:
  Step start(Worker&, Continuation&) override { return Step::Done; }
  bool is_barrier() const override { return true; }
};

class ResetCommand final : public QuickCommand {
public:
  explicit ResetCommand(EventCell& cell) : cell_(cell) {}
  Step start(Worker&, Continuation&) override {
    cell_.word.reset();
    return Step::Done;
  }
  bool is_barrier() const override { return true; }

private:
  EventCell& cell_;
};

class WriteTimestampCommand final : public QuickCommand {
public:
  explicit WriteTimestampCommand(std::uint64_t* to) : to_(to) {}
  Step start(Worker&, Continuation&) override {
    *to_ = now();
    return Step::Done;
  }
  bool is_barrier() const override { return true; }

private:
  std::uint64_t* to_;
};

// Writes {start, end, start, end} of each event: a ze_kernel_timestamp_result_t.
class QueryTimestampsCommand final : public QuickCommand {
public:
  QueryTimestampsCommand(EventCell* const* cells, std::uint32_t count, std::byte* to, const std::size_t* offsets)
      : cells_(cells), count_(count), to_(to), offsets_(offsets) {}
  Step start(Worker&, Continuation&) override;

private:
  EventCell* const* cells_;
  std::uint32_t count_;
  std::byte* to_;
  const std::size_t* offsets_; // null: packed
};

// Calls back into the program, on a thread that nobody waits for but this command.
class HostFunctionCommand final : public QuickCommand {
public:
  HostFunctionCommand(void (*function)(void*), void* data) : function_(function), data_(data) {}
  Step start(Worker&, Continuation& owner) override {
    HostFunctions::shared().call(function_, data_, owner);
    return Step::Suspended;
  }

private:
  void (*function_)(void*);
  void* data_;
};

// The commands of a closed regular list. Two of one list do not execute at once: what such a command keeps of its
// execution is in the list's own commands.
class ExecuteListCommand final : public QuickCommand {
public:
  // A wait of the list whose point differs from execution to execution.
  struct Renewal {
    WaitPoint* place;
    WaitPoint point;
  };

  // To be made in memory of room_for(renewals) bytes, and the renewals written before it is appended.
  ExecuteListCommand(Command* first, bool in_order, std::size_t renewals)
      : first_(first), renewals_(renewals), in_order_(in_order) {}
  static constexpr std::size_t room_for(std::size_t renewals) {
    return sizeof(ExecuteListCommand) + renewals * sizeof(Renewal);
  }
  Renewal* renewals() { return reinterpret_cast<Renewal*>(this + 1); }
  // Not before `point` has passed. Before it is appended, and then it waits for nothing else.
  void begin_after(const WaitPoint& point) {
    after_ = point;
    waits = &after_;
    wait_count = 1;
  }
  // Its end advances `runs`. Here, not in the list: that may be gone once its last signal is visible.
  void count_end(Timeline& runs) {
    ended_.advanced = &runs;
    effect = &ended_;
  }

  Step start(Worker& worker, Continuation& owner) override;
  Command* entered() const override { return first_; }
  bool takes_at_most(std::uint64_t) const override { return in_order_; } // then its commands are looked at one by one

private:
  WaitPoint after_;
  Effect ended_;
  Command* first_;
  std::size_t renewals_;
  bool in_order_;
};

} // namespace zeroth::cpu
