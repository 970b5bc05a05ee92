#include "chain.hpp"
#include "context.hpp"
#include "event.hpp"

#include <sdk/error.hpp>

#include <new>
#include <sys/mman.h>

namespace zeroth::cpu {

namespace {

CpuEvent::Kind kind_of(const ze_event_pool_desc_t& desc) {
  CpuEvent::Kind kind;
  kind.timed = desc.flags & (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP);
  if (auto* counters = find_in_chain<ze_event_pool_counter_based_exp_desc_t>(
          desc.pNext, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC)) {
    kind.counter_based = true;
    kind.flags = counters->flags ? counters->flags : +ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE;
  }
  if (kind.counter_based && (desc.flags & ZE_EVENT_POOL_FLAG_IPC))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("a pool of counter-based events for several processes"))
        .advise("create such events one by one, with ZE_EVENT_COUNTER_BASED_FLAG_IPC");
  return kind;
}

} // namespace

CpuEventPool::CpuEventPool(CpuContext& context, Executor& executor, const ze_event_pool_desc_t& desc)
    : context_(context), executor_(executor), flags_(desc.flags), count_(desc.count), kind_(kind_of(desc)) {
  make_places();
  if (!(flags_ & ZE_EVENT_POOL_FLAG_IPC)) return;
  exported_ = std::make_unique<ExportedFile>(round_up(count_ * sizeof(SharedPlace), base_page_size()), 1);
  map_shared(exported_->file());
}

CpuEventPool::CpuEventPool(CpuContext& context, Executor& executor, const IpcHandle& handle, const Descriptor& file)
    : context_(context), executor_(executor), flags_(static_cast<ze_event_pool_flags_t>(handle.extra >> 32)),
      count_(static_cast<uint32_t>(handle.extra)) {
  kind_.timed = flags_ & (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP);
  if (count_ == 0 || count_ * sizeof(SharedPlace) > handle.size)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("a damaged IPC handle"));
  make_places();
  map_shared(file.number());
}

CpuEventPool::~CpuEventPool() {
  if (!shared_) return;
  Watch::forget(shared_, count_ * sizeof(SharedPlace));
  munmap(static_cast<void*>(shared_), count_ * sizeof(SharedPlace));
}

void CpuEventPool::make_places() {
  static_assert(alignof(Place) <= alignof(std::max_align_t));
  const std::size_t size = count_ * sizeof(Place);
  places_ = {static_cast<Place*>(event_memory::take_zeroed(size)), GiveBack{size}};
}

void CpuEventPool::map_shared(int file) {
  void* cells = mmap(nullptr, count_ * sizeof(SharedPlace), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (cells == MAP_FAILED) throw std::bad_alloc();
  shared_ = static_cast<SharedPlace*>(cells); // zeros are cells without a signal
}

ze_result_t CpuEventPool::event_create(const ze_event_desc_t* desc, ze_event_handle_t* event) {
  if (desc->index >= count_)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "event {} of a pool of {}", desc->index, count_);
  Place& place = places_[desc->index];
  if (place.taken) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "event {} of its pool exists already", desc->index);
  EventCell* cell = shared_ ? &shared_[desc->index].cell : nullptr;
  // The signal that the last event here left goes. One that came since is for this event: others may have made theirs
  // before. And whoever opened the pool only joins in.
  if (exported_ && place.used && place.signals == cell->signals.load(std::memory_order_relaxed)) cell->begin_anew();
  *event = to_handle(new (place.storage) CpuEvent(this, executor_, kind_, desc->signal, desc->wait, cell));
  place.taken = place.used = true;
  return ZE_RESULT_SUCCESS;
}

void CpuEventPool::give_back(CpuEvent& event) {
  auto* place = reinterpret_cast<Place*>(reinterpret_cast<std::byte*>(&event) - offsetof(Place, storage));
  place->signals = event.cell().signals.load(std::memory_order_relaxed);
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

ze_result_t CpuEventPool::get_ipc_handle(ze_ipc_event_pool_handle_t* handle) {
  if (!exported_)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the pool was created for this process alone"));
  IpcHandle made = exported_->get(IpcKind::EventPool, 0, {1, 0, exported_->bytes(), 0}, false);
  made.extra = std::uint64_t{flags_} << 32 | count_;
  made.to(*handle);
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuEventPool::close_ipc_handle() {
  if (!shared_ || exported_)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("the pool was not opened from a handle"));
  delete this;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::event_pool_open_ipc_handle(ze_ipc_event_pool_handle_t handle, ze_event_pool_handle_t* pool) {
  const IpcHandle own = IpcHandle::from(handle);
  SharedBlock block;
  const Descriptor file = fetch_file(own, IpcKind::EventPool, block);
  *pool = to_handle(new CpuEventPool(*this, driver_.executor(), own, file));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::event_pool_put_ipc_handle(ze_ipc_event_pool_handle_t handle) {
  const IpcHandle own = IpcHandle::from(handle);
  if (own.kind == IpcKind::EventPool && own.is_sealed() && ExportedFile::put(own)) return ZE_RESULT_SUCCESS;
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT,
              std::string("the handle is none of this process, or was put back before"));
}

ze_result_t CpuContext::event_counter_based_open_ipc_handle(ze_ipc_event_counter_based_handle_t handle,
                                                            ze_event_handle_t* event) {
  const IpcHandle own = IpcHandle::from(handle);
  SharedBlock block;
  const Descriptor file = fetch_file(own, IpcKind::CounterEvent, block);
  auto* counter = new SharedCounter(own, file, block.kind);
  CounterStoragePtr storage(counter);
  const CpuEvent::Kind kind{true, false, counter->flags()};
  *event = to_handle(new CpuEvent(nullptr, driver_.executor(), kind, 0, 0, nullptr, std::move(storage)));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuContext::event_counter_based_create(ze_device_handle_t, const ze_event_counter_based_desc_t* desc,
                                                   ze_event_handle_t* event) {
  constexpr auto Times = ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP | ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP;
  constexpr auto Ipc = ZE_EVENT_COUNTER_BASED_FLAG_IPC;
  if ((desc->flags & Times) == Times)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("device and host timestamps exclude each other"));
  if ((desc->flags & ZE_EVENT_COUNTER_BASED_FLAG_IPC_BIDIRECTIONAL) && !(desc->flags & Ipc))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("ZE_EVENT_COUNTER_BASED_FLAG_IPC_BIDIRECTIONAL alone"))
        .advise("combine it with ZE_EVENT_COUNTER_BASED_FLAG_IPC");
  const ze_event_counter_based_flags_t flags = desc->flags ? desc->flags : +ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE;
  CounterStoragePtr storage = program_storage(desc->pNext, driver_.heap());
  if (storage && (flags & Ipc))
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                std::string("storage of the program's in an event for several processes"));
  if (flags & Ipc) storage.reset(new SharedCounter(flags));
  const CpuEvent::Kind kind{true, (desc->flags & Times) != 0, flags};
  *event =
      to_handle(new CpuEvent(nullptr, driver_.executor(), kind, desc->signal, desc->wait, nullptr, std::move(storage)));
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
