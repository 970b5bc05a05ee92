#include "flow.hpp"

#include "goal.hpp"
#include "host_wait.hpp"

#include <thread>

namespace zeroth::cpu {

void* Flow::begin_append(std::size_t bytes, CommandBlock*& block) {
  if (appending_.exchange(true, std::memory_order_acquire)) [[unlikely]]
    wait_for_other_appender();
  try {
    return arena_.allocate(bytes, block);
  } catch (...) {
    appending_.store(false, std::memory_order_release);
    throw;
  }
}

void Flow::wait_for_other_appender() {
  while (appending_.load(std::memory_order_relaxed) || appending_.exchange(true, std::memory_order_acquire))
    std::this_thread::yield();
}

void Flow::abandon_append(CommandBlock* block) noexcept {
  StreamArena::release(block);
  appending_.store(false, std::memory_order_release);
}

// The command is published and then the state read, here; in idle_if_last() the state is written and then the number of
// published commands read. In the single order of these four one side sees the other.
void Flow::append(Command& command) {
  Command* last = tail_;
  tail_ = &command;
  last->next.store(&command, std::memory_order_release);
  appended_.store(next_number(), std::memory_order_seq_cst);
  appending_.store(false, std::memory_order_release);
  State idle = State::Idle;
  if (state_.load(std::memory_order_seq_cst) == idle &&
      state_.compare_exchange_strong(idle, State::Ready, std::memory_order_acq_rel))
    executor_.submit(*this);
}

// Between the store of Idle and what follows it, others may execute whatever is appended, any number of times: then
// only the flow's atomics may be read, and a flow that is won back is looked at anew.
bool Flow::idle_if_last() {
  while (!head_->next.load(std::memory_order_acquire)) {
    const std::uint64_t popped = popped_;
    state_.store(State::Idle, std::memory_order_seq_cst);
    if (appended_.load(std::memory_order_seq_cst) == popped) return true;
    State idle = State::Idle;
    if (!state_.compare_exchange_strong(idle, State::Running, std::memory_order_acq_rel)) return true;
  }
  return false;
}

Command* Flow::pop_or_idle() {
  if (idle_if_last()) return nullptr;
  Command* next = head_->next.load(std::memory_order_acquire);
  if (head_->block) StreamArena::release(head_->block);
  head_ = next;
  ++popped_;
  return next;
}

void Flow::make_ready() {
  state_.store(State::Ready, std::memory_order_release);
  executor_.submit(*this);
}

Flow::Helped Flow::help(Worker& worker) {
  if (claim()) {
    run(worker);
    return worker.gave_up() ? Helped::NothingMore : Helped::Something;
  }
  if (worker.leave_by() != Forever) return Helped::NothingNow; // a job cannot be left
  const std::uint64_t published = job.load(std::memory_order_acquire);
  if (published == NoJob) return Helped::NothingNow;
  // Asked after the job is known: one beyond the goal is published when the goal is reached.
  if (const Goal* goal = worker.goal(); goal && (goal->reached() || timeline_.reached(goal->last)))
    return Helped::NothingMore;
  JobBoard::Pass pass;
  const JobBoard::Ticket ticket{static_cast<std::uint32_t>(published >> 32), static_cast<std::uint32_t>(published)};
  if (!executor_.board().join(ticket, pass)) return Helped::NothingNow;
  if (Job* over = executor_.board().work(worker, pass)) over->ended(worker);
  return Helped::Something;
}

void InOrderFlow::proceed(Worker& worker) {
  for (;;) {
    if (!current_) {
      Command* next = pop_or_idle();
      if (!next) return; // idle, and perhaps someone else's already: not a member may be written
      current_ = next;
    }
    if (!pass_waits()) return;
    if (!may_run(worker, *current_, done_ + 1)) [[unlikely]]
      return make_ready();
    begin_times(*current_);
    switch (current_->start(worker, *this)) {
    case Step::Done:
      finish_current();
      break;
    case Step::Entered:
      enter();
      break;
    case Step::Suspended:
      return;
    }
  }
}

bool InOrderFlow::pass_waits() {
  while (wait_index_ < current_->wait_count) {
    const WaitPoint& point = current_->waits[wait_index_++];
    if (point.passed()) continue;
    state_.store(State::Waiting, std::memory_order_relaxed);
    if (point.await(*this)) return false; // whoever releases us goes on from here
    state_.store(State::Running, std::memory_order_relaxed);
  }
  wait_index_ = 0;
  return true;
}

void InOrderFlow::enter() {
  Command* first = current_->entered();
  if (!first) return finish_current();
  parent_ = current_;
  current_ = first;
}

void InOrderFlow::finish_current() {
  // Read before the signal: a host thread that sees the last event may destroy the list at once.
  Command* next = parent_ ? current_->next.load(std::memory_order_relaxed) : nullptr;
  end_and_signal(*current_);
  if (parent_) {
    if (next) {
      current_ = next;
      return;
    }
    end_and_signal(*parent_);
    parent_ = nullptr;
  }
  current_ = nullptr;
  timeline_.advance(++done_);
}

void InOrderFlow::command_done(Worker* worker) {
  finish_current();
  if (worker) return proceed(*worker);
  make_ready();
}

bool InOrderFlow::can_go_on() const {
  return !drained() && state_.load(std::memory_order_acquire) != State::Waiting &&
         !waits_outside_.load(std::memory_order_acquire);
}

bool InOrderFlow::wait_for(End& end, std::uint64_t deadline) {
  const Goal goal{.last = end.number};
  return host_wait(
      this, &goal, executor_, deadline, [&] { return timeline_.reached(end.number); },
      [&](std::uint64_t until) { return timeline_.sleep_until(end.number, until); });
}

} // namespace zeroth::cpu
