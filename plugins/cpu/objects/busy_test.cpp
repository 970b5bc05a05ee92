// Waits for what there is end although another thread gives a list more to do all the time.
#include "list_fixture.hpp"

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

struct Busy : ListFixture {
  static constexpr uint64_t GiveUp = 20'000'000'000; // nanoseconds: a test that hangs says so
  std::atomic<uint64_t> allowed{0}, ended{0};
  std::atomic<bool> over{false};

  // The list always has a command that has not ended.
  void keep_busy(ze_command_list_handle_t list) {
    auto gate = kernel("poll", &allowed, 0), end = kernel("add", &ended, 1);
    const uint64_t until = now() + GiveUp;
    uint64_t number = 0;
    while (!over && now() < until) {
      ++number;
      ze().Kernel.pfnSetArgumentValue(gate, 1, 8, &number);
      launch(list, gate);
      launch(list, end);
      allowed = number - 1;
      while (ended + 4 < number) std::this_thread::yield();
    }
    allowed = number;
    wait(list);
  }

  // Is `wait_for_all` over before the list was left alone?
  template <class Wait> bool ends_while_busy(ze_command_list_handle_t list, Wait wait_for_all) {
    over = false, allowed = ended = 0;
    std::thread other([&] { keep_busy(list); });
    while (ended < 10) std::this_thread::yield();
    const uint64_t begin = now();
    wait_for_all();
    const bool in_time = now() - begin < GiveUp / 2;
    over = true;
    other.join();
    return in_time;
  }
};

TEST_F(Busy, SynchronisingTheDeviceEnds) {
  for (auto list : {in_order(), out_of_order()})
    EXPECT_TRUE(ends_while_busy(list, [] { ze().Device.pfnSynchronize(testing::device()); }));
}

TEST_F(Busy, SynchronisingTheListEnds) {
  for (auto list : {in_order(), out_of_order()}) EXPECT_TRUE(ends_while_busy(list, [&] { wait(list); }));
}

TEST_F(Busy, AFreeThatBlocksEndsAndADeferredOneFrees) {
  for (auto policy :
       {ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE, ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE})
    for (auto list : {in_order(), out_of_order()}) {
      const ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
      void* memory = nullptr;
      ze().Mem.pfnAllocDevice(context(), &desc, 4096, 64, testing::device(), &memory);
      EXPECT_TRUE(ends_while_busy(list, [&] {
        const ze_memory_free_ext_desc_t how{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr,
                                            static_cast<ze_driver_memory_free_policy_ext_flags_t>(policy)};
        EXPECT_EQ(ze().Mem.pfnFreeExt(context(), &how, memory), ZE_RESULT_SUCCESS);
        ze_memory_allocation_properties_t properties{};
        properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
        do ze().Mem.pfnGetAllocProperties(context(), memory, &properties, nullptr);
        while (properties.type != ZE_MEMORY_TYPE_UNKNOWN);
      }));
    }
}

TEST_F(Busy, WhatIsAppendedBeforeAWaitHasEndedAfterIt) {
  auto list = out_of_order();
  std::atomic<uint64_t> done{0};
  auto mine = kernel("add", &done, 1);
  std::thread other;
  std::atomic<bool> stop{false};
  other = std::thread([&] { // turns the list's epochs all the time
    while (!stop) wait(list);
  });
  for (uint64_t round = 1; round <= (Sanitized ? 2000 : 20000); ++round) {
    launch(list, mine), launch(list, mine), launch(list, mine);
    wait(list);
    ASSERT_EQ(done, 3 * round);
  }
  stop = true;
  other.join();
}

} // namespace
} // namespace zeroth::cpu
