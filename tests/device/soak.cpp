#include "soak.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace device_tests {

namespace {

constexpr std::size_t Events = 64;

void must(ze_result_t result, const char* call, ze_result_t expected = ZE_RESULT_SUCCESS) {
  if (result != expected) throw std::runtime_error(std::string(call) + " gave " + std::to_string(result));
}
#define MUST(call) must((call), #call)

ze_command_queue_desc_t queue_desc(ze_command_queue_flags_t flags, bool synchronous) {
  return {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
          nullptr,
          0,
          0,
          flags,
          synchronous ? ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS : ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
          ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
}

} // namespace

Actor::Actor(std::uint64_t seed, std::vector<std::uint8_t> kernel) : random_(seed) {
  const auto desc = queue_desc(0, false);
  MUST(zeCommandQueueCreate(device_.context, device_.device, &desc, &queue_));
  const ze_event_pool_desc_t pool{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, Events};
  MUST(zeEventPoolCreate(device_.context, &pool, 0, nullptr, &pool_));
  for (std::uint32_t i = 0; i < Events; ++i) {
    const ze_event_desc_t event{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, i, 0, 0};
    MUST(zeEventCreate(pool_, &event, &events_.emplace_back()));
  }
  for (int i = 0; i < 4; ++i) {
    const ze_event_counter_based_desc_t event{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, nullptr, 0, 0, 0};
    MUST(zeEventCounterBasedCreate(device_.context, device_.device, &event, &counters_.emplace_back()));
  }
  const ze_module_desc_t module{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, kernel.size(), kernel.data(), "", nullptr};
  MUST(zeModuleCreate(device_.context, device_.device, &module, &module_, nullptr));
  const ze_kernel_desc_t store{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "store"};
  MUST(zeKernelCreate(module_, &store, &store_));
  for (int i = 0; i < 4; ++i) exchange_list();
  for (int i = 0; i < 4; ++i) add_buffer();
}

Actor::~Actor() {
  for (const Buffer& buffer : buffers_) zeMemFree(device_.context, buffer.memory);
  for (const List& list : lists_) zeCommandListDestroy(list.handle);
  for (auto event : events_) zeEventDestroy(event);
  for (auto event : counters_) zeEventDestroy(event);
  zeEventPoolDestroy(pool_);
  zeCommandQueueDestroy(queue_);
  zeKernelDestroy(store_);
  zeModuleDestroy(module_);
}

void Actor::add_buffer() {
  const ze_device_mem_alloc_desc_t on_device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  const ze_host_mem_alloc_desc_t on_host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  const std::size_t size = below(4) ? 1 + below(5000) : 1 + below(900'000);
  void* memory = nullptr;
  switch (below(3)) {
  case 0:
    MUST(zeMemAllocHost(device_.context, &on_host, size, 0, &memory));
    break;
  case 1:
    MUST(zeMemAllocDevice(device_.context, &on_device, size, 64, device_.device, &memory));
    break;
  default:
    MUST(zeMemAllocShared(device_.context, &on_device, &on_host, size, 0, device_.device, &memory));
  }
  std::memset(memory, 0x11, size);
  buffers_.push_back({static_cast<std::uint8_t*>(memory), std::vector<std::uint8_t>(size, 0x11)});
}

void Actor::drop_buffer() {
  settle();
  const std::size_t which = below(static_cast<std::uint32_t>(buffers_.size()));
  compare(buffers_[which]);
  MUST(zeMemFree(device_.context, buffers_[which].memory));
  buffers_.erase(buffers_.begin() + static_cast<std::ptrdiff_t>(which));
}

void Actor::exchange_list() {
  settle();
  if (lists_.size() >= 4) {
    MUST(zeCommandListDestroy(lists_.front().handle));
    lists_.erase(lists_.begin());
  }
  List list{nullptr, below(2) == 0};
  const auto desc = queue_desc(list.in_order ? ZE_COMMAND_QUEUE_FLAG_IN_ORDER : 0, below(5) == 0);
  MUST(zeCommandListCreateImmediate(device_.context, device_.device, &desc, &list.handle));
  lists_.push_back(list);
}

Actor::List& Actor::choose_list() { return lists_[below(static_cast<std::uint32_t>(lists_.size()))]; }

// In the same list in order nothing is needed; else what was signalled last, or a wait of the host.
Actor::Sync Actor::begin(const List& list) {
  Sync sync;
  if (list.handle != last_list_ || !list.in_order) {
    if (last_signal_) {
      sync.waits.push_back(last_signal_);
    } else {
      settle();
    }
  }
  const bool signals = below(4) != 0;
  if (signals && list.in_order && below(2)) {
    sync.signal = counters_[below(4)];
    // Signalled anew it no longer stands for what we wait for.
    if (sync.signal == last_signal_ && !sync.waits.empty()) sync.signal = nullptr;
  } else if (signals) {
    if (next_event_ == Events) settle();
    sync.signal = events_[next_event_++];
  }
  return sync;
}

void Actor::end(const List& list, const Sync& sync) {
  last_list_ = list.handle;
  last_signal_ = sync.signal;
}

// Everything that was appended has ended; events can be used again.
void Actor::settle() {
  if (last_signal_ && below(2)) {
    if (below(2)) zeEventHostSynchronize(last_signal_, below(100'000)); // may or may not be enough
    MUST(zeEventHostSynchronize(last_signal_, UINT64_MAX));
    MUST(zeEventQueryStatus(last_signal_));
  }
  for (const List& list : lists_) MUST(zeCommandListHostSynchronize(list.handle, UINT64_MAX));
  MUST(zeCommandQueueSynchronize(queue_, UINT64_MAX));
  for (std::size_t i = 0; i < next_event_; ++i) MUST(zeEventHostReset(events_[i]));
  next_event_ = 0;
  last_list_ = nullptr;
  last_signal_ = nullptr;
}

Actor::Change Actor::fill(ze_command_list_handle_t list, const Sync& sync) {
  Buffer& to = any_buffer();
  const std::uint32_t pattern = random_.next();
  const std::size_t width = std::size_t{1} << below(3),
                    count = below(static_cast<std::uint32_t>(to.mirror.size() / width + 1));
  if (count == 0) return copy(list, sync);
  const std::size_t at = below(static_cast<std::uint32_t>(to.mirror.size() - count * width + 1));
  MUST(zeCommandListAppendMemoryFill(list, to.memory + at, &pattern, width, count * width, sync.signal,
                                     static_cast<std::uint32_t>(sync.waits.size()),
                                     const_cast<ze_event_handle_t*>(sync.waits.data())));
  return [&to, pattern, width, count, at] {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to.mirror.data() + at + i * width, &pattern, width);
  };
}

Actor::Change Actor::copy(ze_command_list_handle_t list, const Sync& sync) {
  Buffer &from = any_buffer(), &to = any_buffer();
  const std::size_t size = 1 + below(static_cast<std::uint32_t>(std::min(from.mirror.size(), to.mirror.size())));
  const std::size_t source = below(static_cast<std::uint32_t>(from.mirror.size() - size + 1));
  const std::size_t target = below(static_cast<std::uint32_t>(to.mirror.size() - size + 1));
  const bool overlaps = &from == &to && source < target + size && target < source + size;
  if (overlaps && source != target && size > 200'000) return copy(list, sync); // undefined, in large copies
  MUST(zeCommandListAppendMemoryCopy(list, to.memory + target, from.memory + source, size, sync.signal,
                                     static_cast<std::uint32_t>(sync.waits.size()),
                                     const_cast<ze_event_handle_t*>(sync.waits.data())));
  return [&from, &to, size, source, target] {
    std::memmove(to.mirror.data() + target, from.mirror.data() + source, size);
  };
}

Actor::Change Actor::copy_region(ze_command_list_handle_t list, const Sync& sync) {
  Buffer &from = any_buffer(), &to = any_buffer();
  constexpr std::uint32_t Pitch = 32;
  const auto rows = static_cast<std::uint32_t>(std::min(from.mirror.size(), to.mirror.size()) / Pitch);
  if (rows == 0 || &from == &to) return copy(list, sync);
  const ze_copy_region_t source{below(16), 0, 0, 1 + below(16), 1 + below(rows), 1};
  const ze_copy_region_t target{below(16), 0, 0, source.width, source.height, 1};
  MUST(zeCommandListAppendMemoryCopyRegion(list, to.memory, &target, Pitch, 0, from.memory, &source, Pitch, 0,
                                           sync.signal, static_cast<std::uint32_t>(sync.waits.size()),
                                           const_cast<ze_event_handle_t*>(sync.waits.data())));
  return [&from, &to, source, target] {
    for (std::uint32_t row = 0; row < source.height; ++row)
      std::memcpy(to.mirror.data() + row * Pitch + target.originX, from.mirror.data() + row * Pitch + source.originX,
                  source.width);
  };
}

// out[item] = 1
Actor::Change Actor::launch(ze_command_list_handle_t list, const Sync& sync) {
  Buffer& to = any_buffer();
  const std::uint32_t local = 1 + below(64), groups = static_cast<std::uint32_t>(to.mirror.size() / 4 / local);
  MUST(zeKernelSetGroupSize(store_, local, 1, 1));
  MUST(zeKernelSetArgumentValue(store_, 0, sizeof to.memory, &to.memory));
  const ze_group_count_t count{groups, 1, 1};
  MUST(zeCommandListAppendLaunchKernel(list, store_, &count, sync.signal, static_cast<std::uint32_t>(sync.waits.size()),
                                       const_cast<ze_event_handle_t*>(sync.waits.data())));
  return [&to, items = std::size_t{local} * groups] {
    const std::uint32_t one = 1;
    for (std::size_t i = 0; i < items; ++i) std::memcpy(to.mirror.data() + 4 * i, &one, 4);
  };
}

Actor::Change Actor::append_random(ze_command_list_handle_t list, const Sync& sync) {
  switch (below(5)) {
  case 0:
    return fill(list, sync);
  case 1:
    return copy(list, sync);
  case 2:
    return copy_region(list, sync);
  case 3:
    MUST(zeCommandListAppendBarrier(list, sync.signal, static_cast<std::uint32_t>(sync.waits.size()),
                                    const_cast<ze_event_handle_t*>(sync.waits.data())));
    return [] {};
  default:
    return launch(list, sync);
  }
}

void Actor::direct() {
  List& list = choose_list();
  const Sync sync = begin(list);
  append_random(list.handle, sync)();
  end(list, sync);
}

// A list is recorded, executed a few times one way or another, and goes.
void Actor::recorded() {
  const bool in_order = below(2) == 0;
  const ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0,
                                    in_order ? +ZE_COMMAND_LIST_FLAG_IN_ORDER : 0u};
  ze_command_list_handle_t list = nullptr;
  MUST(zeCommandListCreate(device_.context, device_.device, &desc, &list));
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i <= below(6); ++i) {
    changes.push_back(append_random(list, {}));
    if (!in_order) MUST(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
  }
  MUST(zeCommandListClose(list));
  for (std::uint32_t times = 0; times <= below(3); ++times) {
    List& immediate = choose_list();
    if (below(2)) {
      settle();
      MUST(zeCommandQueueExecuteCommandLists(queue_, 1, &list, nullptr));
    } else {
      Sync sync = begin(immediate);
      MUST(zeCommandListImmediateAppendCommandListsExp(
          immediate.handle, 1, &list, sync.signal, static_cast<std::uint32_t>(sync.waits.size()), sync.waits.data()));
      end(immediate, sync);
    }
    for (const Change& change : changes) change();
    settle();
  }
  MUST(zeCommandListDestroy(list));
}

void Actor::share() {
  settle();
  const Buffer& buffer = any_buffer();
  ze_ipc_mem_handle_t handle;
  void* opened = nullptr;
  MUST(zeMemGetIpcHandle(device_.context, buffer.memory, &handle));
  MUST(zeMemOpenIpcHandle(device_.context, device_.device, handle, 0, &opened));
  if (std::memcmp(opened, buffer.mirror.data(), buffer.mirror.size()) != 0)
    throw std::runtime_error("shared memory shows something else");
  MUST(zeMemCloseIpcHandle(device_.context, opened));
  MUST(zeMemPutIpcHandle(device_.context, handle));
}

void Actor::ask() {
  const Buffer& buffer = any_buffer();
  void* base = nullptr;
  std::size_t size = 0;
  auto* inside = buffer.memory + below(static_cast<std::uint32_t>(buffer.mirror.size()));
  MUST(zeMemGetAddressRange(device_.context, inside, &base, &size));
  if (base != buffer.memory || size < buffer.mirror.size()) throw std::runtime_error("a wrong address range");
  std::uint64_t host, time;
  MUST(zeDeviceGetGlobalTimestamps(device_.device, &host, &time));
}

void Actor::compare(const Buffer& buffer) const {
  const auto [is, should] = std::mismatch(buffer.mirror.begin(), buffer.mirror.end(), buffer.memory);
  if (is == buffer.mirror.end()) return;
  throw std::runtime_error("byte " + std::to_string(is - buffer.mirror.begin()) + " of " +
                           std::to_string(buffer.mirror.size()) + " is " + std::to_string(*should) + ", not " +
                           std::to_string(*is));
}

void Actor::step() {
  const std::uint32_t what = below(100);
  if (what < 70) {
    direct();
  } else if (what < 80) {
    recorded();
  } else if (what < 84) {
    settle();
    compare(any_buffer());
  } else if (what < 88) {
    if (buffers_.size() < 8) settle(), add_buffer();
  } else if (what < 91) {
    if (buffers_.size() > 2) drop_buffer();
  } else if (what < 94) {
    exchange_list();
  } else if (what < 95) {
    share();
  } else {
    ask();
  }
}

void Actor::finish() {
  settle();
  for (const Buffer& buffer : buffers_) compare(buffer);
}

} // namespace device_tests
