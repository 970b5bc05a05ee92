#include "recorded_list.hpp"

#include "chain.hpp"

namespace zeroth::cpu {

bool RecordedList::wanted(const ze_command_list_desc_t& desc) {
  return (desc.flags & ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE) ||
         find_in_chain<void>(desc.pNext, ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC) ||
         find_in_chain<void>(desc.pNext, ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXT_DESC) ||
         find_in_chain<void>(desc.pNext, ZE_STRUCTURE_TYPE_COMMAND_VISIT_EXT_DESC);
}

ze_result_t RecordedList::reset() {
  recording_.clear();
  unfinished_ = 0;
  return RegularList::reset();
}

ze_result_t RecordedList::walk(zeroth_command_visitor visitor, void* user) {
  for (const RecordedCommand& recorded : recording_.commands())
    if (const ze_result_t code = visitor(user, &recorded.shown); code != ZE_RESULT_SUCCESS) return code;
  return ZE_RESULT_SUCCESS;
}

ze_result_t RecordedList::append_barrier(ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_BARRIER, {}, [&] { return RegularList::append_barrier(signal, count, waits); },
      [&] {
        return zeroth_append_barrier{to_handle(this), signal, count, kept(waits, count)};
      });
}

ze_result_t RecordedList::append_memory_ranges_barrier(uint32_t ranges, const size_t* sizes, const void** starts,
                                                       ze_event_handle_t signal, uint32_t count,
                                                       ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_MEMORY_RANGES_BARRIER, {},
      [&] { return RegularList::append_memory_ranges_barrier(ranges, sizes, starts, signal, count, waits); },
      [&] {
        return zeroth_append_memory_ranges_barrier{to_handle(this), ranges, kept(sizes, ranges), kept(starts, ranges),
                                                   signal,          count,  kept(waits, count)};
      });
}

ze_result_t RecordedList::append_memory_copy(void* to, const void* from, size_t size, ze_event_handle_t signal,
                                             uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_MEMORY_COPY, {},
      [&] { return RegularList::append_memory_copy(to, from, size, signal, count, waits); },
      [&] { return zeroth_append_memory_copy{to_handle(this), to, from, size, signal, count, kept(waits, count)}; });
}

ze_result_t RecordedList::append_memory_copy_with_parameters(void* to, const void* from, size_t size, const void* next,
                                                             ze_event_handle_t signal, uint32_t count,
                                                             ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_MEMORY_COPY_WITH_PARAMETERS, {},
      [&] { return RegularList::append_memory_copy_with_parameters(to, from, size, next, signal, count, waits); },
      [&] {
        return zeroth_append_memory_copy_with_parameters{to_handle(this),  to,     from,  size,
                                                         kept_chain(next), signal, count, kept(waits, count)};
      });
}

ze_result_t RecordedList::append_memory_fill(void* pointer, const void* pattern, size_t pattern_size, size_t size,
                                             ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_MEMORY_FILL, {},
      [&] { return RegularList::append_memory_fill(pointer, pattern, pattern_size, size, signal, count, waits); },
      [&] {
        return zeroth_append_memory_fill{
            to_handle(this), pointer,           kept_bytes(pattern, pattern_size), pattern_size, size, signal,
            count,           kept(waits, count)};
      });
}

ze_result_t RecordedList::append_memory_fill_with_parameters(void* pointer, const void* pattern, size_t pattern_size,
                                                             size_t size, const void* next, ze_event_handle_t signal,
                                                             uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_MEMORY_FILL_WITH_PARAMETERS, {},
      [&] {
        return RegularList::append_memory_fill_with_parameters(pointer, pattern, pattern_size, size, next, signal,
                                                               count, waits);
      },
      [&] {
        return zeroth_append_memory_fill_with_parameters{to_handle(this), pointer, kept_bytes(pattern, pattern_size),
                                                         pattern_size,    size,    kept_chain(next),
                                                         signal,          count,   kept(waits, count)};
      });
}

ze_result_t RecordedList::append_memory_copy_region(void* to, const ze_copy_region_t* to_region, uint32_t to_pitch,
                                                    uint32_t to_slice, const void* from,
                                                    const ze_copy_region_t* from_region, uint32_t from_pitch,
                                                    uint32_t from_slice, ze_event_handle_t signal, uint32_t count,
                                                    ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_MEMORY_COPY_REGION, {},
      [&] {
        return RegularList::append_memory_copy_region(to, to_region, to_pitch, to_slice, from, from_region, from_pitch,
                                                      from_slice, signal, count, waits);
      },
      [&] {
        return zeroth_append_memory_copy_region{
            to_handle(this),      to,         kept(to_region, 1), to_pitch, to_slice, from,
            kept(from_region, 1), from_pitch, from_slice,         signal,   count,    kept(waits, count)};
      });
}

ze_result_t RecordedList::append_memory_copy_from_context(void* to, ze_context_handle_t context, const void* from,
                                                          size_t size, ze_event_handle_t signal, uint32_t count,
                                                          ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_MEMORY_COPY_FROM_CONTEXT, {},
      [&] { return RegularList::append_memory_copy_from_context(to, context, from, size, signal, count, waits); },
      [&] {
        return zeroth_append_memory_copy_from_context{to_handle(this), to,    context,           from, size,
                                                      signal,          count, kept(waits, count)};
      });
}

ze_result_t RecordedList::append_image_copy(ze_image_handle_t image_to, ze_image_handle_t image_from,
                                            ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_IMAGE_COPY, {},
      [&] { return RegularList::append_image_copy(image_to, image_from, signal, count, waits); },
      [&] {
        return zeroth_append_image_copy{to_handle(this), image_to, image_from, signal, count, kept(waits, count)};
      });
}

ze_result_t RecordedList::append_image_copy_region(ze_image_handle_t image_to, ze_image_handle_t image_from,
                                                   const ze_image_region_t* to_region,
                                                   const ze_image_region_t* from_region, ze_event_handle_t signal,
                                                   uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_IMAGE_COPY_REGION, {},
      [&] {
        return RegularList::append_image_copy_region(image_to, image_from, to_region, from_region, signal, count,
                                                     waits);
      },
      [&] {
        return zeroth_append_image_copy_region{to_handle(this),      image_to, image_from, kept(to_region, 1),
                                               kept(from_region, 1), signal,   count,      kept(waits, count)};
      });
}

ze_result_t RecordedList::append_image_copy_to_memory(void* to, ze_image_handle_t image_from,
                                                      const ze_image_region_t* from_region, ze_event_handle_t signal,
                                                      uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_IMAGE_COPY_TO_MEMORY, {},
      [&] { return RegularList::append_image_copy_to_memory(to, image_from, from_region, signal, count, waits); },
      [&] {
        return zeroth_append_image_copy_to_memory{to_handle(this), to,    image_from,        kept(from_region, 1),
                                                  signal,          count, kept(waits, count)};
      });
}

ze_result_t RecordedList::append_image_copy_from_memory(ze_image_handle_t image_to, const void* from,
                                                        const ze_image_region_t* to_region, ze_event_handle_t signal,
                                                        uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_IMAGE_COPY_FROM_MEMORY, {},
      [&] { return RegularList::append_image_copy_from_memory(image_to, from, to_region, signal, count, waits); },
      [&] {
        return zeroth_append_image_copy_from_memory{
            to_handle(this), image_to, from, kept(to_region, 1), signal, count, kept(waits, count)};
      });
}

ze_result_t RecordedList::append_image_copy_to_memory_ext(void* to, ze_image_handle_t image_from,
                                                          const ze_image_region_t* from_region, uint32_t to_pitch,
                                                          uint32_t to_slice, ze_event_handle_t signal, uint32_t count,
                                                          ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_IMAGE_COPY_TO_MEMORY_EXT, {},
      [&] {
        return RegularList::append_image_copy_to_memory_ext(to, image_from, from_region, to_pitch, to_slice, signal,
                                                            count, waits);
      },
      [&] {
        return zeroth_append_image_copy_to_memory_ext{to_handle(this),   to,       image_from, kept(from_region, 1),
                                                      to_pitch,          to_slice, signal,     count,
                                                      kept(waits, count)};
      });
}

ze_result_t RecordedList::append_image_copy_from_memory_ext(ze_image_handle_t image_to, const void* from,
                                                            const ze_image_region_t* to_region, uint32_t from_pitch,
                                                            uint32_t from_slice, ze_event_handle_t signal,
                                                            uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_IMAGE_COPY_FROM_MEMORY_EXT, {},
      [&] {
        return RegularList::append_image_copy_from_memory_ext(image_to, from, to_region, from_pitch, from_slice, signal,
                                                              count, waits);
      },
      [&] {
        return zeroth_append_image_copy_from_memory_ext{to_handle(this),   image_to,   from,   kept(to_region, 1),
                                                        from_pitch,        from_slice, signal, count,
                                                        kept(waits, count)};
      });
}

ze_result_t RecordedList::append_memory_prefetch(const void* pointer, size_t size) {
  return record(
      ZEROTH_COMMAND_APPEND_MEMORY_PREFETCH, {}, [&] { return RegularList::append_memory_prefetch(pointer, size); },
      [&] {
        return zeroth_append_memory_prefetch{to_handle(this), pointer, size};
      });
}

ze_result_t RecordedList::append_mem_advise(ze_device_handle_t device, const void* pointer, size_t size,
                                            ze_memory_advice_t advice) {
  return record(
      ZEROTH_COMMAND_APPEND_MEM_ADVISE, {},
      [&] { return RegularList::append_mem_advise(device, pointer, size, advice); },
      [&] {
        return zeroth_append_mem_advise{to_handle(this), device, pointer, size, advice};
      });
}

ze_result_t RecordedList::append_signal_event(ze_event_handle_t event) {
  return record(
      ZEROTH_COMMAND_APPEND_SIGNAL_EVENT, {}, [&] { return RegularList::append_signal_event(event); },
      [&] {
        return zeroth_append_signal_event{to_handle(this), event};
      });
}

ze_result_t RecordedList::append_signal_event_with_parameters(const void* next, ze_event_handle_t event) {
  return record(
      ZEROTH_COMMAND_APPEND_SIGNAL_EVENT_WITH_PARAMETERS, {},
      [&] { return RegularList::append_signal_event_with_parameters(next, event); },
      [&] {
        return zeroth_append_signal_event_with_parameters{to_handle(this), kept_chain(next), event};
      });
}

ze_result_t RecordedList::append_wait_on_events(uint32_t events, ze_event_handle_t* handles) {
  return record(
      ZEROTH_COMMAND_APPEND_WAIT_ON_EVENTS, {}, [&] { return RegularList::append_wait_on_events(events, handles); },
      [&] {
        return zeroth_append_wait_on_events{to_handle(this), events, kept(handles, events)};
      });
}

ze_result_t RecordedList::append_wait_on_events_with_parameters(const void* next, uint32_t events,
                                                                ze_event_handle_t* handles) {
  return record(
      ZEROTH_COMMAND_APPEND_WAIT_ON_EVENTS_WITH_PARAMETERS, {},
      [&] { return RegularList::append_wait_on_events_with_parameters(next, events, handles); },
      [&] {
        return zeroth_append_wait_on_events_with_parameters{to_handle(this), kept_chain(next), events,
                                                            kept(handles, events)};
      });
}

ze_result_t RecordedList::append_event_reset(ze_event_handle_t event) {
  return record(
      ZEROTH_COMMAND_APPEND_EVENT_RESET, {}, [&] { return RegularList::append_event_reset(event); },
      [&] {
        return zeroth_append_event_reset{to_handle(this), event};
      });
}

ze_result_t RecordedList::append_write_global_timestamp(uint64_t* to, ze_event_handle_t signal, uint32_t count,
                                                        ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_WRITE_GLOBAL_TIMESTAMP, {},
      [&] { return RegularList::append_write_global_timestamp(to, signal, count, waits); },
      [&] {
        return zeroth_append_write_global_timestamp{to_handle(this), to, signal, count, kept(waits, count)};
      });
}

ze_result_t RecordedList::append_query_kernel_timestamps(uint32_t events, ze_event_handle_t* handles, void* to,
                                                         const size_t* offsets, ze_event_handle_t signal,
                                                         uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_QUERY_KERNEL_TIMESTAMPS, {},
      [&] { return RegularList::append_query_kernel_timestamps(events, handles, to, offsets, signal, count, waits); },
      [&] {
        return zeroth_append_query_kernel_timestamps{
            to_handle(this), events, kept(handles, events), to, kept(offsets, events),
            signal,          count,  kept(waits, count)};
      });
}

ze_result_t RecordedList::append_host_function(ze_host_function_callback_t function, void* data, const void* next,
                                               ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_HOST_FUNCTION, {},
      [&] { return RegularList::append_host_function(function, data, next, signal, count, waits); },
      [&] {
        return zeroth_append_host_function{to_handle(this), function,          data, kept_chain(next), signal,
                                           count,           kept(waits, count)};
      });
}

ze_result_t RecordedList::append_launch_kernel(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                               ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL, {&kernel, 1},
      [&] { return RegularList::append_launch_kernel(kernel, groups, signal, count, waits); },
      [&] {
        return zeroth_append_launch_kernel{to_handle(this), kernel, kept(groups, 1), signal, count, kept(waits, count)};
      });
}

ze_result_t RecordedList::append_launch_kernel_with_parameters(ze_kernel_handle_t kernel,
                                                               const ze_group_count_t* groups, const void* next,
                                                               ze_event_handle_t signal, uint32_t count,
                                                               ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_PARAMETERS, {&kernel, 1},
      [&] { return RegularList::append_launch_kernel_with_parameters(kernel, groups, next, signal, count, waits); },
      [&] {
        return zeroth_append_launch_kernel_with_parameters{to_handle(this), kernel, kept(groups, 1),   kept_chain(next),
                                                           signal,          count,  kept(waits, count)};
      });
}

ze_result_t RecordedList::append_launch_kernel_with_arguments(ze_kernel_handle_t kernel, const ze_group_count_t groups,
                                                              const ze_group_size_t sizes, void** arguments,
                                                              const void* next, ze_event_handle_t signal,
                                                              uint32_t count, ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_ARGUMENTS, {&kernel, 1},
      [&] {
        return RegularList::append_launch_kernel_with_arguments(kernel, groups, sizes, arguments, next, signal, count,
                                                                waits);
      },
      [&] {
        return zeroth_append_launch_kernel_with_arguments{to_handle(this),   kernel,           groups, sizes,
                                                          kept_arguments(),  kept_chain(next), signal, count,
                                                          kept(waits, count)};
      });
}

ze_result_t RecordedList::append_launch_cooperative_kernel(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                                           ze_event_handle_t signal, uint32_t count,
                                                           ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_LAUNCH_COOPERATIVE_KERNEL, {&kernel, 1},
      [&] { return RegularList::append_launch_cooperative_kernel(kernel, groups, signal, count, waits); },
      [&] {
        return zeroth_append_launch_cooperative_kernel{to_handle(this), kernel, kept(groups, 1),
                                                       signal,          count,  kept(waits, count)};
      });
}

ze_result_t RecordedList::append_launch_kernel_indirect(ze_kernel_handle_t kernel, const ze_group_count_t* groups,
                                                        ze_event_handle_t signal, uint32_t count,
                                                        ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_INDIRECT, {&kernel, 1},
      [&] { return RegularList::append_launch_kernel_indirect(kernel, groups, signal, count, waits); },
      [&] {
        return zeroth_append_launch_kernel_indirect{to_handle(this), kernel, groups, signal, count, kept(waits, count)};
      });
}

ze_result_t RecordedList::append_launch_multiple_kernels_indirect(uint32_t kernels, ze_kernel_handle_t* handles,
                                                                  const uint32_t* launches,
                                                                  const ze_group_count_t* groups,
                                                                  ze_event_handle_t signal, uint32_t count,
                                                                  ze_event_handle_t* waits) {
  return record(
      ZEROTH_COMMAND_APPEND_LAUNCH_MULTIPLE_KERNELS_INDIRECT, {handles, kernels},
      [&] {
        return RegularList::append_launch_multiple_kernels_indirect(kernels, handles, launches, groups, signal, count,
                                                                    waits);
      },
      [&] {
        return zeroth_append_launch_multiple_kernels_indirect{
            to_handle(this), kernels, kept(handles, kernels), launches, groups, signal, count, kept(waits, count)};
      });
}

} // namespace zeroth::cpu
