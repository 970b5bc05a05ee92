// What the tests of lists share: kernels written in C++, and a fixture that cleans up.
#pragma once
#include "testing.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace zeroth::cpu::testing {

using std::uint64_t;

// counters[group] += value
inline void add_value(const zeroth_launch* launch, zeroth_worker*, uint64_t first, uint64_t end) {
  auto* counters = argument<std::atomic<uint64_t>*>(launch, 0);
  for (; first < end; ++first) counters[first].fetch_add(argument<uint64_t>(launch, 1), std::memory_order_relaxed);
}

// Waits until *word >= value.
inline void poll(const zeroth_launch* launch, zeroth_worker*, uint64_t, uint64_t) {
  auto* word = argument<std::atomic<uint64_t>*>(launch, 0);
  while (word->load(std::memory_order_acquire) < argument<uint64_t>(launch, 1)) std::this_thread::yield();
}

// *word += 1, then waits until *word >= value.
inline void meet(const zeroth_launch* launch, zeroth_worker* worker, uint64_t first, uint64_t end) {
  argument<std::atomic<uint64_t>*>(launch, 0)->fetch_add(end - first, std::memory_order_acq_rel);
  poll(launch, worker, first, end);
}

// *word = *word * 3 + value: shows the order of its runs.
inline void mix(const zeroth_launch* launch, zeroth_worker*, uint64_t, uint64_t) {
  auto* word = argument<uint64_t*>(launch, 0);
  *word = *word * 3 + argument<uint64_t>(launch, 1);
}

// counters[value] = the launch's dimensions
inline void tell_dimensions(const zeroth_launch* launch, zeroth_worker*, uint64_t, uint64_t) {
  argument<std::atomic<uint64_t>*>(launch, 0)[argument<uint64_t>(launch, 1)] = launch->work_dim;
}

inline CpuModule& kernels() {
  static CpuModule& module = [&]() -> CpuModule& {
    auto made = std::make_shared<HandMadeModule>();
    made->add("add", &add_value, 1);
    made->add("poll", &poll, 1);
    made->add("meet", &meet, 1);
    made->add("mix", &mix, 1);
    made->add("dimensions", &tell_dimensions, 1);
    return *new CpuModule(*from_handle<CpuContext>(context()), device(), made);
  }();
  return module;
}

// Sanitizers keep memory of their own about everything.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool Sanitized = true;
#else
inline constexpr bool Sanitized = false;
#endif

inline std::size_t resident_pages() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident;
}

struct ListFixture : ::testing::Test {
  ze_event_pool_handle_t pool = event_pool(64);
  uint32_t next_event = 0;
  std::vector<ze_kernel_handle_t> made_kernels;
  std::vector<ze_command_list_handle_t> made_lists;
  std::vector<ze_event_handle_t> made_events;

  ~ListFixture() override {
    for (auto list : made_lists) ze().CommandList.pfnDestroy(list);
    for (auto one : made_events) ze().Event.pfnDestroy(one);
    for (auto kernel : made_kernels) ze().Kernel.pfnDestroy(kernel);
    ze().EventPool.pfnDestroy(pool);
  }

  ze_event_handle_t new_event() { return made_events.emplace_back(event(pool, next_event++)); }
  ze_event_handle_t new_counter_event() { return made_events.emplace_back(counter_event()); }
  ze_command_list_handle_t keep(ze_command_list_handle_t list) { return made_lists.emplace_back(list); }
  ze_command_list_handle_t in_order() { return keep(immediate_list(ZE_COMMAND_QUEUE_FLAG_IN_ORDER)); }
  ze_command_list_handle_t out_of_order() { return keep(immediate_list(0)); }

  ze_kernel_handle_t kernel(const char* name, void* pointer, uint64_t value) {
    const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    ze_kernel_handle_t made = nullptr;
    EXPECT_EQ(ze().Module.pfnCreate != nullptr, true);
    EXPECT_EQ(ze().Kernel.pfnCreate(to_handle(&kernels()), &desc, &made), ZE_RESULT_SUCCESS);
    EXPECT_EQ(ze().Kernel.pfnSetArgumentValue(made, 0, 8, &pointer), ZE_RESULT_SUCCESS);
    EXPECT_EQ(ze().Kernel.pfnSetArgumentValue(made, 1, 8, &value), ZE_RESULT_SUCCESS);
    return made_kernels.emplace_back(made);
  }

  static ze_result_t launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel, uint32_t groups = 1,
                            ze_event_handle_t signal = nullptr, std::vector<ze_event_handle_t> waits = {}) {
    const ze_group_count_t count{groups, 1, 1};
    return ze().CommandList.pfnAppendLaunchKernel(list, kernel, &count, signal, static_cast<uint32_t>(waits.size()),
                                                  waits.data());
  }
  static ze_result_t wait(ze_command_list_handle_t list, uint64_t timeout = Forever) {
    return ze().CommandList.pfnHostSynchronize(list, timeout);
  }
};

} // namespace zeroth::cpu::testing
