// What submitting and destroying mean while earlier work is still under way.
#include "../commands/host_functions.hpp"
#include "list_fixture.hpp"

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

struct Submissions : ListFixture {
  ze_command_queue_handle_t queues[2] = {testing::queue(), testing::queue()};
  std::atomic<uint64_t> word{0}, started{0};

  void TearDown() override {
    for (auto queue : queues) ze().CommandQueue.pfnDestroy(queue);
  }
  void execute(int queue, ze_command_list_handle_t list) {
    ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(queues[queue], 1, &list, nullptr), ZE_RESULT_SUCCESS);
  }
  void append_to(ze_command_list_handle_t immediate, ze_command_list_handle_t list) {
    ASSERT_EQ(ze().CommandList.pfnImmediateAppendCommandListsWithParameters(immediate, 1, &list, nullptr, nullptr, 0,
                                                                            nullptr),
              ZE_RESULT_SUCCESS);
  }
  static ze_result_t finish(ze_command_queue_handle_t queue) {
    return ze().CommandQueue.pfnSynchronize(queue, Forever);
  }
  ze_command_list_handle_t closed(ze_command_list_handle_t list) {
    ze().CommandList.pfnClose(list);
    return list;
  }
};

TEST_F(Submissions, AListExecutesOnceAtATimeWhereverItIsSubmitted) {
  for (ze_command_list_flags_t flags : {0u, unsigned{ZE_COMMAND_LIST_FLAG_IN_ORDER}}) {
    auto list = keep(regular_list(flags));
    launch(list, kernel("add", &started, 1));
    launch(list, kernel("poll", &word, 1));
    closed(list);
    auto free = out_of_order(), ordered = in_order();
    started = word = 0;
    execute(0, list), execute(1, list);
    append_to(free, list), append_to(free, list), append_to(ordered, list);
    execute(0, list);
    while (started == 0) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(30)); // time for those that must not begin
    EXPECT_EQ(started, 1u);
    word = 1;
    EXPECT_EQ(finish(queues[0]), ZE_RESULT_SUCCESS);
    EXPECT_EQ(finish(queues[1]), ZE_RESULT_SUCCESS);
    EXPECT_EQ(wait(free), ZE_RESULT_SUCCESS);
    EXPECT_EQ(wait(ordered), ZE_RESULT_SUCCESS);
    EXPECT_EQ(started, 6u);
  }
}

TEST_F(Submissions, SharedLaunchesOfOneListSubmittedAllOverRunInFull) {
  constexpr unsigned Groups = 256, Rounds = Sanitized ? 50 : 500;
  std::vector<std::atomic<uint64_t>> counters(Groups);
  auto list = keep(regular_list(0));
  launch(list, kernel("add", counters.data(), 1), Groups);
  launch(list, kernel("add", counters.data(), 1), Groups);
  closed(list);
  auto free = out_of_order();
  for (unsigned round = 0; round < Rounds; ++round) {
    execute(0, list), execute(1, list), append_to(free, list), append_to(free, list);
    if (round % 16) continue;
    for (auto queue : queues) ASSERT_EQ(finish(queue), ZE_RESULT_SUCCESS);
    ASSERT_EQ(wait(free), ZE_RESULT_SUCCESS);
  }
  for (auto queue : queues) ASSERT_EQ(finish(queue), ZE_RESULT_SUCCESS);
  ASSERT_EQ(wait(free), ZE_RESULT_SUCCESS);
  for (const auto& counter : counters) ASSERT_EQ(counter, 8u * Rounds);
}

TEST_F(Submissions, OfListsWithAnEventThatCannotBeSignalledExecuteNothing) {
  auto list = keep(regular_list(0));
  launch(list, kernel("add", &started, 1));
  closed(list);
  auto free = out_of_order();
  EXPECT_EQ(ze().CommandList.pfnImmediateAppendCommandListsWithParameters(free, 1, &list, nullptr, new_counter_event(),
                                                                          0, nullptr),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(wait(free), ZE_RESULT_SUCCESS);
  EXPECT_EQ(started, 0u);
}

// "A signaled counter-based event always represents the completion of the last call to which it was passed": the
// append.
TEST_F(Submissions, AListRecordedBeforeTheSignallingListIsSubmittedWaitsForIt) {
  constexpr ze_event_counter_based_flags_t Ipc = ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE |
                                                 ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE |
                                                 ZE_EVENT_COUNTER_BASED_FLAG_IPC;
  for (ze_event_counter_based_flags_t flags : {ze_event_counter_based_flags_t{0}, Ipc}) {
    auto event = made_events.emplace_back(counter_event(flags));
    auto gate = new_event();
    uint64_t one = 1, between = 0, last = 0;
    auto first = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER)), second = keep(regular_list(0));
    ze().CommandList.pfnAppendWaitOnEvents(first, 1, &gate);
    ze().CommandList.pfnAppendMemoryCopy(first, &between, &one, 8, event, 0, nullptr);
    closed(first);
    EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
    ze().CommandList.pfnAppendMemoryCopy(second, &last, &between, 8, nullptr, 1, &event);
    closed(second);
    execute(1, second);
    execute(0, first);
    EXPECT_EQ(ze().CommandQueue.pfnSynchronize(queues[1], 10'000'000), ZE_RESULT_NOT_READY);
    EXPECT_EQ(ze().Event.pfnHostSynchronize(event, 1'000'000), ZE_RESULT_NOT_READY);
    ze().Event.pfnHostSignal(gate);
    EXPECT_EQ(finish(queues[1]), ZE_RESULT_SUCCESS);
    EXPECT_EQ(finish(queues[0]), ZE_RESULT_SUCCESS);
    EXPECT_EQ(last, 1u);
    EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_SUCCESS);
  }
}

TEST_F(Submissions, EachOfTwoPendingExecutionsSignalsItsOwnNumberToOtherProcesses) {
  auto event =
      made_events.emplace_back(counter_event(ZE_EVENT_COUNTER_BASED_FLAG_NON_IMMEDIATE |
                                             ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE | ZE_EVENT_COUNTER_BASED_FLAG_IPC));
  auto gate = new_event();
  auto list = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  ze().CommandList.pfnAppendWaitOnEvents(list, 1, &gate);
  ze().CommandList.pfnAppendSignalEvent(list, event);
  closed(list);
  ze_ipc_event_counter_based_handle_t handles[2];
  for (auto& handle : handles) {
    execute(0, list);
    ASSERT_EQ(ze().Event.pfnCounterBasedGetIpcHandle(event, &handle), ZE_RESULT_SUCCESS);
  }
  ze().Event.pfnHostSignal(gate);
  EXPECT_EQ(finish(queues[0]), ZE_RESULT_SUCCESS);
  for (auto& handle : handles) {
    ze_event_handle_t opened = nullptr;
    ASSERT_EQ(ze().Event.pfnCounterBasedOpenIpcHandle(context(), handle, &opened), ZE_RESULT_SUCCESS);
    EXPECT_EQ(ze().Event.pfnHostSynchronize(opened, 2'000'000'000), ZE_RESULT_SUCCESS);
    ze().Event.pfnCounterBasedCloseIpcHandle(opened);
  }
}

TEST_F(Submissions, ADeviceIsDoneThoughAListWasDestroyedThatWaitsForEver) {
  auto never = new_event(), chained = new_event();
  for (ze_command_queue_flags_t flags : {unsigned{ZE_COMMAND_QUEUE_FLAG_IN_ORDER}, 0u}) {
    auto left = immediate_list(flags), follows = immediate_list(flags);
    launch(left, kernel("add", &word, 1), 1, chained, {never});
    launch(follows, kernel("add", &word, 1), 1, nullptr, {chained});
    ze().CommandList.pfnDestroy(left);
    ze().CommandList.pfnDestroy(follows);
  }
  auto list = in_order();
  launch(list, kernel("add", &started, 1));
  EXPECT_EQ(ze().Device.pfnSynchronize(testing::device()), ZE_RESULT_SUCCESS);
  EXPECT_EQ(started, 1u);
  EXPECT_EQ(word, 0u);
  ze().Event.pfnHostSignal(never); // what waits is not lost
  while (word < 4) std::this_thread::yield();
  EXPECT_EQ(ze().Device.pfnSynchronize(testing::device()),
            ZE_RESULT_SUCCESS); // the last launch has left its events, too
}

ze_result_t free_with(ze_driver_memory_free_policy_ext_flags_t policy, void* memory) {
  const ze_memory_free_ext_desc_t desc{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr, policy};
  return ze().Mem.pfnFreeExt(context(), &desc, memory);
}
bool lives(const void* memory) {
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze().Mem.pfnGetAllocProperties(context(), memory, &properties, nullptr);
  return properties.type != ZE_MEMORY_TYPE_UNKNOWN;
}
void* device_memory() {
  const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void* memory = nullptr;
  ze().Mem.pfnAllocDevice(context(), &desc, 4096, 64, testing::device(), &memory);
  return memory;
}

TEST_F(Submissions, ADeferredFreeReturnsAtOnceAndFreesAfterWhatIsAppended) {
  constexpr auto Defer = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
  for (auto list : {in_order(), out_of_order()}) {
    void* memory = device_memory();
    auto gate = new_event();
    uint64_t value = 7;
    ze().CommandList.pfnAppendMemoryCopy(list, memory, &value, 8, nullptr, 1, &gate);
    EXPECT_EQ(free_with(Defer, memory), ZE_RESULT_SUCCESS);
    EXPECT_TRUE(lives(memory));
    auto later = new_event();
    if (list == made_lists.front()) ze().CommandList.pfnAppendWaitOnEvents(list, 1, &later); // is not waited for
    ze().Event.pfnHostSignal(gate);
    while (lives(memory)) std::this_thread::yield();
    ze().Event.pfnHostSignal(later);
    EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  }
  void* unused = device_memory();
  EXPECT_EQ(free_with(Defer, unused), ZE_RESULT_SUCCESS);
  EXPECT_FALSE(lives(unused)) << "nothing was under way";
  EXPECT_EQ(free_with(Defer, unused), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_F(Submissions, WhatIsNotToBeFreedIsRefusedByADeferredFreeToo) {
  constexpr auto Defer = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
  void *reserved = nullptr, *memory = device_memory(), *opened = nullptr;
  ASSERT_EQ(ze().VirtualMem.pfnReserve(context(), nullptr, 2 << 20, &reserved), ZE_RESULT_SUCCESS);
  ze_ipc_mem_handle_t handle;
  ASSERT_EQ(ze().Mem.pfnGetIpcHandle(context(), memory, &handle), ZE_RESULT_SUCCESS);
  ASSERT_EQ(ze().Mem.pfnOpenIpcHandle(context(), testing::device(), handle, 0, &opened), ZE_RESULT_SUCCESS);
  for (void* other : {reserved, opened}) {
    EXPECT_EQ(free_with(Defer, other), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    EXPECT_TRUE(lives(other));
  }
  EXPECT_EQ(ze().Mem.pfnCloseIpcHandle(context(), opened), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Mem.pfnPutIpcHandle(context(), handle), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().VirtualMem.pfnFree(context(), reserved, 2 << 20), ZE_RESULT_SUCCESS);
  EXPECT_EQ(free_with(Defer, memory), ZE_RESULT_SUCCESS);
}

struct Called final : Continuation {
  std::atomic<int> times{0};
  void command_done(Worker*) override { ++times; }
};

TEST(HostFunctionThreads, GoWhenNothingComesAndComeBack) {
  static HostFunctions& functions = *new HostFunctions(std::chrono::milliseconds(1));
  static std::atomic<int> inside{0};
  Called called;
  constexpr int AtOnce = 8;
  for (int round = 1; round <= 3; ++round) {
    inside = 0;
    auto meet = [](void*) {
      ++inside;
      while (inside < AtOnce) std::this_thread::yield();
    };
    for (int i = 0; i < AtOnce; ++i) functions.call(meet, nullptr, called);
    while (called.times < AtOnce * round) std::this_thread::yield();
    while (functions.threads() != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace
} // namespace zeroth::cpu
