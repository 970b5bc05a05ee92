#include "regular_list.hpp"

#include "recorded_list.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <mutex>
#include <new>

namespace zeroth::cpu {

namespace {

// Never freed: events may point at the progress of a list that is gone.
struct Progress {
  std::mutex mutex;
  std::vector<Timeline*> resting;
};
Progress& progress() {
  static Progress& only = *new Progress;
  return only;
}

Timeline* take_progress() {
  std::lock_guard lock(progress().mutex);
  if (progress().resting.empty()) return new Timeline;
  Timeline* timeline = progress().resting.back();
  progress().resting.pop_back();
  return timeline;
}

} // namespace

RegularList::RegularList(CpuContext& context, ze_device_handle_t device, const ze_command_list_desc_t& desc)
    : CpuCommandList(context, device, desc.commandQueueGroupOrdinal), flags_(desc.flags) {
  takes_counter_events_ = in_order();
}

// A list that was destroyed while it executes leaves its timelines to themselves.
RegularList::~RegularList() {
  std::lock_guard lock(progress().mutex);
  if (progress_ && progress_->reached(signalled_)) progress().resting.push_back(progress_);
  if (runs_ && runs_->reached(runs_begun_)) progress().resting.push_back(runs_);
}

void RegularList::check_open() const {
  if (closed_) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the list is closed: reset it to append"));
}

void* RegularList::allocate(std::size_t bytes, CommandBlock*& block) {
  check_open();
  block = nullptr;
  return arena_.allocate(bytes);
}

void RegularList::commit(Command& command, CpuEvent* signal) {
  if (signal) {
    Signal made{signal, nullptr, nullptr};
    if (signal->counter_based()) {
      if (!takes_counter_events_)
        throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("counter-based events need a list in order"));
      if (signal->storage()) signal->storage()->check_signal();
      if (!progress_) signalled_ = (progress_ = take_progress())->value();
      command.effect = made.effect = new (arena_.allocate(sizeof(Effect))) Effect;
      set_effect(made);
      ++counters_;
      if (takes_events_) bind_counter(made, signalled_ + counters_);
    }
    signals_.push_back(made);
  }
  if (last_) {
    last_->next.store(&command, std::memory_order_relaxed);
  } else {
    first_ = &command;
  }
  last_ = &command;
}

void RegularList::set_effect(Signal& signal) {
  CounterStorage* storage = signal.event ? signal.event->storage() : nullptr;
  Effect& effect = *signal.effect;
  effect = {};
  if (storage && storage->numbers_signals()) {
    if (!signal.queue) signal.queue = new (arena_.allocate(sizeof(SignalQueue))) SignalQueue;
    signal.queue->promised = signal.queue->submitted; // another event may have had a promise
    effect.kind = Effect::Kind::Next;
    effect.queue = signal.queue;
  } else if (storage) {
    effect = *storage->next_signal();
  }
  effect.advanced = progress_;
}

// The event stands for the command of the execution to come, or that is being submitted.
void RegularList::bind_counter(Signal& signal, std::uint64_t number) {
  if (signal.effect->kind == Effect::Kind::Next && signal.queue->promised == signal.queue->submitted)
    signal.queue->push(*signal.event->storage()->next_signal());
  signal.event->will_be_signalled_by(*progress_, number);
}

void RegularList::bind_events(Flow& flow) {
  for (Signal& signal : signals_) {
    if (signal.effect) ++signalled_;
    if (!signal.event) continue;
    if (signal.effect) {
      bind_counter(signal, signalled_);
      if (signal.effect->kind == Effect::Kind::Next) ++signal.queue->submitted;
    }
    signal.event->produced_by(flow, flow.next_number());
  }
}

void RegularList::submit(ExecuteListCommand& command, Flow& flow, bool in_order) {
  bind_events(flow);
  keep_order(command, flow, in_order);
}

void RegularList::keep_order(ExecuteListCommand& command, Flow& flow, bool in_order) {
  const bool kept = in_order && before_ == &flow.timeline();
  if (before_ && !kept && !before_->reached(before_number_))
    command.begin_after(WaitPoint::at(*before_, before_number_));
  if (in_order) {
    before_ = &flow.timeline();
    before_number_ = flow.next_number();
    return;
  }
  if (!runs_) runs_begun_ = (runs_ = run_ended_.advanced = take_progress())->value();
  command.effect = &run_ended_;
  before_ = runs_;
  before_number_ = ++runs_begun_;
}

void RegularList::exchange_signal(Command& command, std::size_t number, CpuEvent* signal) {
  Signal& place = signals_.at(number);
  const bool counter = signal && signal->counter_based();
  if (signal && counter != (place.effect != nullptr))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the command's event is of another kind"));
  if (counter && signal->storage()) signal->storage()->check_signal();
  place.event = signal;
  if (place.effect) set_effect(place);
  if (counter) {
    const auto before = std::count_if(signals_.begin(), signals_.begin() + static_cast<std::ptrdiff_t>(number),
                                      [](const Signal& one) { return one.effect != nullptr; });
    bind_counter(place, signalled_ + static_cast<std::uint64_t>(before) + 1);
  }
  write_signal(command, signal);
}

ze_result_t RegularList::close() {
  closed_ = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t RegularList::reset() {
  arena_.clear();
  first_ = last_ = nullptr;
  signals_.clear();
  counters_ = 0;
  takes_events_ = true;
  closed_ = false;
  return ZE_RESULT_SUCCESS;
}

ze_result_t RegularList::get_flags(ze_command_list_flags_t* flags) {
  *flags = flags_;
  return ZE_RESULT_SUCCESS;
}

RegularList& executable_list(ze_command_list_handle_t handle, std::uint32_t ordinal) {
  if (!handle) throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, std::string("a command list is null"));
  auto& list = *from_handle<CpuCommandList>(handle);
  if (list.immediate())
    throw Error(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, std::string("an immediate list executes by itself"));
  auto& regular = static_cast<RegularList&>(list);
  if (regular.ordinal() != ordinal)
    throw Error(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE, "a list of queue group {} executes in none of group {}",
                regular.ordinal(), ordinal);
  if (!regular.closed()) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the list is not closed"));
  if (!regular.complete())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("a launch got another kernel and not all its arguments"));
  return regular;
}

CpuCommandList* make_regular_list(CpuContext& context, ze_device_handle_t device, const ze_command_list_desc_t& desc) {
  if (RecordedList::wanted(desc)) return new RecordedList(context, device, desc);
  return new RegularList(context, device, desc);
}

} // namespace zeroth::cpu
