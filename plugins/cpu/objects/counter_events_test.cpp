// Counter-based events: cases 14 and 15, regular lists, storage of the program's own.
#include "list_fixture.hpp"

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

using CounterEvents = ListFixture;

TEST_F(CounterEvents, case_14_AMillionAreCreatedAndDestroyedInFlatMemory) {
  auto make_and_destroy = [](int count) {
    for (int i = 0; i < count; ++i) {
      auto one = counter_event();
      ASSERT_NE(one, nullptr);
      ASSERT_EQ(ze().Event.pfnDestroy(one), ZE_RESULT_SUCCESS);
    }
  };
  make_and_destroy(1000);
  const std::size_t before = resident_pages();
  make_and_destroy(1'000'000);
  if (!Sanitized) {
    EXPECT_LT(resident_pages(), before + 256) << "pages of 4 KiB";
  }
}

TEST_F(CounterEvents, case_14_WaitsSeeTheLatestOfAThousandSignals) {
  auto producer = in_order(), consumer = in_order();
  auto event = new_counter_event();
  uint64_t word = 0;
  for (uint64_t i = 0; i < 1000; ++i) launch(producer, kernel("mix", &word, i), 1, event);
  launch(consumer, kernel("mix", &word, 7), 1, nullptr, {event});
  ASSERT_EQ(wait(consumer), ZE_RESULT_SUCCESS);
  uint64_t expected = 0;
  for (uint64_t i = 0; i < 1000; ++i) expected = expected * 3 + i;
  EXPECT_EQ(word, expected * 3 + 7);
  EXPECT_EQ(ze().Event.pfnHostReset(event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(ze().CommandList.pfnAppendEventReset(producer, event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

ze_event_handle_t event_over(const void* chain) {
  const ze_event_counter_based_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, chain, 0, 0, 0};
  ze_event_handle_t made = nullptr;
  return ze().Event.pfnCounterBasedCreate(context(), testing::device(), &desc, &made) == ZE_RESULT_SUCCESS ? made
                                                                                                           : nullptr;
}

ze_event_counter_based_external_sync_allocation_desc_t sync_storage(uint64_t* word, uint64_t completion) {
  return {ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_SYNC_ALLOCATION_DESC, nullptr, word, word, completion};
}

struct Word { // in memory of the device
  Word() {
    const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    void* memory = nullptr;
    EXPECT_EQ(ze().Mem.pfnAllocDevice(context(), &desc, 8, 8, testing::device(), &memory), ZE_RESULT_SUCCESS);
    at = new (memory) std::atomic<uint64_t>(0);
  }
  ~Word() { ze().Mem.pfnFree(context(), at); }
  uint64_t* address() { return reinterpret_cast<uint64_t*>(at); }
  std::atomic<uint64_t>* at;
};

TEST_F(CounterEvents, case_15_AWaitOverProgramStorageEndsAfterTheHostsWriteAndNeverEarlier) {
  Word storage;
  const auto desc = sync_storage(storage.address(), 10);
  auto event = made_events.emplace_back(event_over(&desc));
  ASSERT_NE(event, nullptr);
  for (auto list : {in_order(), out_of_order()}) {
    storage.at->store(9);
    uint64_t word = 0;
    ASSERT_EQ(launch(list, kernel("mix", &word, 1), 1, nullptr, {event}), ZE_RESULT_SUCCESS);
    EXPECT_EQ(wait(list, 20'000'000), ZE_RESULT_NOT_READY);
    EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
    EXPECT_EQ(ze().Event.pfnHostSynchronize(event, 1'000'000), ZE_RESULT_NOT_READY);
    EXPECT_EQ(word, 0u);
    storage.at->store(11); // a plain write, beyond the value
    EXPECT_EQ(ze().Event.pfnHostSynchronize(event, Forever), ZE_RESULT_SUCCESS);
    EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
    EXPECT_EQ(word, 1u);
  }
}

TEST_F(CounterEvents, case_15_AnEventOverTheProgramsWordStandsForACommandOnceItSignalsIt) {
  Word storage;
  const auto desc = sync_storage(storage.address(), 10);
  auto event = made_events.emplace_back(event_over(&desc));
  storage.at->store(10);
  ASSERT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_SUCCESS);
  uint64_t word = 0;
  auto list = in_order(), other = in_order();
  auto gate = new_event();
  ASSERT_EQ(launch(list, kernel("mix", &word, 1), 1, event, {gate}), ZE_RESULT_SUCCESS);
  ASSERT_EQ(launch(other, kernel("mix", &word, 2), 1, nullptr, {event}), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
  ze().Event.pfnHostSignal(gate);
  EXPECT_EQ(wait(other), ZE_RESULT_SUCCESS);
  EXPECT_EQ(word, 5u);
  EXPECT_EQ(storage.at->load(), 10u) << "the program's alone to write";
}

TEST_F(CounterEvents, case_15_AggregatedStorageCountsTheSignalsOfSeveralLists) {
  Word storage;
  const ze_event_counter_based_external_aggregate_storage_desc_t sum{
      ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC, nullptr, storage.address(), 2, 8};
  auto event = made_events.emplace_back(event_over(&sum));
  ASSERT_NE(event, nullptr);
  auto gate = new_event();
  uint64_t word = 0, ones[4] = {};
  auto late = in_order();
  for (int i = 0; i < 3; ++i) ASSERT_EQ(launch(in_order(), kernel("mix", &ones[i], 1), 1, event), ZE_RESULT_SUCCESS);
  ASSERT_EQ(launch(late, kernel("mix", &ones[3], 1), 1, event, {gate}), ZE_RESULT_SUCCESS);
  auto waiting = in_order();
  launch(waiting, kernel("mix", &word, 1), 1, nullptr, {event});
  EXPECT_EQ(wait(waiting, 20'000'000), ZE_RESULT_NOT_READY);
  ze().Event.pfnHostSignal(gate);
  EXPECT_EQ(wait(waiting), ZE_RESULT_SUCCESS);
  EXPECT_EQ(storage.at->load(), 8u);
  for (auto list : made_lists) wait(list);
}

TEST_F(CounterEvents, case_15_StorageThatCannotServeIsRefused) {
  Word storage;
  uint64_t most = 0;
  ze().Device.pfnGetCounterBasedEventMaxValue(testing::device(), &most);
  const auto null = sync_storage(nullptr, 1), beyond = sync_storage(storage.address(), most + 1);
  auto* odd_address = reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(storage.at) + 4);
  const auto odd = sync_storage(odd_address, 1), largest = sync_storage(storage.address(), most);
  const auto nowhere = sync_storage(reinterpret_cast<uint64_t*>(~uint64_t{7}), 1);
  for (const auto* bad : {&null, &beyond, &odd, &nowhere}) EXPECT_EQ(event_over(bad), nullptr);
  made_events.push_back(event_over(&largest));
  EXPECT_NE(made_events.back(), nullptr);
  uint64_t local = 0;
  const ze_event_counter_based_external_aggregate_storage_desc_t sum{
      ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC, nullptr, &local, 1, 1};
  EXPECT_EQ(event_over(&sum), nullptr) << "no device memory";
}

TEST_F(CounterEvents, InARegularListTheySignalInTheMiddleOfEachExecution) {
  auto work = queue();
  auto list = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  auto other = in_order();
  auto middle = new_counter_event();
  auto go_on = new_event();
  uint64_t word = 0, seen = 0;
  launch(list, kernel("mix", &word, 1), 1, middle);
  ze_event_handle_t answer[] = {go_on};
  ze().CommandList.pfnAppendWaitOnEvents(list, 1, answer); // only comes when the first half was seen
  ze().CommandList.pfnAppendEventReset(list, go_on);
  launch(list, kernel("mix", &word, 2));
  ze().CommandList.pfnClose(list);
  for (int round = 0; round < 100; ++round) {
    word = 0;
    ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(work, 1, &list, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(ze().CommandList.pfnAppendMemoryCopy(other, &seen, &word, 8, go_on, 1, &middle), ZE_RESULT_SUCCESS);
    ASSERT_EQ(ze().CommandQueue.pfnSynchronize(work, Forever), ZE_RESULT_SUCCESS);
    ASSERT_EQ(wait(other), ZE_RESULT_SUCCESS);
    ASSERT_EQ(seen, 1u);
    ASSERT_EQ(word, 5u);
    ASSERT_EQ(ze().Event.pfnQueryStatus(middle), ZE_RESULT_SUCCESS);
  }
  ze().CommandQueue.pfnDestroy(work);
}

TEST_F(CounterEvents, OneThatIsDestroyedBeforeItsSignalStillCountsForTheProgram) {
  Word storage;
  const ze_event_counter_based_external_aggregate_storage_desc_t sum{
      ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC, nullptr, storage.address(), 2, 4};
  const ze_event_counter_based_desc_t shared{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, nullptr,
                                             ZE_EVENT_COUNTER_BASED_FLAG_IPC, 0, 0};
  ze_event_handle_t events[2] = {event_over(&sum), nullptr};
  ASSERT_EQ(ze().Event.pfnCounterBasedCreate(context(), testing::device(), &shared, &events[1]), ZE_RESULT_SUCCESS);
  auto list = in_order();
  auto gate = new_event();
  uint64_t word = 0;
  launch(list, kernel("mix", &word, 1), 1, nullptr, {gate});
  for (auto event : events)
    for (int i = 0; i < 2; ++i) ASSERT_EQ(launch(list, kernel("mix", &word, 1), 1, event), ZE_RESULT_SUCCESS);
  for (auto event : events) ASSERT_EQ(ze().Event.pfnDestroy(event), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 100; ++i) new_counter_event(); // they take the memory
  ze().Event.pfnHostSignal(gate);
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(storage.at->load(), 4u);
  EXPECT_EQ(word, 121u);
}

TEST_F(CounterEvents, ARecordedListLeavesTheSuccessorOfADestroyedOneAlone) {
  auto work = queue();
  auto list = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  uint64_t word = 0;
  auto gone = counter_event();
  launch(list, kernel("mix", &word, 1), 1, gone);
  ze().CommandList.pfnClose(list);
  ze().Event.pfnDestroy(gone);
  auto gate = new_event();
  for (int i = 0; i < 8; ++i) launch(in_order(), kernel("mix", &word, 1), 1, new_counter_event(), {gate});
  ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(work, 1, &list, nullptr), ZE_RESULT_SUCCESS);
  ASSERT_EQ(ze().CommandQueue.pfnSynchronize(work, Forever), ZE_RESULT_SUCCESS);
  EXPECT_EQ(word, 1u);
  for (auto event : made_events)
    if (event != gate) {
      EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
    }
  ze().Event.pfnHostSignal(gate);
  for (auto one : made_lists)
    if (one != list) {
      EXPECT_EQ(wait(one), ZE_RESULT_SUCCESS);
    }
  ze().CommandQueue.pfnDestroy(work);
}

// The guide's "Multi directional dependencies on Regular command lists".
TEST_F(CounterEvents, ARecordedWaitIsForTheExecutionSubmittedLast) {
  auto first_queue = queue(), second_queue = queue();
  auto first = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  auto second = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  auto a = new_counter_event(), b = new_counter_event();
  auto gate = new_event();
  uint64_t word = 0;
  launch(first, kernel("mix", &word, 1), 1, a, {gate});
  launch(second, kernel("mix", &word, 2), 1, b, {a});
  launch(first, kernel("mix", &word, 3), 1, nullptr, {b});
  for (auto list : {first, second}) ze().CommandList.pfnClose(list);
  auto execute = [](auto on, auto list) {
    ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(on, 1, &list, nullptr), ZE_RESULT_SUCCESS);
  };
  execute(first_queue, first);
  execute(second_queue, second);
  ze().Event.pfnHostSignal(gate);
  ze().CommandQueue.pfnSynchronize(first_queue, Forever);
  EXPECT_EQ(word, (1u * 3 + 2) * 3 + 3);
  word = 0;
  ze().Event.pfnHostReset(gate);
  execute(second_queue, second); // waits for the first list's execution that has ended
  ze().CommandQueue.pfnSynchronize(second_queue, Forever);
  EXPECT_EQ(word, 2u);
  execute(first_queue, first);
  execute(second_queue, second); // waits for the one that was submitted last
  EXPECT_EQ(ze().CommandQueue.pfnSynchronize(second_queue, 20'000'000), ZE_RESULT_NOT_READY);
  ze().Event.pfnHostSignal(gate);
  ze().CommandQueue.pfnSynchronize(second_queue, Forever);
  ze().CommandQueue.pfnSynchronize(first_queue, Forever);
  EXPECT_NE(word, 2u);
  for (auto one : {first_queue, second_queue}) ze().CommandQueue.pfnDestroy(one);
}

TEST_F(CounterEvents, AListThatWasRecordedAnewDoesNotHoldUpThoseThatWaitForItsOldSignals) {
  auto work = queue(), other = queue();
  auto producer = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  auto consumer = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  auto event = new_counter_event();
  uint64_t word = 0;
  launch(producer, kernel("mix", &word, 1), 1, event);
  launch(consumer, kernel("mix", &word, 2), 1, nullptr, {event});
  for (auto list : {producer, consumer}) ze().CommandList.pfnClose(list);
  for (auto list : {producer, consumer}) ze().CommandQueue.pfnExecuteCommandLists(work, 1, &list, nullptr);
  ASSERT_EQ(ze().CommandQueue.pfnSynchronize(work, Forever), ZE_RESULT_SUCCESS);
  auto gate = new_event();
  ze().CommandList.pfnReset(producer);
  launch(producer, kernel("mix", &word, 1), 1, new_counter_event(), {gate});
  ze().CommandList.pfnClose(producer);
  ze().CommandQueue.pfnExecuteCommandLists(other, 1, &producer, nullptr);
  ze().CommandQueue.pfnExecuteCommandLists(work, 1, &consumer, nullptr);
  EXPECT_EQ(ze().CommandQueue.pfnSynchronize(work, Forever), ZE_RESULT_SUCCESS);
  ze().Event.pfnHostSignal(gate);
  ze().CommandQueue.pfnSynchronize(other, Forever);
  for (auto one : {work, other}) ze().CommandQueue.pfnDestroy(one);
}

TEST_F(CounterEvents, TheirTimesAreThoseOfTheLatestCommandWheneverEarlierOnesEnd) {
  auto event = made_events.emplace_back(counter_event(ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP));
  auto gate = new_event();
  uint64_t word = 0;
  auto late = in_order(), soon = in_order();
  launch(late, kernel("mix", &word, 1), 1, event, {gate});
  launch(soon, kernel("mix", &word, 2), 1, event);
  ASSERT_EQ(ze().Event.pfnHostSynchronize(event, Forever), ZE_RESULT_SUCCESS);
  ze_kernel_timestamp_result_t before{}, after{};
  ASSERT_EQ(ze().Event.pfnQueryKernelTimestamp(event, &before), ZE_RESULT_SUCCESS);
  ze().Event.pfnHostSignal(gate);
  ASSERT_EQ(wait(late), ZE_RESULT_SUCCESS);
  ASSERT_EQ(ze().Event.pfnQueryKernelTimestamp(event, &after), ZE_RESULT_SUCCESS);
  EXPECT_EQ(after.global.kernelStart, before.global.kernelStart);
  EXPECT_EQ(after.global.kernelEnd, before.global.kernelEnd);
}

TEST_F(CounterEvents, EachExecutionOfARecordedListGivesThemItsTimes) {
  auto event = made_events.emplace_back(counter_event(ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP));
  auto work = queue();
  auto list = keep(regular_list(ZE_COMMAND_LIST_FLAG_IN_ORDER));
  uint64_t word = 0, last = 0;
  launch(list, kernel("mix", &word, 1), 1, event);
  ze().CommandList.pfnClose(list);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(work, 1, &list, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(ze().CommandQueue.pfnSynchronize(work, Forever), ZE_RESULT_SUCCESS);
    ze_kernel_timestamp_result_t times{};
    ASSERT_EQ(ze().Event.pfnQueryKernelTimestamp(event, &times), ZE_RESULT_SUCCESS);
    EXPECT_GT(times.global.kernelStart, last);
    last = times.global.kernelEnd;
    launch(in_order(), kernel("mix", &word, 1), 1, event); // takes the event in between
    ASSERT_EQ(wait(made_lists.back()), ZE_RESULT_SUCCESS);
  }
  ze().CommandQueue.pfnDestroy(work);
}

TEST_F(CounterEvents, AListOutOfOrderCannotSignalThem) {
  auto event = new_counter_event();
  uint64_t word = 0;
  auto add = kernel("mix", &word, 1);
  EXPECT_EQ(launch(out_of_order(), add, 1, event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(launch(keep(regular_list(0)), add, 1, event), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  for (auto list : {made_lists[0]}) EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
}

TEST_F(CounterEvents, AnEventPoolOfAHundredMillionIsCheapOrRefused) {
  if (Sanitized) GTEST_SKIP() << "a sanitizer looks at every page";
  const std::size_t before = resident_pages();
  if (auto huge = event_pool(100'000'000)) {
    auto last = event(huge, 99'999'999);
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(ze().Event.pfnHostSignal(last), ZE_RESULT_SUCCESS);
    EXPECT_EQ(ze().Event.pfnQueryStatus(last), ZE_RESULT_SUCCESS);
    constexpr std::size_t HugePage = 512; // what the system may give where the first and the last event lie
    EXPECT_LT(resident_pages(), before + 256 + 2 * HugePage) << "of 6.4 GB";
    ze().Event.pfnDestroy(last);
    ze().EventPool.pfnDestroy(huge);
  }
}

} // namespace
} // namespace zeroth::cpu
