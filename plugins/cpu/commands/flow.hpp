// A flow executes the commands of one queue or immediate list. It is a resumable state machine without a stack of its
// own: where a command has to wait, the flow registers itself with what it waits for and gives its thread back.
//
// Flows come from a pool and return to it, they are never freed: run-queue entries, events and timelines that still
// point at a flow after its list has gone stay harmless.
//
// Threads: an append is begun, then finished or abandoned, by one thread; a second thread that appends meanwhile waits
// for it. The API demands that of programs, and one that does not comply gets some order of its commands, not a flow
// that waits for ever for a lost one. Execution by whoever has claimed the flow. wait() by any thread.
#pragma once
#include "../execute/executor.hpp"
#include "arena.hpp"
#include "command.hpp"
#include "epochs.hpp"

#include <optional>

namespace zeroth::cpu {

class Flow : public Runnable, public Continuation {
public:
  Timeline& timeline() { return timeline_; }
  Executor& executor() { return executor_; }

  // The number that the next appended command will have on the timeline.
  std::uint64_t next_number() const { return appended_.load(std::memory_order_relaxed) + 1; }
  bool drained() const { return timeline_.reached(appended_.load(std::memory_order_acquire)); }
  // The same for somebody who will ask again: work that nobody has begun is begun soon.
  bool poll() {
    if (drained()) return true;
    executor_.hurry();
    return false;
  }

  // Room for one command, 64-byte aligned. Then comes append() or abandon_append(), on the same thread and soon. Throws
  // std::bad_alloc, and has not begun then.
  void* begin_append(std::size_t bytes, CommandBlock*& block);
  void append(Command& command);
  void abandon_append(CommandBlock* block) noexcept;

  // The end of everything that was appended before it was asked for.
  struct End {
    std::uint64_t number;                     // in order: of the last command
    std::optional<Epochs::Wait> out_of_order; // else: all of them
  };
  virtual End end() = 0;
  // False at the deadline. The calling thread helps to execute this flow; with a deadline only with what it can leave
  // in time, and no kernel is of that kind.
  virtual bool wait_for(End& end, std::uint64_t deadline) = 0;
  // Has it come? 0, or else the value of the timeline before which it has not.
  virtual std::uint64_t awaited_value(End& end) const = 0;
  bool wait(std::uint64_t deadline) {
    if (drained()) return true;
    End all = end();
    return wait_for(all, deadline);
  }
  // Is there something to do that waits for nothing?
  virtual bool can_go_on() const = 0;

  Runnable::Priority rank() const override { return priority(); }

  // Executes what this flow has ready and the thread may do.
  enum class Helped : std::uint8_t { Something, NothingNow, NothingMore };
  Helped help(Worker& worker);
  bool help_wanted() const {
    return state_.load(std::memory_order_acquire) == State::Ready || job.load(std::memory_order_relaxed) != NoJob;
  }

protected:
  // Commands that a list does not begin with: the executed one in front of the next.
  struct Anchor final : Command {
    Step start(Worker&, Continuation&) override { return Step::Done; }
  };

  explicit Flow(Executor& executor) : executor_(executor), tail_(&anchor_), head_(&anchor_) {}
  ~Flow() = default;

  // The next appended command, or null: then the flow has gone to Idle and must not be touched.
  Command* pop_or_idle();
  // True: there is no next command and the flow has gone to Idle and must not be touched.
  bool idle_if_last();
  void make_ready();

  Executor& executor_;
  Timeline timeline_;

private:
  void wait_for_other_appender();

  alignas(64) Command* tail_; // the appender's
  std::atomic<bool> appending_{false};
  std::atomic<std::uint64_t> appended_{0}; // published commands: never ahead of the links
  StreamArena arena_;
  alignas(64) Command* head_; // the executing thread's: already executed, kept for its link
  std::uint64_t popped_ = 0;  // the executing thread's: commands that have been at head_
  Anchor anchor_;
};

// One command after the other; the value of the timeline is the number of the last one that has ended.
class InOrderFlow final : public Flow, private Waiter {
public:
  explicit InOrderFlow(Executor& executor) : Flow(executor) {}

  void run(Worker& worker) override { proceed(worker); }
  void command_done(Worker* worker) override;
  void waits_outside(bool does) override { waits_outside_.store(does, std::memory_order_release); }
  End end() override { return {next_number() - 1, {}}; }
  bool wait_for(End& end, std::uint64_t deadline) override;
  std::uint64_t awaited_value(End& end) const override { return timeline_.reached(end.number) ? 0 : end.number; }
  bool can_go_on() const override;

private:
  void released() override { make_ready(); }
  void proceed(Worker& worker);
  bool pass_waits();
  void enter();
  void finish_current();

  Command* current_ = nullptr;
  Command* parent_ = nullptr; // the command whose list we are in
  std::uint32_t wait_index_ = 0;
  std::atomic<bool> waits_outside_{false};
  std::uint64_t done_ = 0;
};

} // namespace zeroth::cpu
