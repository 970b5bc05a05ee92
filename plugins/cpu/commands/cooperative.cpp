#include "cooperative.hpp"

#include <deque>
#include <mutex>

namespace zeroth::cpu {

struct CooperativeCommand::Turns {
  std::mutex mutex;
  std::deque<CooperativeCommand*> waiting;
  bool taken = false;
};

CooperativeCommand::Turns& CooperativeCommand::turns() {
  static Turns& only = *new Turns; // workers may end a launch after main has returned
  return only;
}

Step CooperativeCommand::start(Worker& worker, Continuation& owner) {
  owner_ = &owner;
  executor_ = &worker.executor();
  {
    std::lock_guard lock(turns().mutex);
    if (turns().taken) {
      turns().waiting.push_back(this);
      return Step::Suspended;
    }
    turns().taken = true;
  }
  return begin(worker);
}

Step CooperativeCommand::begin(Worker& worker) {
  const Step step = launch_.start_at_once(worker, *this);
  if (step == Step::Done) end_turn();
  return step;
}

void CooperativeCommand::run(Worker& worker) {
  if (begin(worker) == Step::Done) owner_->command_done(&worker);
}

void CooperativeCommand::command_done(Worker* worker) {
  end_turn();
  owner_->command_done(worker);
}

void CooperativeCommand::end_turn() {
  std::lock_guard lock(turns().mutex);
  if (turns().waiting.empty()) {
    turns().taken = false;
    return;
  }
  CooperativeCommand& next = *turns().waiting.front();
  turns().waiting.pop_front();
  next.state_.store(State::Ready, std::memory_order_release);
  next.executor_->submit(next);
}

} // namespace zeroth::cpu
