// Lists, queues, events and fences, through the API's tables, with kernels written in C++.
#include "testing.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

// counters[group] += value
void add_value(const zeroth_launch* launch, zeroth_worker*, uint64_t first, uint64_t end) {
  auto* counters = argument<std::atomic<uint64_t>*>(launch, 0);
  for (; first < end; ++first) counters[first].fetch_add(argument<uint64_t>(launch, 1), std::memory_order_relaxed);
}

// Waits until *word >= value.
void poll(const zeroth_launch* launch, zeroth_worker*, uint64_t, uint64_t) {
  auto* word = argument<std::atomic<uint64_t>*>(launch, 0);
  while (word->load(std::memory_order_acquire) < argument<uint64_t>(launch, 1)) std::this_thread::yield();
}

// *word += 1, then waits until *word >= value.
void meet(const zeroth_launch* launch, zeroth_worker* worker, uint64_t first, uint64_t end) {
  argument<std::atomic<uint64_t>*>(launch, 0)->fetch_add(end - first, std::memory_order_acq_rel);
  poll(launch, worker, first, end);
}

// *word = *word * 3 + value: shows the order of its runs.
void mix(const zeroth_launch* launch, zeroth_worker*, uint64_t, uint64_t) {
  auto* word = argument<uint64_t*>(launch, 0);
  *word = *word * 3 + argument<uint64_t>(launch, 1);
}

CpuModule& kernels() {
  static CpuModule& module = [&]() -> CpuModule& {
    auto made = std::make_shared<HandMadeModule>();
    made->add("add", &add_value, 1);
    made->add("poll", &poll, 1);
    made->add("meet", &meet, 1);
    made->add("mix", &mix, 1);
    return *new CpuModule(*from_handle<CpuContext>(context()), device(), made);
  }();
  return module;
}

struct Lists : ::testing::Test {
  ze_event_pool_handle_t pool = event_pool(64);
  uint32_t next_event = 0;
  std::vector<ze_kernel_handle_t> made_kernels;
  std::vector<ze_command_list_handle_t> made_lists;
  std::vector<ze_event_handle_t> made_events;

  ~Lists() override {
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

TEST_F(Lists, EveryGroupRunsOnceInEveryMode) {
  for (auto list : {in_order(), out_of_order(),
                    keep(immediate_list(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)),
                    keep(immediate_list(0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS))})
    for (uint32_t groups : {0u, 1u, 2u, 1000u, 100000u}) {
      std::vector<std::atomic<uint64_t>> counters(groups + 1);
      auto add = kernel("add", counters.data(), 1);
      for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(launch(list, add, groups), ZE_RESULT_SUCCESS);
        ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
      }
      for (uint32_t i = 0; i < groups; ++i) ASSERT_EQ(counters[i], 3u);
      EXPECT_EQ(counters[groups], 0u);
    }
}

TEST_F(Lists, InOrderKeepsOrderOverThousandsOfCommands) {
  uint64_t word = 0, expected = 0;
  auto list = in_order();
  for (uint64_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(launch(list, kernel("mix", &word, i)), ZE_RESULT_SUCCESS);
    expected = expected * 3 + i;
  }
  ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(word, expected);
}

TEST_F(Lists, ArgumentsAreThoseOfTheAppend) {
  std::atomic<uint64_t> counter{0};
  auto list = in_order();
  auto gate = new_event();
  auto add = kernel("add", &counter, 1);
  launch(list, add, 1, nullptr, {gate});
  const uint64_t hundred = 100;
  ze().Kernel.pfnSetArgumentValue(add, 1, 8, &hundred);
  launch(list, add);
  ze().Event.pfnHostSignal(gate);
  ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(counter, 101u);
}

TEST_F(Lists, AppendNeverRunsKernels) {
  std::atomic<uint64_t> word{0};
  for (auto list : {in_order(), out_of_order()}) {
    word = 0;
    ASSERT_EQ(launch(list, kernel("poll", &word, 1)), ZE_RESULT_SUCCESS);
    EXPECT_EQ(wait(list, 0), ZE_RESULT_NOT_READY);
    EXPECT_EQ(wait(list, 200000), ZE_RESULT_NOT_READY) << "a wait with a time-out must be able to leave";
    word = 1;
    EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  }
}

TEST_F(Lists, ProgressWithoutAnyWait) {
  std::atomic<uint64_t> counter{0};
  auto list = in_order();
  for (int i = 0; i < 100; ++i) launch(list, kernel("add", &counter, 1));
  while (counter < 100) std::this_thread::yield();
  wait(list);
}

TEST_F(Lists, OutOfOrderCommandsOverlap) {
  std::atomic<uint64_t> word{0};
  auto list = out_of_order();
  for (int i = 0; i < 2; ++i) launch(list, kernel("meet", &word, 2));
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
}

TEST_F(Lists, BarrierSeparatesOutOfOrderCommands) {
  auto list = out_of_order();
  for (int round = 0; round < 200; ++round) {
    uint64_t word = 0;
    launch(list, kernel("mix", &word, 1));
    ze().CommandList.pfnAppendBarrier(list, nullptr, 0, nullptr);
    launch(list, kernel("mix", &word, 2));
    ze().CommandList.pfnAppendBarrier(list, nullptr, 0, nullptr);
    launch(list, kernel("mix", &word, 3));
    ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
    ASSERT_EQ(word, (1 * 3 + 2) * 3 + 3u);
  }
}

TEST_F(Lists, EventsOrderCommandsOfDifferentLists) {
  auto first = in_order(), second = out_of_order();
  auto gate = new_event(), middle = new_event(), done = new_event();
  uint64_t word = 0;
  launch(second, kernel("mix", &word, 2), 1, done, {middle});
  launch(first, kernel("mix", &word, 1), 1, middle, {gate});
  EXPECT_EQ(ze().Event.pfnQueryStatus(done), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().Event.pfnHostSynchronize(done, 100000), ZE_RESULT_NOT_READY);
  ze().Event.pfnHostSignal(gate);
  EXPECT_EQ(ze().Event.pfnHostSynchronize(done, Forever), ZE_RESULT_SUCCESS);
  EXPECT_EQ(word, 5u);
  ze().Event.pfnHostReset(done);
  EXPECT_EQ(ze().Event.pfnQueryStatus(done), ZE_RESULT_NOT_READY);
}

TEST_F(Lists, TenThousandWaitingListsHoldNoThread) {
  auto gate = new_event();
  std::atomic<uint64_t> counter{0};
  auto add = kernel("add", &counter, 1);
  std::vector<ze_command_list_handle_t> lists;
  for (int i = 0; i < 10000; ++i) {
    lists.push_back(keep(immediate_list(i % 2 ? ZE_COMMAND_QUEUE_FLAG_IN_ORDER : 0)));
    ASSERT_EQ(launch(lists.back(), add, 1, nullptr, {gate}), ZE_RESULT_SUCCESS);
  }
  auto free = in_order();
  launch(free, add);
  EXPECT_EQ(wait(free), ZE_RESULT_SUCCESS);
  EXPECT_EQ(counter, 1u);
  ze().Event.pfnHostSignal(gate);
  for (auto list : lists) ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(counter, 10001u);
}

TEST_F(Lists, CounterBasedEventFollowsItsLastSignalWithoutReset) {
  auto producer = in_order(), consumer = in_order();
  auto counter = new_counter_event();
  EXPECT_EQ(ze().Event.pfnQueryStatus(counter), ZE_RESULT_SUCCESS);
  for (int i = 1; i <= 1000; ++i) {
    uint64_t word = 0;
    launch(producer, kernel("mix", &word, 1), 1, counter);
    launch(consumer, kernel("mix", &word, 2), 1, nullptr, {counter});
    if (i % 2) {
      ASSERT_EQ(ze().Event.pfnHostSynchronize(counter, Forever), ZE_RESULT_SUCCESS);
    }
    ASSERT_EQ(wait(consumer), ZE_RESULT_SUCCESS);
    ASSERT_EQ(word, 5u);
  }
  EXPECT_EQ(ze().Event.pfnHostReset(counter), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Lists, QueueExecutesRegularListsAgainAndAgain) {
  auto work = queue();
  for (ze_command_list_flags_t flags : {0, +ZE_COMMAND_LIST_FLAG_IN_ORDER}) {
    uint64_t word = 0, expected = 0;
    auto list = keep(regular_list(flags));
    auto done = new_event();
    for (uint64_t i = 0; i < 20; ++i) {
      launch(list, kernel("mix", &word, i));
      if (!flags) ze().CommandList.pfnAppendBarrier(list, nullptr, 0, nullptr);
    }
    ze().CommandList.pfnAppendSignalEvent(list, done);
    EXPECT_EQ(ze().CommandQueue.pfnExecuteCommandLists(work, 1, &list, nullptr), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ASSERT_EQ(ze().CommandList.pfnClose(list), ZE_RESULT_SUCCESS);
    EXPECT_EQ(launch(list, kernel("mix", &word, 1)), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "closed";
    const ze_fence_desc_t fence_desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
    ze_fence_handle_t fence = nullptr;
    ze().Fence.pfnCreate(work, &fence_desc, &fence);
    for (int round = 0; round < 50; ++round) {
      ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(work, 1, &list, fence), ZE_RESULT_SUCCESS);
      ASSERT_EQ(round % 2 ? ze().Fence.pfnHostSynchronize(fence, Forever)
                          : ze().CommandQueue.pfnSynchronize(work, Forever),
                ZE_RESULT_SUCCESS);
      for (uint64_t i = 0; i < 20; ++i) expected = expected * 3 + i;
      ASSERT_EQ(word, expected);
      ASSERT_EQ(ze().Fence.pfnQueryStatus(fence), ZE_RESULT_SUCCESS);
      ze().Fence.pfnReset(fence);
      ASSERT_EQ(ze().Event.pfnHostSynchronize(done, Forever), ZE_RESULT_SUCCESS);
      ze().Event.pfnHostReset(done);
    }
    ze().Fence.pfnDestroy(fence);
  }
  ze().CommandQueue.pfnDestroy(work);
}

TEST_F(Lists, RegularListOutOfOrderOverlaps) {
  std::atomic<uint64_t> word{0};
  auto work = queue();
  auto list = keep(regular_list(0));
  launch(list, kernel("meet", &word, 2));
  launch(list, kernel("meet", &word, 2));
  ze().CommandList.pfnClose(list);
  ze().CommandQueue.pfnExecuteCommandLists(work, 1, &list, nullptr);
  EXPECT_EQ(ze().CommandQueue.pfnSynchronize(work, Forever), ZE_RESULT_SUCCESS);
  ze().CommandQueue.pfnDestroy(work);
}

TEST_F(Lists, ImmediateListExecutesRegularOnes) {
  for (auto outer : {in_order(), out_of_order()})
    for (ze_command_list_flags_t flags : {0, +ZE_COMMAND_LIST_FLAG_IN_ORDER}) {
      uint64_t word = 0;
      auto gate = new_event(), done = new_event();
      auto list = keep(regular_list(flags));
      launch(list, kernel("mix", &word, 1));
      ze().CommandList.pfnAppendBarrier(list, nullptr, 0, nullptr);
      launch(list, kernel("mix", &word, 2));
      ze().CommandList.pfnClose(list);
      ze_command_list_handle_t twice[2] = {list, list};
      const uint32_t count = outer == made_lists[0] ? 2 : 1;
      ASSERT_EQ(ze().CommandListExp.pfnImmediateAppendCommandListsExp(outer, count, twice, done, 1, &gate),
                ZE_RESULT_SUCCESS);
      EXPECT_EQ(ze().Event.pfnHostSynchronize(done, 100000), ZE_RESULT_NOT_READY);
      ze().Event.pfnHostSignal(gate);
      ASSERT_EQ(ze().Event.pfnHostSynchronize(done, Forever), ZE_RESULT_SUCCESS);
      EXPECT_EQ(word, count == 2 ? 50u : 5u);
      ASSERT_EQ(wait(outer), ZE_RESULT_SUCCESS);
    }
}

TEST_F(Lists, TimestampsLieBetweenHostTimesAndNeverCoincide) {
  auto timed = event_pool(1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  auto one = event(timed, 0);
  std::atomic<uint64_t> counter{0};
  auto list = in_order();
  uint64_t previous = 0;
  for (int i = 0; i < 100; ++i) {
    uint64_t host_before, host_after, device_time;
    ze().Device.pfnGetGlobalTimestamps(device(), &host_before, &device_time);
    launch(list, kernel("add", &counter, 1), 1, one);
    ASSERT_EQ(ze().Event.pfnHostSynchronize(one, Forever), ZE_RESULT_SUCCESS);
    ze().Device.pfnGetGlobalTimestamps(device(), &host_after, &device_time);
    ze_kernel_timestamp_result_t times;
    ASSERT_EQ(ze().Event.pfnQueryKernelTimestamp(one, &times), ZE_RESULT_SUCCESS);
    EXPECT_LT(times.global.kernelStart, times.global.kernelEnd);
    EXPECT_GE(times.global.kernelStart, host_before);
    EXPECT_LE(times.global.kernelEnd, host_after);
    EXPECT_GT(times.global.kernelStart, previous);
    previous = times.global.kernelStart;
    ze().Event.pfnHostReset(one);
    EXPECT_EQ(ze().Event.pfnQueryKernelTimestamp(one, &times), ZE_RESULT_NOT_READY);
  }
  wait(list);
  ze().Event.pfnDestroy(one);
  ze().EventPool.pfnDestroy(timed);
}

TEST_F(Lists, CopiesAndFillsOfAllSizes) {
  auto list = in_order();
  for (std::size_t size : {1u, 7u, 4096u, 300000u, 5000000u}) {
    std::vector<unsigned char> from(size), to(size + 1, 0xee);
    for (std::size_t i = 0; i < size; ++i) from[i] = static_cast<unsigned char>(i * 7 + i / 256);
    ze().CommandList.pfnAppendMemoryCopy(list, to.data(), from.data(), size, nullptr, 0, nullptr);
    ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
    EXPECT_EQ(std::memcmp(from.data(), to.data(), size), 0);
    EXPECT_EQ(to[size], 0xee);
    for (std::size_t pattern_size : {1u, 2u, 3u, 16u, 100u}) {
      if (pattern_size > size) continue;
      const std::size_t filled = size / pattern_size * pattern_size;
      std::vector<unsigned char> pattern(pattern_size);
      for (std::size_t i = 0; i < pattern_size; ++i) pattern[i] = static_cast<unsigned char>(i + 1);
      ze().CommandList.pfnAppendMemoryFill(list, to.data(), pattern.data(), pattern_size, filled, nullptr, 0, nullptr);
      std::fill(pattern.begin(), pattern.end(), 0xaa); // the pattern was copied
      ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
      for (std::size_t i = 0; i < filled; ++i) ASSERT_EQ(to[i], i % pattern_size + 1) << i << " of " << size;
      EXPECT_EQ(to[size], 0xee);
    }
  }
}

TEST_F(Lists, RegionCopyMovesTheBoxAndNothingElse) {
  constexpr uint32_t Pitch = 40, Slice = 40 * 30;
  std::vector<unsigned char> from(Slice * 10), to(Slice * 10, 0);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 31 + 1);
  const ze_copy_region_t source{3, 2, 1, 11, 7, 5}, target{9, 4, 2, 11, 7, 5};
  auto list = in_order();
  ASSERT_EQ(ze().CommandList.pfnAppendMemoryCopyRegion(list, to.data(), &target, Pitch, Slice, from.data(), &source,
                                                       Pitch, Slice, nullptr, 0, nullptr),
            ZE_RESULT_SUCCESS);
  ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
  for (uint32_t z = 0; z < 10; ++z)
    for (uint32_t y = 0; y < 30; ++y)
      for (uint32_t x = 0; x < Pitch; ++x) {
        const bool inside = x >= 9 && x < 20 && y >= 4 && y < 11 && z >= 2 && z < 7;
        const auto expected = inside ? from[(z - 1) * Slice + (y - 2) * Pitch + x - 6] : 0;
        ASSERT_EQ(to[z * Slice + y * Pitch + x], expected);
      }
}

TEST_F(Lists, IndirectLaunchReadsItsCountsWhenItRuns) {
  std::vector<std::atomic<uint64_t>> counters(100);
  ze_group_count_t groups[2] = {{0, 0, 0}, {0, 0, 0}};
  uint32_t enabled = 0;
  auto list = in_order();
  auto gate = new_event();
  auto add = kernel("add", counters.data(), 1);
  ze_kernel_handle_t both[2] = {add, add};
  ze().CommandList.pfnAppendLaunchKernelIndirect(list, add, groups, nullptr, 1, &gate);
  ze().CommandList.pfnAppendLaunchMultipleKernelsIndirect(list, 2, both, &enabled, groups, nullptr, 0, nullptr);
  groups[0] = {50, 1, 1};
  groups[1] = {2, 5, 10};
  enabled = 1;
  ze().Event.pfnHostSignal(gate);
  ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(counters[49], 2u);
  EXPECT_EQ(counters[50], 0u);
}

TEST_F(Lists, CooperativeGroupsRunAtOnceEvenWhenSeveralLaunchesCompete) {
  uint32_t most = 0;
  std::atomic<uint64_t> words[4] = {};
  ze().Kernel.pfnSuggestMaxCooperativeGroupCount(kernel("meet", &words[0], 1), &most);
  ASSERT_GE(most, 1u);
  const ze_group_count_t count{most, 1, 1}, too_many{most + 1, 1, 1};
  std::vector<ze_command_list_handle_t> lists;
  for (auto& word : words) {
    lists.push_back(in_order());
    ASSERT_EQ(ze().CommandList.pfnAppendLaunchCooperativeKernel(lists.back(), kernel("meet", &word, most), &count,
                                                                nullptr, 0, nullptr),
              ZE_RESULT_SUCCESS);
  }
  for (auto list : lists) EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  for (auto& word : words) EXPECT_EQ(word, most);
  EXPECT_EQ(ze().CommandList.pfnAppendLaunchCooperativeKernel(lists[0], kernel("meet", &words[0], 1), &too_many,
                                                              nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

struct Meeting {
  std::atomic<bool> open{false};
  std::atomic<int> calls{0};
};

TEST_F(Lists, HostFunctionsBlockNoWorker) {
  Meeting meeting;
  auto wait_for_host = [](void* data) {
    auto& m = *static_cast<Meeting*>(data);
    while (!m.open) std::this_thread::yield();
    ++m.calls;
  };
  std::vector<ze_command_list_handle_t> lists;
  for (int i = 0; i < 8; ++i) { // more than there are workers
    lists.push_back(i % 2 ? in_order() : out_of_order());
    ASSERT_EQ(
        ze().CommandList.pfnAppendHostFunction(lists.back(), wait_for_host, &meeting, nullptr, nullptr, 0, nullptr),
        ZE_RESULT_SUCCESS);
  }
  std::atomic<uint64_t> counter{0};
  auto free = in_order();
  launch(free, kernel("add", &counter, 1));
  EXPECT_EQ(wait(free), ZE_RESULT_SUCCESS);
  EXPECT_EQ(meeting.calls, 0);
  meeting.open = true;
  for (auto list : lists) EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(meeting.calls, 8);
}

TEST_F(Lists, ManyThreadsEachWithItsOwnList) {
  std::vector<std::thread> threads;
  std::vector<std::atomic<uint64_t>> counters(64);
  auto add = kernel("add", counters.data(), 1);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto list = immediate_list(t % 2 ? ZE_COMMAND_QUEUE_FLAG_IN_ORDER : 0);
      for (int i = 0; i < 2000; ++i) {
        EXPECT_EQ(launch(list, add, 1 + (i + t) % 64), ZE_RESULT_SUCCESS);
        if (i % 16 == 0) {
          EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
        }
      }
      EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
      ze().CommandList.pfnDestroy(list);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(counters[0], 8000u);
  uint64_t last = 0;
  for (int t = 0; t < 4; ++t)
    for (int i = 0; i < 2000; ++i) last += (i + t) % 64 == 63;
  EXPECT_EQ(counters[63], last);
}

} // namespace
} // namespace zeroth::cpu
