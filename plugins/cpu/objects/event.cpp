#include "event.hpp"

#include "../commands/host_wait.hpp"
#include "chain.hpp"
#include "context.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <new>

namespace zeroth::cpu {

CpuEvent::CpuEvent(CpuEventPool* pool, Executor& executor, Kind kind, ze_event_scope_flags_t signal,
                   ze_event_scope_flags_t wait)
    : pool_(pool), executor_(executor), kind_(kind), signal_scope_(signal), wait_scope_(wait) {
  cell_.timed = kind.timed;
}

bool CpuEvent::wait_point(WaitPoint& point) const {
  if (!kind_.counter_based) {
    point = WaitPoint::at(const_cast<SyncWord&>(cell_.word));
    return true;
  }
  for (;;) {
    const std::uint64_t value = value_.load(std::memory_order_acquire);
    Timeline* timeline = timeline_.load(std::memory_order_acquire);
    if (value == Changing || value != value_.load(std::memory_order_acquire)) continue;
    if (!timeline) return false; // never signalled yet: there is nothing to wait for
    point = WaitPoint::at(*timeline, value);
    return true;
  }
}

void CpuEvent::will_be_signalled_by(InOrderFlow& flow, std::uint64_t number) {
  value_.store(Changing, std::memory_order_relaxed);
  timeline_.store(&flow.timeline(), std::memory_order_release);
  value_.store(number, std::memory_order_release);
}

bool CpuEvent::signalled() const {
  if (!kind_.counter_based) return cell_.word.signalled();
  WaitPoint point;
  return !wait_point(point) || point.passed();
}

void CpuEvent::refuse_counter_based(const char* what) const {
  if (kind_.counter_based)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a counter-based event follows its list and cannot be {}", what);
}

ze_result_t CpuEvent::destroy() {
  if (pool_) {
    pool_->give_back(*this);
  } else {
    delete this;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::host_signal() {
  refuse_counter_based("signalled by the host");
  cell_.word.signal();
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::query_status() { return signalled() ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY; }

ze_result_t CpuEvent::host_synchronize(uint64_t timeout) {
  WaitPoint point;
  if (!wait_point(point) || point.passed()) return ZE_RESULT_SUCCESS;
  if (timeout == 0) return ZE_RESULT_NOT_READY;
  auto sleep = [&](std::uint64_t until) {
    return point.timeline ? point.timeline->sleep_until(point.value, until) : point.word->sleep_until(until);
  };
  Flow* producer = producer_.load(std::memory_order_relaxed);
  const bool done = host_wait(
      producer, executor_, deadline_after(timeout), [&] { return point.passed(); }, sleep);
  flush_printed();
  return done ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t CpuEvent::host_reset() {
  refuse_counter_based("reset");
  cell_.word.reset();
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::query_kernel_timestamp(ze_kernel_timestamp_result_t* result) {
  if (!signalled()) return ZE_RESULT_NOT_READY;
  const std::uint64_t start = cell_.start.load(std::memory_order_relaxed);
  const std::uint64_t end = cell_.end.load(std::memory_order_relaxed);
  result->global = {start, end};
  result->context = {start, end};
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::query_timestamps_exp(ze_device_handle_t, uint32_t* count, ze_kernel_timestamp_result_t* results) {
  if (*count == 0 || !results) {
    *count = 1;
    return ZE_RESULT_SUCCESS;
  }
  *count = 1;
  return query_kernel_timestamp(results);
}

// The device's clock is the host's, so synchronised times are the times.
ze_result_t CpuEvent::query_kernel_timestamps_ext(ze_device_handle_t, uint32_t* count,
                                                  ze_event_query_kernel_timestamps_results_ext_properties_t* results) {
  if (*count == 0 || !results) {
    *count = 1;
    return ZE_RESULT_SUCCESS;
  }
  *count = 1;
  ze_kernel_timestamp_result_t times;
  if (const ze_result_t code = query_kernel_timestamp(&times); code != ZE_RESULT_SUCCESS) return code;
  if (results->pKernelTimestampsBuffer) *results->pKernelTimestampsBuffer = times;
  if (results->pSynchronizedTimestampsBuffer) {
    results->pSynchronizedTimestampsBuffer->global = {times.global.kernelStart, times.global.kernelEnd};
    results->pSynchronizedTimestampsBuffer->context = {times.context.kernelStart, times.context.kernelEnd};
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::get_event_pool(ze_event_pool_handle_t* pool) {
  if (!pool_) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *pool = to_handle(pool_);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::get_signal_scope(ze_event_scope_flags_t* scope) {
  *scope = signal_scope_;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::get_wait_scope(ze_event_scope_flags_t* scope) {
  *scope = wait_scope_;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::get_counter_based_flags(ze_event_counter_based_flags_t* flags) {
  if (!kind_.counter_based) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *flags = kind_.flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::counter_based_get_device_address(uint64_t* value, uint64_t* address) {
  WaitPoint point;
  if (!kind_.counter_based || !wait_point(point)) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *value = point.value;
  *address = reinterpret_cast<uint64_t>(point.timeline->address());
  return ZE_RESULT_SUCCESS;
}

CpuEventPool::CpuEventPool(CpuContext& context, Executor& executor, const ze_event_pool_desc_t& desc)
    : context_(context), executor_(executor), flags_(desc.flags), count_(desc.count) {
  kind_.timed = flags_ & (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP);
  if (auto* counters = find_in_chain<ze_event_pool_counter_based_exp_desc_t>(
          desc.pNext, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC)) {
    kind_.counter_based = true;
    kind_.flags = counters->flags ? counters->flags : +ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE;
  }
  static_assert(alignof(Place) <= alignof(std::max_align_t));
  places_.reset(static_cast<Place*>(std::calloc(count_, sizeof(Place))));
  if (!places_) throw std::bad_alloc();
}

ze_result_t CpuEventPool::event_create(const ze_event_desc_t* desc, ze_event_handle_t* event) {
  if (desc->index >= count_)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "event {} of a pool of {}", desc->index, count_);
  Place& place = places_[desc->index];
  if (place.taken) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "event {} of its pool exists already", desc->index);
  *event = to_handle(new (place.storage) CpuEvent(this, executor_, kind_, desc->signal, desc->wait));
  place.taken = true;
  return ZE_RESULT_SUCCESS;
}

void CpuEventPool::give_back(CpuEvent& event) {
  auto* place = reinterpret_cast<Place*>(reinterpret_cast<std::byte*>(&event) - offsetof(Place, storage));
  event.~CpuEvent();
  place->taken = false;
}

ze_result_t CpuEventPool::destroy() {
  delete this;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEventPool::get_context_handle(ze_context_handle_t* context) {
  *context = to_handle(&context_);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEventPool::get_flags(ze_event_pool_flags_t* flags) {
  *flags = flags_;
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
