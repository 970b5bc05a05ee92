// The smallest device worth the name: memory, copies and events, all on the host, done when they are appended or
// executed. It has no kernels; what it leaves out answers "unsupported" by itself. Option `memory`: how much a program
// may allocate.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <error.hpp>
#include <options.hpp>
#include <plugin.hpp>
#include <zeroth/device/all.hpp>
#include <zeroth/device/entry.hpp>

namespace {

using namespace zeroth;
using device::from_handle;
using Result = ze_result_t;
using Device = ze_device_handle_t;
using EventHandle = ze_event_handle_t;
using List = ze_command_list_handle_t;
using ListDesc = const ze_command_list_desc_t*;
using QueueDesc = const ze_command_queue_desc_t*;
constexpr Result Ok = ZE_RESULT_SUCCESS;

std::uint64_t memory_limit = 64 << 20;
constexpr auto nothing = [] {};

// Creates a T and hands out its handle; destroy() deletes it.
template <class T, class Handle, class... A> Result make(Handle* handle, A... arguments) {
  *handle = to_handle(new T(arguments...));
  return Ok;
}
template <class Base> struct Object : Base {
  Result destroy() override { return delete this, Ok; }
};

// The counting protocol of all enumerations, for one item.
template <class Handle> Result list_one(uint32_t* count, Handle* handles, Handle only) {
  if (handles && *count > 0) handles[0] = only;
  return *count = 1, Ok;
}

struct EchoEvent : Object<device::Event> {
  std::atomic<bool> signalled{false};
  Result host_signal() override { return signalled = true, Ok; }
  Result host_reset() override { return signalled = false, Ok; }
  Result query_status() override { return signalled ? Ok : ZE_RESULT_NOT_READY; }
  Result host_synchronize(uint64_t timeout) override {
    using Clock = std::chrono::steady_clock; // counts nanoseconds
    const auto start = Clock::now();
    while (!signalled && static_cast<uint64_t>((Clock::now() - start).count()) < timeout) std::this_thread::yield();
    return query_status();
  }
};

struct EchoPool : Object<device::EventPool> {
  Result event_create(const ze_event_desc_t*, EventHandle* event) override { return make<EchoEvent>(event); }
};

// A list is the work that was appended; an immediate one does it at once.
struct EchoList : Object<device::CommandList> {
  explicit EchoList(bool immediate) : immediate_(immediate) {}
  void run() {
    for (const auto& work : work_) work();
  }
  Result close() override { return Ok; }
  Result reset() override { return work_.clear(), Ok; }
  Result host_synchronize(uint64_t) override { return Ok; }
  Result append_memory_copy(void* to, const void* from, size_t size, EventHandle signal, uint32_t count,
                            EventHandle* waits) override {
    return append([=] { std::memmove(to, from, size); }, signal, count, waits);
  }
  Result append_memory_fill(void* to, const void* pattern, size_t length, size_t size, EventHandle signal,
                            uint32_t count, EventHandle* waits) override {
    const std::string bytes(static_cast<const char*>(pattern), length);
    const auto fill = [=, at = static_cast<char*>(to)] {
      for (size_t i = 0; i < size; ++i) at[i] = bytes[i % length];
    };
    return append(fill, signal, count, waits);
  }
  Result append_barrier(EventHandle signal, uint32_t n, EventHandle* waits) override {
    return append(nothing, signal, n, waits);
  }
  Result append_signal_event(EventHandle event) override { return append(nothing, event, 0, nullptr); }
  Result append_wait_on_events(uint32_t n, EventHandle* events) override { return append(nothing, nullptr, n, events); }
  Result append_event_reset(EventHandle event) override {
    return append([=] { from_handle<EchoEvent>(event)->host_reset(); }, nullptr, 0, nullptr);
  }

private:
  Result append(std::function<void()> what, EventHandle signal, uint32_t count, EventHandle* waits) {
    const std::vector<EventHandle> events(waits, waits + count);
    auto work = [=] {
      for (EventHandle event : events) from_handle<EchoEvent>(event)->host_synchronize(UINT64_MAX);
      what();
      if (signal) from_handle<EchoEvent>(signal)->host_signal();
    };
    immediate_ ? work() : work_.push_back(work);
    return Ok;
  }
  const bool immediate_;
  std::vector<std::function<void()>> work_;
};

struct EchoQueue : Object<device::CommandQueue> {
  Result execute_command_lists(uint32_t count, List* lists, ze_fence_handle_t) override {
    for (uint32_t i = 0; i < count; ++i) from_handle<EchoList>(lists[i])->run();
    return Ok;
  }
  Result synchronize(uint64_t) override { return Ok; }
};

struct EchoContext : Object<device::Context> {
  Result mem_alloc_host(const ze_host_mem_alloc_desc_t*, size_t size, size_t alignment, void** p) override {
    const std::lock_guard lock(mutex_);
    if (size > memory_limit - used_) // what is thrown becomes result and last-error text
      throw Error(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "{} of {} bytes in use, {} wanted", used_, memory_limit, size);
    const size_t step = std::max<size_t>(alignment, 64);
    *p = std::aligned_alloc(step, (size + step) / step * step);
    used_ += sizes_[*p] = size;
    return Ok;
  }
  Result mem_alloc_device(const ze_device_mem_alloc_desc_t*, size_t size, size_t align, Device, void** p) override {
    return mem_alloc_host(nullptr, size, align, p);
  }
  Result mem_alloc_shared(const ze_device_mem_alloc_desc_t*, const ze_host_mem_alloc_desc_t*, size_t size, size_t align,
                          Device, void** p) override {
    return mem_alloc_host(nullptr, size, align, p);
  }
  Result mem_free(void* p) override {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(p);
    if (found == sizes_.end()) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} was not allocated here", p);
    used_ -= found->second;
    sizes_.erase(found);
    return std::free(p), Ok;
  }
  Result event_pool_create(const ze_event_pool_desc_t*, uint32_t, Device*, ze_event_pool_handle_t* pool) override {
    return make<EchoPool>(pool);
  }
  Result command_queue_create(Device, QueueDesc, ze_command_queue_handle_t* q) override { return make<EchoQueue>(q); }
  Result command_list_create(Device, ListDesc, List* l) override { return make<EchoList>(l, false); }
  Result command_list_create_immediate(Device, QueueDesc, List* l) override { return make<EchoList>(l, true); }

private:
  std::mutex mutex_; // guards the two below
  std::map<void*, size_t> sizes_;
  uint64_t used_ = 0;
};

struct EchoDevice : device::Device {
  Result get_properties(ze_device_properties_t* properties) override {
    properties->type = ZE_DEVICE_TYPE_CPU;
    return std::strcpy(properties->name, "Echo"), Ok;
  }
};

struct EchoDriver : device::Driver {
  EchoDevice only;
  Result device_get(uint32_t* n, Device* devices) override { return list_one(n, devices, to_handle(&only)); }
  Result context_create(const ze_context_desc_t*, ze_context_handle_t* c) override { return make<EchoContext>(c); }
  Result get_last_error_description(const char** text) override { return *text = last_error::text(), Ok; }
};

// The calls that come before any object. Nothing here is ever destroyed: it serves until the process is gone.
struct EchoEntry : device::Entry {
  EchoDriver& only = *new EchoDriver;
  static bool wanted(uint32_t types) { return types == 0 || (types & 3) == 3; }
  Result init(ze_init_flags_t types) override { return wanted(types) ? Ok : ZE_RESULT_ERROR_UNINITIALIZED; }
  Result driver_get(uint32_t* n, ze_driver_handle_t* all) override { return list_one(n, all, to_handle(&only)); }
  Result init_drivers(uint32_t* n, ze_driver_handle_t* all, ze_init_driver_type_desc_t* types) override {
    return wanted(types->flags) ? driver_get(n, all) : (*n = 0, Ok);
  }
};

void start(const zeroth_host* host) { memory_limit = Options(host).bytes("memory", memory_limit); }

constexpr zeroth_option options[] = {{"memory", "size", "64 MiB", "how much a program may allocate"}};
} // namespace

device::Entry& device::entry() {
  static EchoEntry& only = *new EchoEntry;
  return only;
}

ZEROTH_PLUGIN_EXPORT constinit const zeroth_plugin zeroth_plugin_descriptor =
    device_plugin({.name = "echo",
                   .version = "1.0.0",
                   .description = "memory, copies and events",
                   .options = options,
                   .init = starting<start>});
