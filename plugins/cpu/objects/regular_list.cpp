#include "regular_list.hpp"

#include "recorded_list.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <map>
#include <new>

namespace zeroth::cpu {

RegularList::RegularList(CpuContext& context, ze_device_handle_t device, const ze_command_list_desc_t& desc)
    : CpuCommandList(context, device, desc.commandQueueGroupOrdinal), flags_(desc.flags) {
  takes_counter_events_ = in_order();
}

// A list that was destroyed while it executes leaves its timelines to themselves.
RegularList::~RegularList() {
  forget_promises();
  if (progress_) progress_->begin_recording(signalled_ + 1);
  if (progress_ && progress_->reached(signalled_)) progress_->give_back();
  if (runs_ && runs_->reached(runs_begun_)) runs_->give_back();
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
  if (signal) add_signal(command, *signal);
  recorded_waits_.add(command);
  if (last_) {
    last_->next.store(&command, std::memory_order_relaxed);
  } else {
    first_ = &command;
  }
  last_ = &command;
}

void RegularList::add_signal(Command& command, CpuEvent& event) {
  Signal made{&event, event.birth(), &command, nullptr, nullptr};
  if (event.counter_based()) {
    check_signal(event);
    if (!progress_) begin_progress();
    command.effect = made.effect = new (arena_.allocate(sizeof(Effect))) Effect;
    set_effect(made);
    ++counters_;
    progress_->add_signal();
    if (takes_events_) bind_counter(made, signalled_ + counters_);
  }
  signals_.push_back(made);
}

void RegularList::begin_progress() {
  progress_ = &ListProgress::take();
  signalled_ = progress_->value();
  own_timeline_ = progress_;
}

void RegularList::set_effect(Signal& signal) {
  CounterStorage* storage = signal.event ? signal.event->storage() : nullptr;
  Effect& effect = *signal.effect;
  effect = {};
  if (storage && storage->numbers_signals()) {
    if (!signal.queue) signal.queue = new (arena_.allocate(sizeof(SignalQueue))) SignalQueue;
    signal.queue->forget_promise(); // another event may have had one
    effect.kind = Effect::Kind::Next;
    effect.queue = signal.queue;
  } else if (const Effect* own = storage ? storage->next_signal() : nullptr) {
    effect = *own;
    effect.owner = nullptr; // the copy needs nothing of the event's
    own->forget();
  }
  effect.advanced = progress_;
}

// The event stands for the command of the execution to come, or that is being submitted.
void RegularList::bind_counter(Signal& signal, std::uint64_t number) {
  if (signal.effect->kind == Effect::Kind::Next && signal.queue->promised == signal.queue->submitted)
    signal.queue->push(*signal.event->storage()->next_signal());
  signal.event->will_be_signalled_by(*progress_, number);
  signal.event->take_times_of(*signal.command);
}

void RegularList::forget_promises() {
  for (const Signal& signal : signals_)
    if (signal.queue) signal.queue->forget_promise();
}

void RegularList::bind_events(Flow& flow) {
  if (progress_) progress_->begin_execution(signalled_ + 1);
  for (Signal& signal : signals_) {
    const bool alive = signal.alive();
    if (signal.effect) {
      ++signalled_;
      if (alive) bind_counter(signal, signalled_);
      if (signal.effect->kind == Effect::Kind::Next) signal.queue->submit();
    }
    if (alive) signal.event->produced_by(flow, flow.next_number());
  }
}

void RegularList::submit(ExecuteListCommand& command, Flow& flow, bool in_order) {
  bind_events(flow);
  recorded_waits_.renew(command.renewals());
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
  if (!runs_) runs_begun_ = (runs_ = &ListProgress::take())->value();
  command.count_end(*runs_);
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
  place.birth = signal ? signal->birth() : 0;
  if (place.effect) set_effect(place);
  if (counter) {
    const auto before = std::count_if(signals_.begin(), signals_.begin() + static_cast<std::ptrdiff_t>(number),
                                      [](const Signal& one) { return one.effect != nullptr; });
    bind_counter(place, signalled_ + static_cast<std::uint64_t>(before) + 1);
  }
  write_signal(command, signal);
}

void RegularList::renew_waits(const Command& command, std::size_t count) {
  recorded_waits_.forget(command, count);
  recorded_waits_.add(command);
}

void RegularList::copy_waits(const RegularList& from) {
  std::map<const WaitPoint*, WaitPoint*> places;
  auto next = [](const Command* of) { return of->next.load(std::memory_order_relaxed); };
  Command* own = first_;
  for (const Command* other = from.first_; own && other; own = next(own), other = next(other)) {
    auto* points = const_cast<WaitPoint*>(own->waits);
    own->wait_count = other->wait_count;
    for (std::uint32_t i = 0; i < other->wait_count; ++i) places.emplace(&other->waits[i], &points[i]);
  }
  recorded_waits_.copy(from.recorded_waits_, places);
}

ze_result_t RegularList::close() {
  closed_ = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t RegularList::reset() {
  forget_promises();
  if (progress_) progress_->begin_recording(signalled_ + 1);
  arena_.clear();
  first_ = last_ = nullptr;
  signals_.clear();
  recorded_waits_.clear();
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
