#include "recording.hpp"

#include "chain.hpp"

#include <algorithm>

namespace zeroth::cpu {

const void* Recording::kept_chain(const void* chain) {
  auto* cooperative = find_in_chain<ze_command_list_append_launch_kernel_param_cooperative_desc_t>(
      chain, ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC);
  if (!cooperative) return nullptr;
  auto* copy = kept(cooperative, 1);
  copy->pNext = nullptr;
  return copy;
}

RecordedCommand& Recording::begin(std::uint32_t code, std::span<const ze_kernel_handle_t> kernels) {
  RecordedCommand& made = commands_.emplace_back();
  made.shown.struct_size = sizeof made.shown;
  made.shown.command = code;
  made.shown.id = commands_.size();
  made.shown_kernels.resize(kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    made.kernels.push_back(from_handle<CpuKernel>(kernels[i])->copy());
    refresh(made, i, kernels[i]);
  }
  made.shown.kernel_count = static_cast<std::uint32_t>(kernels.size());
  made.shown.kernels = made.shown_kernels.data();
  return made;
}

void Recording::refresh(RecordedCommand& command, std::size_t number, ze_kernel_handle_t handle) {
  const CpuKernel& kernel = *command.kernels[number];
  const auto& arguments = kernel.info().arguments;
  zeroth_recorded_kernel& to = command.shown_kernels[number];
  auto* shown = const_cast<zeroth_recorded_argument*>(to.arguments);
  if (!shown || to.argument_count < arguments.size())
    shown = static_cast<zeroth_recorded_argument*>(
        copies_.allocate(std::max<std::size_t>(arguments.size(), 1) * sizeof(zeroth_recorded_argument)));
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    const bool local = arguments[i].kind == compiler::ArgumentKind::LocalPointer;
    shown[i] = {local ? kernel.local_size(i) : arguments[i].size, kernel.given_value(i)};
  }
  to.struct_size = sizeof to;
  to.argument_count = static_cast<std::uint32_t>(arguments.size());
  to.kernel = handle;
  to.arguments = shown;
  std::copy_n(kernel.launch().group_size, 3, to.group_size);
  std::copy_n(kernel.launch().global_offset, 3, to.global_offset);
}

void Recording::show(RecordedCommand& command, std::size_t number, ze_kernel_handle_t handle) {
  const std::uint32_t before = command.shown_kernels[number].argument_count;
  refresh(command, number, handle);
  if (command.shown.command == ZEROTH_COMMAND_APPEND_LAUNCH_MULTIPLE_KERNELS_INDIRECT) {
    command.member<zeroth_append_launch_multiple_kernels_indirect>(0).phKernels[number] = handle;
    return;
  }
  command.member<ze_kernel_handle_t>(PlaceOfKernel) = handle;
  if (command.shown.command != ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_ARGUMENTS) return;
  auto& call = command.member<zeroth_append_launch_kernel_with_arguments>(0);
  const std::uint32_t* size = command.shown_kernels[number].group_size;
  const_cast<ze_group_size_t&>(call.groupSizes) = {size[0], size[1], size[2]};
  call.pArguments =
      argument_values(command, command.shown_kernels[number].argument_count <= before ? call.pArguments : nullptr);
}

void** Recording::argument_values(const RecordedCommand& command, void** room) {
  const zeroth_recorded_kernel& kernel = command.shown_kernels.front();
  void** values = room;
  if (!room)
    values = static_cast<void**>(copies_.allocate(std::max<std::size_t>(kernel.argument_count, 1) * sizeof(void*)));
  for (std::uint32_t i = 0; i < kernel.argument_count; ++i)
    values[i] = kernel.arguments[i].value ? const_cast<void*>(kernel.arguments[i].value)
                                          : const_cast<std::size_t*>(&kernel.arguments[i].size);
  return values;
}

void Recording::clear() {
  commands_.clear();
  copies_.clear();
}

} // namespace zeroth::cpu
