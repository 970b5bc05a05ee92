// Calls that append several commands, which behave as one.
#include "list_fixture.hpp"

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

struct Several : ListFixture {
  ze_event_pool_handle_t timed = event_pool(1, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_event_handle_t whole = event(timed, 0), gate = new_event();
  std::atomic<uint64_t> word{0}, ran{0};
  uint32_t enabled = 2;
  ze_group_count_t groups[2] = {{1, 1, 1}, {1, 1, 1}};

  void TearDown() override {
    for (auto list : made_lists) wait(list);
    ze().Event.pfnDestroy(whole);
    ze().EventPool.pfnDestroy(timed);
  }

  // The first launch lasts until `word` is 1.
  ze_result_t launch_both(ze_command_list_handle_t list, ze_event_handle_t signal) {
    ze_kernel_handle_t both[] = {kernel("meet", &word, 2), kernel("add", &ran, 1)};
    return ze().CommandList.pfnAppendLaunchMultipleKernelsIndirect(list, 2, both, &enabled, groups, signal, 1, &gate);
  }

  // Lets the commands begin, and the first one end: {before the begin, between begin and end}.
  std::pair<uint64_t, uint64_t> let_run() {
    const uint64_t before = now();
    ze().Event.pfnHostSignal(gate);
    while (word == 0) std::this_thread::yield();
    const uint64_t between = now();
    word = 2;
    return {before, between};
  }
  void expect_whole(ze_event_handle_t signalled, std::pair<uint64_t, uint64_t> seen) {
    ASSERT_EQ(ze().Event.pfnHostSynchronize(signalled, Forever), ZE_RESULT_SUCCESS);
    ze_kernel_timestamp_result_t times{};
    ASSERT_EQ(ze().Event.pfnQueryKernelTimestamp(signalled, &times), ZE_RESULT_SUCCESS);
    EXPECT_GE(times.global.kernelStart, seen.first);
    EXPECT_LE(times.global.kernelStart, seen.second);
    EXPECT_GE(times.global.kernelEnd, seen.second);
    word = 0;
    ze().Event.pfnHostReset(gate);
    if (signalled == whole) ze().Event.pfnHostReset(whole);
  }
};

TEST_F(Several, TheEventOfManyLaunchesHasTheTimesOfAll) {
  for (auto list : {in_order(), out_of_order()})
    for (int round = 0; round < 3; ++round) {
      ASSERT_EQ(launch_both(list, whole), ZE_RESULT_SUCCESS);
      expect_whole(whole, let_run());
    }
}

TEST_F(Several, TheEventOfManyRecordedLaunchesHasTheTimesOfAllInEachExecution) {
  auto queue = testing::queue();
  for (ze_command_list_flags_t flags : {0u, unsigned{ZE_COMMAND_LIST_FLAG_IN_ORDER}}) {
    auto list = keep(regular_list(flags));
    ASSERT_EQ(launch_both(list, whole), ZE_RESULT_SUCCESS);
    ze().CommandList.pfnClose(list);
    for (int round = 0; round < 2; ++round) {
      ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(queue, 1, &list, nullptr), ZE_RESULT_SUCCESS);
      expect_whole(whole, let_run());
    }
    ze().CommandQueue.pfnSynchronize(queue, Forever);
  }
  ze().CommandQueue.pfnDestroy(queue);
}

TEST_F(Several, ACounterBasedEventHasTheTimesOfAllToo) {
  auto counter = made_events.emplace_back(counter_event(ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                                                        ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE |
                                                        ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP));
  auto immediate = in_order();
  ASSERT_EQ(launch_both(immediate, counter), ZE_RESULT_SUCCESS);
  expect_whole(counter, let_run());
  auto list = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  ASSERT_EQ(launch_both(list, counter), ZE_RESULT_SUCCESS);
  ze().CommandList.pfnClose(list);
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(ze().CommandListExp.pfnImmediateAppendCommandListsExp(immediate, 1, &list, nullptr, 0, nullptr),
              ZE_RESULT_SUCCESS);
    expect_whole(counter, let_run());
  }
}

TEST_F(Several, TheEventOfAppendedListsHasTheTimesOfAll) {
  for (auto immediate : {in_order(), out_of_order()}) {
    ze_command_list_handle_t lists[] = {keep(regular_list(0)), keep(regular_list(0))};
    launch(lists[0], kernel("meet", &word, 2));
    launch(lists[1], kernel("add", &ran, 1));
    for (auto list : lists) ze().CommandList.pfnClose(list);
    for (int round = 0; round < 3; ++round) {
      ASSERT_EQ(ze().CommandListExp.pfnImmediateAppendCommandListsExp(immediate, 2, lists, whole, 1, &gate),
                ZE_RESULT_SUCCESS);
      expect_whole(whole, let_run());
    }
  }
}

// Memory of commands that keep another's goes round as all does.
TEST_F(Several, CommandsWithTimesOfManyGiveTheirMemoryBack) {
  if (Sanitized) GTEST_SKIP() << "measures memory";
  auto list = in_order();
  ze_kernel_handle_t adds[] = {kernel("add", &ran, 1), kernel("add", &ran, 1)};
  auto some = [&](unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      ze().CommandList.pfnAppendLaunchMultipleKernelsIndirect(list, 2, adds, &enabled, groups, whole, 0, nullptr);
    wait(list);
  };
  some(1000);
  const auto before = resident_pages();
  for (int round = 0; round < 100; ++round) some(1000);
  EXPECT_LT(resident_pages(), before + 2000); // 100 000 calls' commands are more than 30 000 pages
}

TEST_F(Several, AnEventThatCannotBeSignalledIsRefusedBeforeAnythingIsAppended) {
  auto list = out_of_order();
  auto counter = new_counter_event();
  ze().Event.pfnHostSignal(gate);
  word = 2;
  EXPECT_EQ(launch_both(list, counter), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ran, 0u);
}

} // namespace
} // namespace zeroth::cpu
