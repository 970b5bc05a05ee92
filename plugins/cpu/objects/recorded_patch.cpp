// Changing recorded commands in place: the kernel's recorded state is changed, and the command written anew where it
// stands, so that the cost does not depend on the length of the list.
#include "../commands/cooperative.hpp"
#include "recorded_list.hpp"

#include <sdk/error.hpp>

namespace zeroth::cpu {

namespace {

// Where a launch's parameters hold its group counts; null for those that read them when they run.
const ze_group_count_t* groups_in(const RecordedCommand& recorded) {
  const void* params = recorded.shown.params;
  switch (recorded.shown.command) {
  case ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL:
    return static_cast<const zeroth_append_launch_kernel*>(params)->pLaunchFuncArgs;
  case ZEROTH_COMMAND_APPEND_LAUNCH_COOPERATIVE_KERNEL:
    return static_cast<const zeroth_append_launch_cooperative_kernel*>(params)->pLaunchFuncArgs;
  case ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_PARAMETERS:
    return static_cast<const zeroth_append_launch_kernel_with_parameters*>(params)->pGroupCounts;
  case ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_ARGUMENTS:
    return &static_cast<const zeroth_append_launch_kernel_with_arguments*>(params)->groupCounts;
  default:
    return nullptr;
  }
}

const void* chain_in(const RecordedCommand& recorded) {
  const void* params = recorded.shown.params;
  switch (recorded.shown.command) {
  case ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_PARAMETERS:
    return static_cast<const zeroth_append_launch_kernel_with_parameters*>(params)->pNext;
  case ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_ARGUMENTS:
    return static_cast<const zeroth_append_launch_kernel_with_arguments*>(params)->pNext;
  default:
    return nullptr;
  }
}

} // namespace

zeroth_command_id RecordedList::last_command() {
  if (recording_.commands().empty()) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the list is empty"));
  return recording_.commands().size();
}

RecordedCommand& RecordedList::patchable(zeroth_command_id id) {
  if (!closed()) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the list is not closed"));
  RecordedCommand* recorded = recording_.find(id);
  if (!recorded || !recorded->single)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "there is no command {} that can be changed", id);
  return *recorded;
}

RecordedCommand& RecordedList::patchable_launch(zeroth_command_id id) {
  RecordedCommand& recorded = patchable(id);
  if (!groups_in(recorded)) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "command {} is no direct launch", id);
  return recorded;
}

void RecordedList::rebuild(RecordedCommand& recorded) {
  recording_.show(recorded, 0, recorded.shown_kernels[0].kernel);
  CpuKernel& kernel = *recorded.kernels[0];
  if (kernel.unset_arguments()) return;                                          // written when the last one is there
  if (!recorded.arguments || recorded.argument_room < kernel.argument_bytes()) { // not anew for each of many changes
    recorded.argument_room = std::max<std::size_t>(kernel.argument_bytes(), 1);
    recorded.arguments = arena().allocate(recorded.argument_room);
  }
  const bool cooperative = recorded.shown.command == ZEROTH_COMMAND_APPEND_LAUNCH_COOPERATIVE_KERNEL ||
                           asks_for_cooperation(chain_in(recorded));
  relaunch(*recorded.command, kernel, *groups_in(recorded), recorded.arguments, cooperative);
}

void RecordedList::set_argument(zeroth_command_id id, uint32_t index, size_t size, const void* value) {
  RecordedCommand& recorded = patchable_launch(id);
  CpuKernel& kernel = *recorded.kernels[0];
  const bool unfinished = kernel.unset_arguments() != 0;
  kernel.set_argument_value(index, size, value);
  if (unfinished && kernel.unset_arguments() == 0) --unfinished_;
  rebuild(recorded);
}

void RecordedList::set_group_count(zeroth_command_id id, const ze_group_count_t& count) {
  RecordedCommand& recorded = patchable_launch(id);
  auto& groups = const_cast<ze_group_count_t&>(*groups_in(recorded));
  const ze_group_count_t before = groups;
  groups = count;
  try {
    rebuild(recorded);
  } catch (...) {
    groups = before;
    throw;
  }
}

void RecordedList::set_group_size(zeroth_command_id id, const uint32_t size[3]) {
  RecordedCommand& recorded = patchable_launch(id);
  recorded.kernels[0]->set_group_size(size[0], size[1], size[2]);
  rebuild(recorded);
}

void RecordedList::set_global_offset(zeroth_command_id id, const uint32_t offset[3]) {
  RecordedCommand& recorded = patchable_launch(id);
  recorded.kernels[0]->set_global_offset_exp(offset[0], offset[1], offset[2]);
  rebuild(recorded);
}

void RecordedList::set_kernel(zeroth_command_id id, ze_kernel_handle_t handle) {
  RecordedCommand& recorded = patchable_launch(id);
  const zeroth_recorded_kernel before = recorded.shown_kernels[0];
  auto fresh = from_handle<CpuKernel>(handle)->without_arguments();
  fresh->set_group_size(before.group_size[0], before.group_size[1], before.group_size[2]);
  if (recorded.kernels[0]->unset_arguments()) --unfinished_;
  recorded.kernels[0] = std::move(fresh);
  recorded.shown_kernels[0].kernel = handle;
  if (recorded.kernels[0]->unset_arguments()) ++unfinished_;
  rebuild(recorded);
}

void RecordedList::set_signal_event(zeroth_command_id id, ze_event_handle_t handle) {
  RecordedCommand& recorded = patchable(id);
  const std::int32_t offset = zeroth_get_command_info(recorded.shown.command)->signal_event;
  if (offset < 0 || !recorded.member<ze_event_handle_t>(offset))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "command {} was recorded without an event to signal", id);
  exchange_signal(*recorded.command, recorded.signal, from_handle<CpuEvent>(handle));
  recorded.member<ze_event_handle_t>(offset) = handle ? handle : recorded.member<ze_event_handle_t>(offset);
}

void RecordedList::set_wait_events(zeroth_command_id id, uint32_t count, const ze_event_handle_t* events) {
  RecordedCommand& recorded = patchable(id);
  const zeroth_command_info& info = *zeroth_get_command_info(recorded.shown.command);
  if (info.wait_events < 0 || recorded.member<std::uint32_t>(info.wait_event_count) != count)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "command {} was recorded with another number of events", id);
  auto* shown = recorded.member<ze_event_handle_t*>(info.wait_events);
  std::copy_n(events, count, shown);
  write_waits(*recorded.command, const_cast<WaitPoint*>(recorded.command->waits), count, shown);
  renew_waits(*recorded.command, count);
}

} // namespace zeroth::cpu
