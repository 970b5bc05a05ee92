// Commands out of order: each is a task of its own that waits and runs without regard to its neighbours; only barriers
// look at all of them. Serves immediate lists out of order (OverlapFlow) and the execution of such regular lists
// (OverlapRun). Tasks and their owners are pooled and never freed (see Flow).
#pragma once
#include "flow.hpp"

#include <deque>

namespace zeroth::cpu {

class Overlap {
public:
  explicit Overlap(Executor& executor) : helpers_(executor) {}

protected:
  ~Overlap() = default;

  class Task final : public Runnable, public Waiter, public Continuation {
  public:
    explicit Task(Overlap& owner) : owner_(owner) {}
    void run(Worker& worker) override;
    void released() override;
    void make_ready();
    void command_done(Worker* worker) override;
    void waits_outside(bool does) override {
      owner_.waiting_.fetch_add(does ? 1 : ~std::uint64_t{0}, std::memory_order_relaxed);
    }
    Runnable::Priority rank() const override { return priority(); }

    Command* command = nullptr;
    Task* next_free = nullptr;

  private:
    friend class Overlap;
    Overlap& owner_;
    std::uint32_t wait_index_ = 0;
  };

  // A task for a command, counted as outstanding. By the one thread that drives the owner.
  Task& prepare(Command& command, Runnable::Priority priority);
  void launch(Task& task);                   // somewhere else
  void run_here(Task& task, Worker& worker); // on this thread
  // True if no task is outstanding. Else all_done() is called once when that is so; the caller must let go.
  bool settled();
  // Does each task wait? `driven`: the driving thread has let go without settled().
  bool all_wait(bool driven) const {
    return outstanding_.load(std::memory_order_acquire) == waiting_.load(std::memory_order_acquire) + driven;
  }

  // The command has ended and signalled. On any thread.
  virtual void task_ended(Command& command) = 0;
  virtual void all_done(Worker* worker) = 0;

private:
  void finish(Task& task, Worker* worker);

  Executor& helpers_;
  std::atomic<std::uint64_t> outstanding_{1}; // tasks, and one for the driving thread
  std::atomic<std::uint64_t> waiting_{0};     // tasks
  std::deque<Task> tasks_;
  Task* free_ = nullptr; // the driving thread's
  std::atomic<Task*> returned_{nullptr};
};

class OverlapFlow final : public Flow, private Overlap {
public:
  explicit OverlapFlow(Executor& executor) : Flow(executor), Overlap(executor) {}

  void run(Worker& worker) override { proceed(worker); }
  void command_done(Worker*) override {} // its tasks are the continuations
  void append(Command& command) {
    command.odd_epoch = epochs_.begin();
    Flow::append(command);
  }
  // The timeline counts ended commands, whichever they are.
  End end() override { return {0, Epochs::Wait(epochs_)}; }
  bool wait_for(End& end, std::uint64_t deadline) override;
  std::uint64_t awaited_value(End& end) const override;
  bool can_go_on() const override;

private:
  void task_ended(Command& command) override;
  void all_done(Worker* worker) override;
  void proceed(Worker& worker);
  bool settled_or_suspended();

  Epochs epochs_;
  Command* barrier_ = nullptr; // popped, not yet begun
};

// One execution of a regular list, on behalf of the command that executes it.
class OverlapRun final : public Runnable, private Overlap {
public:
  explicit OverlapRun(Executor& executor) : Overlap(executor), executor_(executor) {}

  Executor& executor() { return executor_; }
  void run(Worker& worker) override { go_on(worker); } // after its driver was a thread that may not

  // As Command::start. `serial`: every command is a barrier. Takes a run from the pool and gives it back at the end.
  static Step begin(Command* first, bool serial, Worker& worker, Continuation& parent);

private:
  void task_ended(Command&) override {}
  void all_done(Worker* worker) override;
  bool proceed(Worker& worker); // true: the whole list has ended
  void go_on(Worker& worker);
  void hand_over();
  void give_back();

  Executor& executor_;
  Command* next_ = nullptr;
  Continuation* parent_ = nullptr;
  bool serial_ = false;
};

} // namespace zeroth::cpu
