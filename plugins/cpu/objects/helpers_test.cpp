// A host thread that waits executes what it waits for, and nothing beyond.
#include "list_fixture.hpp"

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

struct Helpers : ListFixture {
  std::atomic<uint64_t> occupied{0}, word{0}, sum{0};
  std::atomic<bool> over{false}, rescued{false};
  std::thread rescuer;
  ze_command_queue_handle_t queue = testing::queue();
  ze_fence_handle_t fence = nullptr;

  // All workers poll, so what is appended next is executed by who waits. A thread that goes too far polls as well,
  // until the rescuer ends it: then the test fails instead of hanging.
  void SetUp() override {
    const unsigned threads = CpuDriver::instance().executor().threads();
    for (unsigned i = 0; i < threads; ++i)
      ASSERT_EQ(launch(in_order(), kernel("meet", &occupied, threads + 1)), ZE_RESULT_SUCCESS);
    while (occupied < threads) std::this_thread::yield();
    const ze_fence_desc_t desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
    ASSERT_EQ(ze().Fence.pfnCreate(queue, &desc, &fence), ZE_RESULT_SUCCESS);
    rescuer = std::thread([this] {
      for (int i = 0; i < 1000 && !over; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (!over) rescued = true;
      for (; !over; std::this_thread::sleep_for(std::chrono::milliseconds(1))) word = ~uint64_t{0};
    });
  }
  void TearDown() override {
    over = true;
    rescuer.join();
    occupied = ~uint64_t{0} >> 1;
    for (auto list : made_lists) wait(list);
    ze().CommandQueue.pfnSynchronize(queue, Forever);
    ze().Fence.pfnDestroy(fence);
    ze().CommandQueue.pfnDestroy(queue);
    EXPECT_FALSE(rescued) << "a waiting thread executed what comes after";
  }

  void execute(ze_command_list_handle_t list, ze_fence_handle_t signal = nullptr) {
    ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(queue, 1, &list, signal), ZE_RESULT_SUCCESS);
  }
  ze_result_t wait_for(ze_event_handle_t event) { return ze().Event.pfnHostSynchronize(event, Forever); }
};

TEST_F(Helpers, WhoWaitsForAnEventLeavesWhatComesAfterItInAnImmediateList) {
  for (auto list : {in_order(), out_of_order()})
    for (auto event : {new_event(), new_counter_event()}) {
      if (list == made_lists.back() && event == made_events.back()) continue; // those need a list in order
      launch(list, kernel("add", &sum, 1), 1, event);
      launch(list, kernel("poll", &word, 1));
      EXPECT_EQ(wait_for(event), ZE_RESULT_SUCCESS);
      word = 1;
      EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
      word = 0;
    }
}

TEST_F(Helpers, WhoWaitsForAnEventLeavesWhatComesAfterItInARegularList) {
  for (ze_command_list_flags_t flags :
       {ze_command_list_flags_t{ZE_COMMAND_LIST_FLAG_IN_ORDER}, ze_command_list_flags_t{0}}) {
    auto list = keep(regular_list(flags));
    auto event = new_event();
    launch(list, kernel("add", &sum, 1), 1, event);
    launch(list, kernel("poll", &word, 1), 1, nullptr, {event});
    ze().CommandList.pfnClose(list);
    for (auto inside : {static_cast<ze_command_list_handle_t>(nullptr), in_order(), out_of_order()}) {
      word = 0;
      ze().Event.pfnHostReset(event);
      if (inside)
        ze().CommandList.pfnImmediateAppendCommandListsWithParameters(inside, 1, &list, nullptr, nullptr, 0, nullptr);
      else
        execute(list);
      EXPECT_EQ(wait_for(event), ZE_RESULT_SUCCESS);
      word = 1;
      EXPECT_EQ(inside ? wait(inside) : ze().CommandQueue.pfnSynchronize(queue, Forever), ZE_RESULT_SUCCESS);
    }
  }
}

TEST_F(Helpers, WhoWaitsForAFenceLeavesTheNextExecution) {
  auto first = keep(regular_list(0)), second = keep(regular_list(0));
  launch(first, kernel("add", &sum, 1));
  launch(second, kernel("poll", &word, 1));
  ze().CommandList.pfnClose(first);
  ze().CommandList.pfnClose(second);
  execute(first, fence);
  execute(second);
  EXPECT_EQ(ze().Fence.pfnHostSynchronize(fence, Forever), ZE_RESULT_SUCCESS);
  word = 1;
  EXPECT_EQ(ze().CommandQueue.pfnSynchronize(queue, Forever), ZE_RESULT_SUCCESS);
}

TEST_F(Helpers, WhoWaitsForAnEventThatTheHostSignalsStaysOutOfTheListThatSignalledItBefore) {
  auto list = in_order();
  auto event = new_event();
  launch(list, kernel("add", &sum, 1), 1, event);
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  ze().Event.pfnHostReset(event);
  launch(list, kernel("poll", &word, 1));
  std::thread host([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ze().Event.pfnHostSignal(event);
  });
  EXPECT_EQ(wait_for(event), ZE_RESULT_SUCCESS);
  host.join();
  word = 1;
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
}

// A list's end too is what was appended before the call.
TEST_F(Helpers, WhoWaitsForAListLeavesWhatAnotherThreadAppendsMeanwhile) {
  auto list = in_order();
  std::atomic<uint64_t> gate{0};
  launch(list, kernel("meet", &gate, 2));
  std::thread other([&] {
    while (gate == 0) std::this_thread::yield();
    launch(list, kernel("poll", &word, 1));
    gate = 2;
  });
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  word = 1;
  other.join();
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
}

} // namespace
} // namespace zeroth::cpu
