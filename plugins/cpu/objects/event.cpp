#include "event.hpp"

#include "../commands/host_wait.hpp"
#include "chain.hpp"
#include "context.hpp"

#include <sdk/error.hpp>

#include <algorithm>

namespace zeroth::cpu {

CpuEvent::CpuEvent(CpuEventPool* pool, Executor& executor, Kind kind, ze_event_scope_flags_t signal,
                   ze_event_scope_flags_t wait, EventCell* cell, CounterStoragePtr storage)
    : cell_(cell ? *cell : own_cell_), storage_(std::move(storage)), pool_(pool), executor_(executor), kind_(kind),
      signal_scope_(signal), wait_scope_(wait) {
  cell_.timed.store(kind.timed, std::memory_order_relaxed);
  if (cell) cell_.shared.store(true, std::memory_order_relaxed);
  own_cell_.word.begin_life();
  birth_.store(own_cell_.word.life(), std::memory_order_relaxed);
}

CpuEvent::~CpuEvent() {
  birth_.store(0, std::memory_order_relaxed);
  own_cell_.word.end_life();
}

void* CpuEvent::operator new(std::size_t size) { return event_memory::take(size); }
void CpuEvent::operator delete(void* event) noexcept { event_memory::give_back(event, sizeof(CpuEvent)); }

bool CpuEvent::wait_point(WaitPoint& point) const {
  if (!kind_.counter_based) {
    point = cell_.wait_point();
    return true;
  }
  if (storage_) [[unlikely]] {
    const CounterStorage::State state = storage_->wait_point(point);
    if (state != CounterStorage::State::List) return state == CounterStorage::State::Here;
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

void CpuEvent::will_be_signalled_by(Timeline& timeline, std::uint64_t number) {
  value_.store(Changing, std::memory_order_relaxed);
  timeline_.store(&timeline, std::memory_order_release);
  value_.store(number, std::memory_order_release);
  if (storage_) [[unlikely]]
    storage_->stand_for_command();
}

void CpuEvent::take_times_of(Command& command) {
  if (!kind_.timed) return;
  cell_.word.begin_life();
  command.signal_life.store(cell_.word.life(), std::memory_order_relaxed);
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
  cell_.signal();
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::query_status() {
  if (signalled()) return ZE_RESULT_SUCCESS;
  if (Flow* producer = producer_.load(std::memory_order_relaxed)) producer->executor().hurry();
  return ZE_RESULT_NOT_READY;
}

ze_result_t CpuEvent::host_synchronize(uint64_t timeout) {
  WaitPoint point;
  if (!wait_point(point) || point.passed()) return ZE_RESULT_SUCCESS;
  if (timeout == 0) return query_status();
  Flow* producer = producer_.load(std::memory_order_relaxed);
  const Goal goal{&point, &cell_, produced_at_.load(std::memory_order_relaxed)};
  const bool done = host_wait(
      producer, &goal, producer ? producer->executor() : executor_, deadline_after(timeout),
      [&] { return point.passed(); }, [&](std::uint64_t until) { return point.sleep_until(until); });
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
  *value = point.value();
  *address = reinterpret_cast<uint64_t>(point.address());
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::counter_based_get_ipc_handle(ze_ipc_event_counter_based_handle_t* handle) {
  if (!kind_.counter_based) return ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT;
  auto* shared = dynamic_cast<SharedCounter*>(storage_.get());
  if (!shared)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the event was created for this process alone"));
  shared->export_state().to(*handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEvent::counter_based_close_ipc_handle() {
  if (!kind_.counter_based) return ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT;
  auto* shared = dynamic_cast<SharedCounter*>(storage_.get());
  if (!shared || !shared->opened())
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the event was not opened from a handle"));
  delete this;
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
