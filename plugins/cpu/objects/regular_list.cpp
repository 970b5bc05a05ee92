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

// A list that was destroyed while it executes leaves its timeline to itself.
RegularList::~RegularList() {
  if (!progress_ || !progress_->reached(signalled_)) return;
  std::lock_guard lock(progress().mutex);
  progress().resting.push_back(progress_);
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
    Effect* effect = nullptr;
    if (signal->counter_based()) {
      if (!takes_counter_events_)
        throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("counter-based events need a list in order"));
      if (!progress_) signalled_ = (progress_ = take_progress())->value();
      effect = new (arena_.allocate(sizeof(Effect))) Effect;
      effect->timeline = progress_;
      if (signal->storage()) signal->storage()->check_signal();
      command.effect = effect;
    }
    signals_.push_back({signal, effect});
  }
  if (last_) {
    last_->next.store(&command, std::memory_order_relaxed);
  } else {
    first_ = &command;
  }
  last_ = &command;
}

void RegularList::bind_events(Flow& flow) {
  for (const auto& [event, effect] : signals_) {
    if (!event) continue;
    if (effect) bind_counter(*event, *effect);
    event->produced_by(flow, flow.next_number());
  }
}

void RegularList::bind_counter(CpuEvent& event, Effect& effect) {
  if (CounterStorage* storage = event.storage()) {
    effect = *storage->next_signal();
  } else {
    event.will_be_signalled_by(*progress_, ++signalled_);
  }
}

void RegularList::exchange_signal(Command& command, std::size_t number, CpuEvent* signal) {
  Signal& place = signals_.at(number);
  const bool counter = signal && signal->counter_based();
  if (signal && counter != (place.effect != nullptr))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the command's event is of another kind"));
  if (counter && signal->storage()) signal->storage()->check_signal();
  place.event = signal;
  if (place.effect && counter && !signal->storage()) *place.effect = Effect{Effect::Kind::Advance, {progress_}, 0};
  command.effect = signal ? place.effect : nullptr;
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
