// What single commands do, through the API's tables.
#include "list_fixture.hpp"

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

using Commands = ListFixture;

TEST_F(Commands, CopiesAndFillsOfAllSizes) {
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

TEST_F(Commands, RegionCopyMovesTheBoxAndNothingElse) {
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

TEST_F(Commands, IndirectLaunchReadsItsCountsWhenItRuns) {
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

TEST_F(Commands, AnIndirectLaunchHasTheDimensionsOfADirectOne) {
  std::atomic<uint64_t> direct[2] = {}, indirect[2] = {};
  auto list = in_order();
  for (ze_group_count_t groups : {ze_group_count_t{2, 1, 1}, {1, 3, 1}, {2, 1, 2}})
    for (uint32_t height : {1u, 4u}) {
      ze_kernel_handle_t used[] = {kernel("dimensions", direct, 1), kernel("dimensions", indirect, 1)};
      for (auto one : used) ze().Kernel.pfnSetGroupSize(one, 2, height, 1);
      ze().CommandList.pfnAppendLaunchKernel(list, used[0], &groups, nullptr, 0, nullptr);
      ze().CommandList.pfnAppendLaunchKernelIndirect(list, used[1], &groups, nullptr, 0, nullptr);
      ASSERT_EQ(wait(list), ZE_RESULT_SUCCESS);
      EXPECT_EQ(direct[1], groups.groupCountZ > 1 ? 3u : groups.groupCountY > 1 || height > 1 ? 2u : 1u);
      EXPECT_EQ(indirect[1], direct[1]);
    }
}

TEST_F(Commands, CooperativeGroupsRunAtOnceEvenWhenSeveralLaunchesCompete) {
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

TEST_F(Commands, HostFunctionsBlockNoWorker) {
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

TEST_F(Commands, ManyThreadsEachWithItsOwnList) {
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

TEST_F(Commands, WhatCannotWorkIsRefusedAtTheAppend) {
  auto list = in_order();
  std::atomic<uint64_t> word{0};
  auto add = kernel("add", &word, 1);
  EXPECT_EQ(ze().CommandList.pfnAppendHostFunction(list, nullptr, nullptr, nullptr, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  ze_event_handle_t no_event = nullptr;
  EXPECT_EQ(ze().CommandList.pfnAppendQueryKernelTimestamps(list, 1, &no_event, &word, nullptr, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  ze_kernel_handle_t kernels_with_null[2] = {add, nullptr};
  const ze_group_count_t groups[2] = {{1, 1, 1}, {1, 1, 1}};
  const uint32_t count = 2;
  EXPECT_EQ(ze().CommandList.pfnAppendLaunchMultipleKernelsIndirect(list, 2, kernels_with_null, &count, groups, nullptr,
                                                                    0, nullptr),
            ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  for (const ze_group_count_t huge : {ze_group_count_t{1u << 31, 1u << 31, 4}, {~0u, ~0u, ~0u}})
    EXPECT_EQ(ze().CommandList.pfnAppendLaunchKernel(list, add, &huge, nullptr, 0, nullptr),
              ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(ze().CommandList.pfnAppendMemoryPrefetch(list, &word, 8), ZE_RESULT_SUCCESS);
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(word, 0u);
}

TEST_F(Commands, StructuresThatAreNotKnownAreRefusedWithWhatHangsOnThem) {
  std::atomic<uint64_t> word{0};
  void* pointer = &word;
  const uint64_t one = 1;
  void* arguments[] = {&pointer, const_cast<uint64_t*>(&one)};
  auto add = kernel("add", &word, 1);
  auto event = new_event();
  auto closed = keep(regular_list(0));
  ze().CommandList.pfnClose(closed);
  const ze_group_count_t groups{1, 1, 1};
  const ze_base_desc_t unknown{static_cast<ze_structure_type_t>(0x7ffeabcd), nullptr};
  ze_command_list_append_launch_kernel_param_cooperative_desc_t known{
      ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC, nullptr, true};
  auto known_and_unknown = known;
  known_and_unknown.pNext = &unknown;
  constexpr auto Refused = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  auto& api = ze().CommandList;
  for (auto list : {in_order(), keep(regular_list(0))}) {
    auto launch_with = [&](const void* next) {
      return api.pfnAppendLaunchKernelWithParameters(list, add, &groups, next, nullptr, 0, nullptr);
    };
    auto launch_all = [&](const void* next) {
      return api.pfnAppendLaunchKernelWithArguments(list, add, groups, {1, 1, 1}, arguments, next, nullptr, 0, nullptr);
    };
    for (const void* next : {static_cast<const void*>(&unknown), static_cast<const void*>(&known_and_unknown)}) {
      EXPECT_EQ(launch_with(next), Refused);
      EXPECT_EQ(launch_all(next), Refused);
    }
    EXPECT_EQ(api.pfnAppendSignalEventWithParameters(list, &unknown, event), Refused);
    EXPECT_EQ(api.pfnAppendWaitOnEventsWithParameters(list, &unknown, 1, &event), Refused);
    EXPECT_EQ(launch_with(&known), ZE_RESULT_SUCCESS);
    EXPECT_EQ(launch_all(&known), ZE_RESULT_SUCCESS);
  }
  EXPECT_EQ(api.pfnImmediateAppendCommandListsWithParameters(made_lists[1], 1, &closed, &unknown, event, 0, nullptr),
            Refused);
  EXPECT_EQ(wait(made_lists[1]), ZE_RESULT_SUCCESS);
  EXPECT_EQ(word, 2u);
  EXPECT_EQ(ze().Event.pfnQueryStatus(event), ZE_RESULT_NOT_READY);
}

TEST_F(Commands, AKernelWithoutItsPointersIsNotLaunched) {
  const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "add"};
  ze_kernel_handle_t bare = nullptr;
  ASSERT_EQ(ze().Kernel.pfnCreate(to_handle(&kernels()), &desc, &bare), ZE_RESULT_SUCCESS);
  auto list = in_order();
  EXPECT_EQ(launch(list, bare), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  std::atomic<uint64_t> word{0};
  void* pointer = &word;
  ze().Kernel.pfnSetArgumentValue(bare, 0, 8, &pointer);
  EXPECT_EQ(launch(list, bare), ZE_RESULT_SUCCESS) << "values may stay zero";
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
  ze().Kernel.pfnDestroy(bare);
}

TEST_F(Commands, HintsAreRefusedOnAClosedList) {
  void* memory = nullptr;
  const ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  ze().Mem.pfnAllocHost(context(), &desc, 100, 0, &memory);
  auto list = keep(regular_list(0));
  EXPECT_EQ(ze().CommandList.pfnAppendMemoryPrefetch(list, memory, 100), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandList.pfnAppendMemoryPrefetch(list, memory, 1 << 20), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ze().CommandList.pfnClose(list);
  EXPECT_EQ(ze().CommandList.pfnAppendMemoryPrefetch(list, memory, 100), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(ze().CommandList.pfnAppendMemAdvise(list, testing::device(), memory, 100, ZE_MEMORY_ADVICE_SET_READ_MOSTLY),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ze().Mem.pfnFree(context(), memory);
}

TEST_F(Commands, AnEmptyRegionOfManyRowsIsNothingToDo) {
  char from[16] = {}, to[16] = {};
  const ze_copy_region_t region{0, 0, 0, 0, ~0u, ~0u};
  auto list = in_order();
  ASSERT_EQ(
      ze().CommandList.pfnAppendMemoryCopyRegion(list, to, &region, 0, 0, from, &region, 0, 0, nullptr, 0, nullptr),
      ZE_RESULT_SUCCESS);
  EXPECT_EQ(wait(list), ZE_RESULT_SUCCESS);
}

TEST_F(Commands, LocalMemoryBeyondAllIsToldInFull) {
  static CpuModule& module = [&]() -> CpuModule& {
    auto made = std::make_shared<HandMadeModule>();
    auto& arguments = made->add("locals", &add_value, 2).arguments;
    arguments[0].kind = arguments[1].kind = compiler::ArgumentKind::LocalPointer;
    return *new CpuModule(*from_handle<CpuContext>(context()), device(), made);
  }();
  const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "locals"};
  ze_kernel_handle_t made = nullptr;
  ASSERT_EQ(ze().Kernel.pfnCreate(to_handle(&module), &desc, &made), ZE_RESULT_SUCCESS);
  made_kernels.push_back(made);
  auto text_for = [&](std::size_t first, std::size_t second) {
    ze().Kernel.pfnSetArgumentValue(made, 0, first, nullptr);
    ze().Kernel.pfnSetArgumentValue(made, 1, second, nullptr);
    EXPECT_EQ(launch(in_order(), made), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY) << first << ' ' << second;
    return std::string(last_error::text());
  };
  EXPECT_NE(text_for(std::size_t{1} << 40, 1).find("1099511627777 bytes"), std::string::npos) << last_error::text();
  EXPECT_NE(text_for(200000, 200000).find("400064 bytes"), std::string::npos) << last_error::text();
  text_for(~std::size_t{0}, ~std::size_t{0});
  text_for(~std::size_t{0}, 1);
  text_for(std::size_t{1} << 63, std::size_t{1} << 63);
}

// Against the letter of the API, but programs do it: what is in flight then is lost, and nothing else is harmed.
TEST_F(Commands, EventsDestroyedUnderWaitingListsHarmNobody) {
  if (Sanitized) GTEST_SKIP() << "the program's fault, which a sanitizer rightly reports";
  for (int round = 0; round < 300; ++round) {
    auto small = event_pool(3);
    ze_event_handle_t events[3] = {event(small, 0), event(small, 1), event(small, 2)};
    auto list = immediate_list(round % 2 ? ZE_COMMAND_QUEUE_FLAG_IN_ORDER : 0);
    ASSERT_EQ(ze().CommandList.pfnAppendBarrier(list, events[0], 2, events + 1), ZE_RESULT_SUCCESS);
    if (round % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    for (auto one : events) ze().Event.pfnDestroy(one);
    ze().CommandList.pfnDestroy(list);
    ze().EventPool.pfnDestroy(small);
    auto again = event_pool(3); // most likely in the same place
    ze_event_handle_t others[3] = {event(again, 0), event(again, 1), event(again, 2)};
    ze().Event.pfnHostSignal(others[1]);
    ze().Event.pfnHostSignal(others[2]);
    if (round % 3) std::this_thread::sleep_for(std::chrono::microseconds(50));
    EXPECT_EQ(ze().Event.pfnQueryStatus(others[0]), ZE_RESULT_NOT_READY) << "signalled by a list of the past";
    for (auto one : others) ze().Event.pfnDestroy(one);
    ze().EventPool.pfnDestroy(again);
  }
}

} // namespace
} // namespace zeroth::cpu
