// Clones: every recorded call is made again on another list.
#include "recorded_list.hpp"

#include <sdk/error.hpp>
#include <zeroth/api/tables.hpp>

namespace zeroth::cpu {

// The copy is made of the recorded calls, with the kernels as they were then, whatever has become of their handles.
ze_result_t RecordedList::create_clone_exp(ze_command_list_handle_t* clone) {
  if (!closed()) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("only a closed list can be cloned"));
  auto made = std::make_unique<RecordedList>(context_, device_, description());
  made->leave_events();
  for (RecordedCommand& recorded : recording_.commands()) {
    if (const ze_result_t code = made->append_again(recorded); code != ZE_RESULT_SUCCESS)
      throw Error(code, "{} could not be appended again", zeroth_get_command_info(recorded.shown.command)->function);
    made->show_handles(made->recording_.commands().back(), recorded);
  }
  made->copy_waits(*this);
  made->close();
  *clone = to_handle(made.release());
  return ZE_RESULT_SUCCESS;
}

// The recorded kernel has the values already, and may have got others since by changes in place.
ze_result_t RecordedList::launch_again(const zeroth_append_launch_kernel_with_arguments& call, CpuKernel& kernel) {
  const ze_kernel_handle_t handle = to_handle(&kernel);
  return record(
      ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_ARGUMENTS, {&handle, 1},
      [&] {
        return RegularList::append_launch_kernel_with_parameters(
            handle, &call.groupCounts, call.pNext, call.hSignalEvent, call.numWaitEvents, call.phWaitEvents);
      },
      [&] {
        return zeroth_append_launch_kernel_with_arguments{to_handle(this),
                                                          handle,
                                                          call.groupCounts,
                                                          call.groupSizes,
                                                          kept_arguments(),
                                                          kept_chain(call.pNext),
                                                          call.hSignalEvent,
                                                          call.numWaitEvents,
                                                          kept(call.phWaitEvents, call.numWaitEvents)};
      });
}

ze_result_t RecordedList::append_again(RecordedCommand& recorded) {
  const std::uint32_t code = recorded.shown.command;
  if (code == ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_ARGUMENTS)
    return launch_again(recorded.member<zeroth_append_launch_kernel_with_arguments>(0), *recorded.kernels.front());
  std::vector<std::byte> parameters(zeroth_get_command_info(code)->size);
  std::memcpy(parameters.data(), recorded.shown.params, parameters.size());
  std::vector<ze_kernel_handle_t> kernels;
  for (const auto& kernel : recorded.kernels) kernels.push_back(to_handle(kernel.get()));
  auto put = [&](std::size_t offset, auto value) { std::memcpy(parameters.data() + offset, &value, sizeof value); };
  if (code == ZEROTH_COMMAND_APPEND_LAUNCH_MULTIPLE_KERNELS_INDIRECT) {
    put(offsetof(zeroth_append_launch_multiple_kernels_indirect, phKernels), kernels.data());
  } else if (!kernels.empty()) {
    put(PlaceOfKernel, kernels.front());
  }
  DispatchTables& tables = device::tables();
  ze_dditable_driver_t core = tables.core_container; // the device's own functions, not those of overlays above it
  core.CommandList = &tables.ze.CommandList;
  core.CommandListExp = &tables.ze.CommandListExp;
  const ze_handle_t own{&core, nullptr, nullptr, nullptr};
  return zeroth_append_command(&own, to_handle(this), code, parameters.data());
}

// The program's handles, as in the list that was cloned: the recorded kernels go with that list.
void RecordedList::show_handles(RecordedCommand& of, const RecordedCommand& recorded) {
  for (std::size_t i = 0; i < of.kernels.size(); ++i) recording_.show(of, i, recorded.shown_kernels[i].kernel);
}

} // namespace zeroth::cpu
