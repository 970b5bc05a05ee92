// Order, events, queues and fences, through the API's tables.
#include "list_fixture.hpp"

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

using Lists = ListFixture;

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

} // namespace
} // namespace zeroth::cpu
