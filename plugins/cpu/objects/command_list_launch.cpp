#include "../commands/cooperative.hpp"
#include "chain.hpp"
#include "command_list.hpp"
#include "device.hpp"

#include <sdk/error.hpp>

#include <cstring>

namespace zeroth::cpu {

namespace {

// Throws when the product of the counts is beyond any range of groups.
std::uint64_t count_groups(const ze_group_count_t& groups) {
  std::uint64_t plane = 0, total = 0;
  if (__builtin_mul_overflow(std::uint64_t{groups.groupCountX}, groups.groupCountY, &plane) ||
      __builtin_mul_overflow(plane, groups.groupCountZ, &total) || total >> 63)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} x {} x {} groups", groups.groupCountX, groups.groupCountY,
                groups.groupCountZ);
  return total;
}

// Private memory is on a stack, and where it lives across barriers on one, or in a piece of scratch, for each slice of
// a group; all threads together must find room.
void check_private_memory(const CpuKernel& kernel, ze_device_handle_t handle) {
  const LaunchShape& shape = kernel.shape();
  if (shape.slice_stack < HugePage && shape.scratch_bytes < HugePage && shape.roomy_stack < HugePage) [[likely]]
    return;
  CpuDevice& device = *from_handle<CpuDevice>(handle);
  const std::uint64_t limit = device.driver().facts().memory_bytes / 4 / device.executor().threads(); // of one group
  if (shape.scratch_bytes > limit || shape.roomy_stack > limit - shape.scratch_bytes ||
      (shape.slices && shape.slice_stack > (limit - shape.scratch_bytes) / shape.slices))
    throw Error(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
                "a group of `{}` needs {} bytes in {} slices, {} of stack and {} more; {} are there",
                kernel.info().name, shape.slice_stack, shape.slices, shape.roomy_stack, shape.scratch_bytes, limit);
}

void check_cooperative(std::uint64_t groups, const CpuKernel& kernel, ze_device_handle_t device) {
  const unsigned threads = from_handle<CpuDevice>(device)->executor().threads();
  if (groups > threads)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} groups of `{}` cannot run at once; {} can", groups,
                kernel.info().name, threads);
}

zeroth_launch launch_of(const CpuKernel& kernel, const ze_group_count_t& groups, const void* arguments) {
  zeroth_launch launch = kernel.launch();
  launch.arguments = static_cast<const std::uint8_t*>(arguments);
  launch.group_count[0] = groups.groupCountX;
  launch.group_count[1] = groups.groupCountY;
  launch.group_count[2] = groups.groupCountZ;
  launch.work_dim = work_dimensions(launch.group_size, launch.group_count);
  return launch;
}

void check_ready(const CpuKernel& kernel) {
  if (kernel.unset_arguments()) [[unlikely]]
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "argument {} of `{}` was never set", kernel.first_unset_argument(),
                kernel.info().name);
  if (kernel.shape().local_bytes > MaxLocalBytes) [[unlikely]]
    throw Error(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "`{}` needs {} bytes of local memory, {} are there",
                kernel.info().name, kernel.shape().local_bytes, MaxLocalBytes);
}

void check_launch_chain(const void* chain) {
  check_chain_knows(chain, {ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC});
}

} // namespace

void CpuCommandList::check_computes() const {
  if (ordinal_ == CopyGroup) [[unlikely]]
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                std::string("the list's queue group copies only: it takes no kernels"));
}

bool CpuCommandList::asks_for_cooperation(const void* chain) {
  auto* desc = find_in_chain<ze_command_list_append_launch_kernel_param_cooperative_desc_t>(
      chain, ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC);
  return desc && desc->isCooperative;
}

void CpuCommandList::relaunch(Command& command, const CpuKernel& kernel, const ze_group_count_t& groups,
                              void* arguments, bool cooperative) {
  check_ready(kernel);
  check_private_memory(kernel, device_);
  LaunchShape shape = kernel.shape();
  shape.groups = count_groups(groups);
  if (cooperative) check_cooperative(shape.groups, kernel, device_);
  std::memcpy(arguments, kernel.arguments(), kernel.argument_bytes());
  const zeroth_launch launch = launch_of(kernel, groups, arguments);
  auto& code = const_cast<CpuKernel&>(kernel).code();
  const Command::Links links(command);
  if (cooperative) {
    links.give_to(*new (&command) CooperativeCommand(code, launch, shape));
  } else {
    links.give_to(*new (&command) LaunchCommand(code, launch, shape));
  }
}

template <class C>
ze_result_t CpuCommandList::launch(CpuKernel& kernel, const ze_group_count_t& groups, const Sync& sync) {
  check_computes();
  check_ready(kernel);
  check_private_memory(kernel, device_);
  const std::uint64_t total = count_groups(groups);
  const Room room = reserve(sizeof(C), kernel.argument_bytes(), sync.count);
  std::memcpy(room.extra, kernel.arguments(), kernel.argument_bytes());
  const zeroth_launch launch = launch_of(kernel, groups, room.extra);
  LaunchShape shape = kernel.shape();
  shape.groups = total;
  finish(*new (room.command) C(kernel.code(), launch, shape), room, sync);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::append_launch_kernel(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                                 ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) {
  return launch<LaunchCommand>(*from_handle<CpuKernel>(kernel), *groups, {signal, count, waits});
}

ze_result_t CpuCommandList::append_launch_kernel_with_parameters(ze_kernel_handle_t kernel,
                                                                 const ze_group_count_t* groups, const void* next,
                                                                 ze_event_handle_t signal, uint32_t count,
                                                                 ze_event_handle_t* waits) {
  check_launch_chain(next);
  if (asks_for_cooperation(next)) return append_launch_cooperative_kernel(kernel, groups, signal, count, waits);
  return append_launch_kernel(kernel, groups, signal, count, waits);
}

ze_result_t CpuCommandList::append_launch_kernel_with_arguments(ze_kernel_handle_t kernel,
                                                                const ze_group_count_t groups,
                                                                const ze_group_size_t size, void** arguments,
                                                                const void* next, ze_event_handle_t signal,
                                                                uint32_t count, ze_event_handle_t* waits) {
  check_computes();
  check_launch_chain(next);
  auto& target = *from_handle<CpuKernel>(kernel);
  target.set_group_size(size.groupSizeX, size.groupSizeY, size.groupSizeZ);
  target.set_all_arguments(arguments);
  return append_launch_kernel_with_parameters(kernel, &groups, next, signal, count, waits);
}

// All groups run at once, each on a thread of its own; so there can be no more of them than threads.
ze_result_t CpuCommandList::append_launch_cooperative_kernel(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                                             ze_event_handle_t signal, uint32_t count,
                                                             ze_event_handle_t* waits) {
  check_computes();
  auto& target = *from_handle<CpuKernel>(kernel);
  const std::uint64_t total = count_groups(*groups);
  check_cooperative(total, target, device_);
  return launch<CooperativeCommand>(target, *groups, {signal, count, waits});
}

ze_result_t CpuCommandList::launch_indirect(CpuKernel& kernel, const ze_group_count_t* groups, const uint32_t* enabled,
                                            uint32_t index, const Sync& sync) {
  check_computes();
  check_ready(kernel);
  check_private_memory(kernel, device_);
  const Room room = reserve(sizeof(IndirectLaunchCommand), kernel.argument_bytes(), sync.count);
  std::memcpy(room.extra, kernel.arguments(), kernel.argument_bytes());
  zeroth_launch launch = kernel.launch();
  launch.arguments = reinterpret_cast<const std::uint8_t*>(room.extra);
  finish(*new (room.command)
             IndirectLaunchCommand(kernel.code(), launch, kernel.shape(), &groups->groupCountX, enabled, index),
         room, sync);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::append_launch_kernel_indirect(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                                          ze_event_handle_t signal, uint32_t count,
                                                          ze_event_handle_t* waits) {
  return launch_indirect(*from_handle<CpuKernel>(kernel), groups, nullptr, 0, {signal, count, waits});
}

ze_result_t CpuCommandList::append_launch_multiple_kernels_indirect(uint32_t kernels, ze_kernel_handle_t* handles,
                                                                    const uint32_t* kernel_count,
                                                                    const ze_group_count_t* groups,
                                                                    ze_event_handle_t signal, uint32_t count,
                                                                    ze_event_handle_t* waits) {
  check_computes();
  for (uint32_t i = 0; i < kernels; ++i) {
    if (!handles[i]) throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "kernel {} is null", i);
    check_ready(*from_handle<CpuKernel>(handles[i]));
    check_private_memory(*from_handle<CpuKernel>(handles[i]), device_);
  }
  return record_several({signal, count, waits}, [&] {
    for (uint32_t i = 0; i < kernels; ++i)
      launch_indirect(*from_handle<CpuKernel>(handles[i]), groups + i, kernel_count, i, {});
  });
}

} // namespace zeroth::cpu
