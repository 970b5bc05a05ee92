#include "overlap.hpp"

#include "host_wait.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace zeroth::cpu {

void Overlap::Task::run(Worker& worker) {
  while (wait_index_ < command->wait_count) {
    const WaitPoint& point = command->waits[wait_index_++];
    if (point.passed()) continue;
    state_.store(State::Waiting, std::memory_order_relaxed);
    owner_.waiting_.fetch_add(1, std::memory_order_relaxed);
    if (point.await(*this)) return;
    owner_.waiting_.fetch_sub(1, std::memory_order_relaxed);
    state_.store(State::Running, std::memory_order_relaxed);
  }
  begin_times(*command);
  Step step = command->start(worker, *this);
  if (step == Step::Entered) step = OverlapRun::begin(command->entered(), true, worker, *this);
  if (step == Step::Done) owner_.finish(*this, &worker);
}

void Overlap::Task::released() {
  owner_.waiting_.fetch_sub(1, std::memory_order_relaxed);
  make_ready();
}

void Overlap::Task::make_ready() {
  state_.store(State::Ready, std::memory_order_release);
  owner_.helpers_.submit(*this);
}

void Overlap::Task::command_done(Worker* worker) { owner_.finish(*this, worker); }

Overlap::Task& Overlap::prepare(Command& command, Runnable::Priority priority) {
  if (!free_) free_ = returned_.exchange(nullptr, std::memory_order_acquire);
  Task* task = free_;
  if (task) {
    free_ = task->next_free;
  } else {
    task = &tasks_.emplace_back(*this);
  }
  task->command = &command;
  task->set_priority(priority);
  task->wait_index_ = 0;
  outstanding_.fetch_add(1, std::memory_order_relaxed);
  return *task;
}

void Overlap::launch(Task& task) { task.make_ready(); }

void Overlap::run_here(Task& task, Worker& worker) {
  task.state_.store(Runnable::State::Running, std::memory_order_relaxed);
  task.run(worker);
}

void Overlap::finish(Task& task, Worker* worker) {
  Command& command = *task.command;
  end_and_signal(command);
  task_ended(command);
  task.state_.store(Runnable::State::Idle, std::memory_order_relaxed);
  Task* head = returned_.load(std::memory_order_relaxed);
  do task.next_free = head;
  while (!returned_.compare_exchange_weak(head, &task, std::memory_order_release));
  if (outstanding_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  outstanding_.store(1, std::memory_order_relaxed);
  all_done(worker);
}

bool Overlap::settled() {
  if (outstanding_.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;
  outstanding_.store(1, std::memory_order_relaxed);
  return true;
}

void OverlapFlow::task_ended(Command& command) {
  CommandBlock* block = command.block;
  epochs_.end(command.odd_epoch); // first: see awaited_value()
  timeline_.add_one();
  if (block) StreamArena::release(block);
}

void OverlapFlow::all_done(Worker* worker) {
  if (!worker) return make_ready();
  state_.store(State::Running, std::memory_order_relaxed);
  proceed(*worker);
}

bool OverlapFlow::settled_or_suspended() {
  state_.store(State::Suspended, std::memory_order_relaxed);
  if (!settled()) return false;
  state_.store(State::Running, std::memory_order_relaxed);
  return true;
}

void OverlapFlow::proceed(Worker& worker) {
  for (;;) {
    if (const Goal* goal = worker.goal(); goal && goal->reached()) [[unlikely]] { // others append all the time
      worker.give_up();
      return make_ready();
    }
    if (barrier_) {
      if (!settled_or_suspended()) return;
      if (!may_run(worker, *barrier_, 0)) [[unlikely]]
        return make_ready();
      Task& task = prepare(*barrier_, priority());
      barrier_ = nullptr;
      run_here(task, worker);
      if (!settled_or_suspended()) return;
      continue;
    }
    Command* command = pop_or_idle();
    if (!command) return;
    if (command->block) command->block->live.fetch_add(1, std::memory_order_relaxed); // as a link and as a task
    if (command->is_barrier()) {
      barrier_ = command;
      continue;
    }
    Task& task = prepare(*command, priority());
    // The last one needs no other thread, once the flow has let go and can take in further commands.
    if (may_run_beside(worker, *command) && idle_if_last()) return run_here(task, worker);
    launch(task);
  }
}

bool OverlapFlow::can_go_on() const {
  if (drained()) return false;
  const State state = state_.load(std::memory_order_acquire);
  return (state != State::Idle && state != State::Suspended) || !all_wait(state == State::Idle);
}

// Each command that is missing has not counted as ended when the timeline was read, and will count there later.
std::uint64_t OverlapFlow::awaited_value(End& end) const {
  const std::uint64_t seen = timeline_.value();
  const std::uint64_t missing = end.out_of_order->missing();
  return missing ? seen + missing : 0;
}

bool OverlapFlow::wait_for(End& end, std::uint64_t deadline) {
  Epochs::Wait& all = *end.out_of_order;
  const Goal goal{.last = Forever, .all = &all};
  auto sleep = [&](std::uint64_t until) {
    while (const std::uint64_t value = awaited_value(end))
      if (!timeline_.sleep_until(value, until)) return false;
    return true;
  };
  return host_wait(
      this, &goal, Flow::executor_, deadline, [&] { return all.missing() == 0; }, sleep);
}

namespace {

struct Runs {
  std::mutex mutex;
  std::vector<OverlapRun*> idle;
};
Runs& runs() {
  static Runs& only = *new Runs; // workers may still end a list after main has returned
  return only;
}

OverlapRun& take_run(Executor& executor) {
  {
    std::lock_guard lock(runs().mutex);
    auto& idle = runs().idle;
    const auto found =
        std::find_if(idle.rbegin(), idle.rend(), [&](auto* run) { return &run->executor() == &executor; });
    if (found != idle.rend()) {
      OverlapRun* run = *found;
      *found = idle.back();
      idle.pop_back();
      return *run;
    }
  }
  return *new OverlapRun(executor);
}

} // namespace

Step OverlapRun::begin(Command* first, bool serial, Worker& worker, Continuation& parent) {
  OverlapRun& run = take_run(worker.executor());
  run.next_ = first;
  run.serial_ = serial;
  run.parent_ = &parent;
  run.set_priority(parent.rank());
  if (!run.proceed(worker)) return Step::Suspended;
  run.give_back();
  return Step::Done;
}

bool OverlapRun::proceed(Worker& worker) {
  while (Command* command = next_) {
    Command* const following = command->next.load(std::memory_order_relaxed); // read before the command can end
    const bool barrier = serial_ || command->is_barrier();
    if (barrier && !settled()) return false;
    const bool here = may_run_beside(worker, *command);
    if (barrier && !here) {
      hand_over();
      return false;
    }
    next_ = following;
    Task& task = prepare(*command, priority());
    if (!barrier && (following || !here)) {
      launch(task);
      continue;
    }
    run_here(task, worker);
    if (barrier && !settled()) return false;
  }
  return settled();
}

void OverlapRun::all_done(Worker* worker) {
  if (worker) return go_on(*worker);
  hand_over();
}

void OverlapRun::hand_over() {
  state_.store(State::Ready, std::memory_order_release);
  executor_.submit(*this);
}

void OverlapRun::go_on(Worker& worker) {
  if (!proceed(worker)) return;
  Continuation& parent = *parent_;
  give_back();
  parent.command_done(&worker);
}

void OverlapRun::give_back() {
  std::lock_guard lock(runs().mutex);
  runs().idle.push_back(this);
}

} // namespace zeroth::cpu
