#include "command_list.hpp"

#include "../commands/box_overlap.hpp"
#include "../commands/small.hpp"
#include "../commands/transfer.hpp"
#include "chain.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <cstring>

namespace zeroth::cpu {

ze_result_t CpuCommandList::destroy() {
  delete this;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::get_device_handle(ze_device_handle_t* device) {
  *device = device_;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::get_context_handle(ze_context_handle_t* context) {
  *context = to_handle(&context_);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::get_ordinal(uint32_t* ordinal) {
  *ordinal = ordinal_;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::is_immediate(ze_bool_t* is) {
  *is = immediate();
  return ZE_RESULT_SUCCESS;
}

CpuCommandList::Room CpuCommandList::reserve(std::size_t command_bytes, std::size_t extra_bytes, uint32_t wait_count) {
  const std::size_t extra_at = round_up(command_bytes, 64);
  const std::size_t waits_at = extra_at + round_up(extra_bytes, alignof(WaitPoint));
  Room room{};
  auto* memory = static_cast<std::byte*>(allocate(waits_at + std::size_t{wait_count} * sizeof(WaitPoint), room.block));
  room.command = memory;
  room.extra = memory + extra_at;
  room.waits = reinterpret_cast<WaitPoint*>(memory + waits_at);
  return room;
}

void CpuCommandList::write_waits(Command& command, WaitPoint* room, uint32_t count,
                                 const ze_event_handle_t* events) const {
  command.waits = room;
  command.wait_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const auto* event = from_handle<CpuEvent>(events[i]);
    WaitPoint point;
    if (!event || !event->wait_point(point) || point.is_at(own_timeline_)) continue;
    new (&room[command.wait_count++]) WaitPoint(point);
  }
}

void CpuCommandList::write_signal(Command& command, CpuEvent* signal) {
  command.signal = nullptr;
  command.signals_word = false;
  if (!signal) return;
  const bool counter = signal->counter_based();
  if (!counter || signal->cell().timed.load(std::memory_order_relaxed)) command.signal = &signal->cell();
  command.signal_life.store(signal->cell().word.life(), std::memory_order_relaxed);
  command.signals_word = !counter;
}

void CpuCommandList::finish(Command& command, const Room& room, const Sync& sync) {
  command.block = room.block;
  try {
    write_waits(command, room.waits, sync.count, sync.waits);
    auto* signal = from_handle<CpuEvent>(sync.signal);
    write_signal(command, signal);
    commit(command, signal);
  } catch (const Error&) { // the event cannot be waited for, or not signalled from here
    abandon(room.block);
    throw;
  }
}

void CpuCommandList::check_signal(const CpuEvent& signal) const {
  if (!signal.counter_based()) return;
  if (!takes_counter_events_)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("counter-based events need a list in order"));
  if (const CounterStorage* storage = signal.storage()) storage->check_signal();
}

SpanBeginCommand& CpuCommandList::begin_span(const Sync& sync, bool timed) {
  const Room room = reserve(sizeof(SpanBeginCommand), 0, sync.count);
  auto& begin = *new (room.command) SpanBeginCommand(room.block, timed || sync.count);
  KeptBlock block(room.block);
  finish(begin, room, {nullptr, sync.count, sync.waits});
  block.leave();
  return begin;
}

ze_result_t CpuCommandList::append_barrier(ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) {
  return record<BarrierCommand>({signal, count, waits});
}

ze_result_t CpuCommandList::append_memory_ranges_barrier(uint32_t, const size_t*, const void**,
                                                         ze_event_handle_t signal, uint32_t count,
                                                         ze_event_handle_t* waits) {
  return record<BarrierCommand>({signal, count, waits});
}

ze_result_t CpuCommandList::append_memory_copy(void* to, const void* from, size_t size, ze_event_handle_t signal,
                                               uint32_t count, ze_event_handle_t* waits) {
  return record<CopyCommand>({signal, count, waits}, to, from, size);
}

ze_result_t CpuCommandList::append_memory_copy_with_parameters(void* to, const void* from, size_t size,
                                                               const void* next, ze_event_handle_t signal,
                                                               uint32_t count, ze_event_handle_t* waits) {
  check_chain_is_empty(next);
  return record<CopyCommand>({signal, count, waits}, to, from, size);
}

// The source context's memory is the same memory.
ze_result_t CpuCommandList::append_memory_copy_from_context(void* to, ze_context_handle_t, const void* from,
                                                            size_t size, ze_event_handle_t signal, uint32_t count,
                                                            ze_event_handle_t* waits) {
  return record<CopyCommand>({signal, count, waits}, to, from, size);
}

ze_result_t CpuCommandList::append_memory_fill(void* to, const void* pattern, size_t pattern_size, size_t size,
                                               ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) {
  if (pattern_size == 0) throw Error(ZE_RESULT_ERROR_INVALID_SIZE, std::string("a pattern of 0 bytes"));
  const Room room = reserve(sizeof(FillCommand), pattern_size, count);
  std::memcpy(room.extra, pattern, pattern_size);
  finish(*new (room.command) FillCommand(to, room.extra, pattern_size, size), room, {signal, count, waits});
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::append_memory_fill_with_parameters(void* to, const void* pattern, size_t pattern_size,
                                                               size_t size, const void* next, ze_event_handle_t signal,
                                                               uint32_t count, ze_event_handle_t* waits) {
  check_chain_is_empty(next);
  return append_memory_fill(to, pattern, pattern_size, size, signal, count, waits);
}

ze_result_t CpuCommandList::append_memory_copy_region(void* to, const ze_copy_region_t* to_region, uint32_t to_pitch,
                                                      uint32_t to_slice, const void* from,
                                                      const ze_copy_region_t* from_region, uint32_t from_pitch,
                                                      uint32_t from_slice, ze_event_handle_t signal, uint32_t count,
                                                      ze_event_handle_t* waits) {
  auto start = [](const ze_copy_region_t& r, std::size_t pitch, std::size_t slice) {
    return r.originX + r.originY * pitch + r.originZ * slice;
  };
  if (to_region->width != from_region->width || to_region->height != from_region->height ||
      to_region->depth != from_region->depth)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the regions of a copy differ in size"));
  BoxCopy box;
  box.to_pitch = to_pitch ? to_pitch : to_region->width;
  box.from_pitch = from_pitch ? from_pitch : from_region->width;
  box.to_slice = to_slice ? to_slice : box.to_pitch * to_region->height;
  box.from_slice = from_slice ? from_slice : box.from_pitch * from_region->height;
  box.to = static_cast<std::byte*>(to) + start(*to_region, box.to_pitch, box.to_slice);
  box.from = static_cast<const std::byte*>(from) + start(*from_region, box.from_pitch, box.from_slice);
  box.row_bytes = to_region->width;
  box.rows = std::max(to_region->height, 1u); // a 2D or 1D copy may say 0
  box.slices = std::max(to_region->depth, 1u);
  if (overlaps(box)) throw Error(ZE_RESULT_ERROR_OVERLAPPING_REGIONS, std::string("the regions of a copy overlap"));
  return record<BoxCopyCommand>({signal, count, waits}, box);
}

// Nothing is to be done: there is one memory.
ze_result_t CpuCommandList::append_memory_prefetch(const void* pointer, size_t size) {
  check_open();
  context_.check_memory(pointer, size);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::append_mem_advise(ze_device_handle_t, const void* pointer, size_t size,
                                              ze_memory_advice_t) {
  return CpuCommandList::append_memory_prefetch(pointer, size);
}

ze_result_t CpuCommandList::append_signal_event(ze_event_handle_t event) { return record<BarrierCommand>({event}); }

ze_result_t CpuCommandList::append_signal_event_with_parameters(const void* next, ze_event_handle_t event) {
  check_chain_is_empty(next);
  return append_signal_event(event);
}

ze_result_t CpuCommandList::append_wait_on_events(uint32_t count, ze_event_handle_t* events) {
  return record<BarrierCommand>({nullptr, count, events});
}

ze_result_t CpuCommandList::append_wait_on_events_with_parameters(const void* next, uint32_t count,
                                                                  ze_event_handle_t* events) {
  check_chain_is_empty(next);
  return append_wait_on_events(count, events);
}

ze_result_t CpuCommandList::append_event_reset(ze_event_handle_t event) {
  auto& target = *from_handle<CpuEvent>(event);
  if (target.counter_based())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("a counter-based event is never reset"));
  return record<ResetCommand>({}, target.cell());
}

ze_result_t CpuCommandList::append_write_global_timestamp(uint64_t* to, ze_event_handle_t signal, uint32_t count,
                                                          ze_event_handle_t* waits) {
  return record<WriteTimestampCommand>({signal, count, waits}, to);
}

ze_result_t CpuCommandList::append_query_kernel_timestamps(uint32_t events, ze_event_handle_t* handles, void* to,
                                                           const size_t* offsets, ze_event_handle_t signal,
                                                           uint32_t count, ze_event_handle_t* waits) {
  for (uint32_t i = 0; i < events; ++i)
    if (!handles[i]) throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "event {} is null", i);
  const std::size_t cells_bytes = events * sizeof(EventCell*);
  const Room room = reserve(sizeof(QueryTimestampsCommand), cells_bytes + events * sizeof(size_t), count);
  auto** cells = reinterpret_cast<EventCell**>(room.extra);
  for (uint32_t i = 0; i < events; ++i) cells[i] = &from_handle<CpuEvent>(handles[i])->cell();
  size_t* kept = nullptr;
  if (offsets) {
    kept = reinterpret_cast<size_t*>(room.extra + cells_bytes);
    std::copy_n(offsets, events, kept);
  }
  finish(*new (room.command) QueryTimestampsCommand(cells, events, static_cast<std::byte*>(to), kept), room,
         {signal, count, waits});
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuCommandList::append_host_function(ze_host_function_callback_t function, void* data, const void* next,
                                                 ze_event_handle_t signal, uint32_t count, ze_event_handle_t* waits) {
  check_chain_is_empty(next);
  if (!function) throw Error(ZE_RESULT_ERROR_INVALID_NULL_POINTER, std::string("the host function is null"));
  return record<HostFunctionCommand>({signal, count, waits}, function, data);
}

} // namespace zeroth::cpu
