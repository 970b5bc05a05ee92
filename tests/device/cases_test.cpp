// Cases 9 to 13 and 16: faults that users met in comparable systems.
#include "fixture.hpp"
#include "peer.hpp"

#include <atomic>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <thread>

namespace device_tests {
namespace {

const ze_command_queue_desc_t asynchronous{
    ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
    ZE_COMMAND_QUEUE_PRIORITY_NORMAL};

class Cases : public testing::Test {
protected:
  ~Cases() override {
    for (auto list : lists_) EXPECT_OK(zeCommandListDestroy(list));
    for (auto event : events_) EXPECT_OK(zeEventDestroy(event));
    if (pool_) {
      EXPECT_OK(zeEventPoolDestroy(pool_));
    }
  }

  ze_command_list_handle_t regular() {
    const ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
    ze_command_list_handle_t list = nullptr;
    EXPECT_OK(zeCommandListCreate(d_.context, d_.device, &desc, &list));
    return lists_.emplace_back(list);
  }
  ze_command_list_handle_t immediate() {
    auto desc = asynchronous;
    desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
    ze_command_list_handle_t list = nullptr;
    EXPECT_OK(zeCommandListCreateImmediate(d_.context, d_.device, &desc, &list));
    return lists_.emplace_back(list);
  }
  ze_event_handle_t event(ze_event_pool_flags_t flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE) {
    if (!pool_) {
      const ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, flags, 16};
      EXPECT_OK(zeEventPoolCreate(d_.context, &desc, 0, nullptr, &pool_));
    }
    const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, static_cast<std::uint32_t>(events_.size()), 0, 0};
    ze_event_handle_t made = nullptr;
    EXPECT_OK(zeEventCreate(pool_, &desc, &made));
    return events_.emplace_back(made);
  }

  const Device& d_ = Device::get();

private:
  ze_event_pool_handle_t pool_ = nullptr;
  std::vector<ze_command_list_handle_t> lists_;
  std::vector<ze_event_handle_t> events_;
};

TEST_F(Cases, case_9_AClosedListTakesNothingAndStillExecutes) {
  ze_command_queue_handle_t queue = nullptr;
  ASSERT_OK(zeCommandQueueCreate(d_.context, d_.device, &asynchronous, &queue));
  Array<std::uint32_t> word(1);
  const std::uint32_t five = 5, six = 6;
  auto list = regular(), direct = immediate();
  ASSERT_OK(zeCommandListAppendMemoryFill(list, word.data(), &five, 4, 4, nullptr, 0, nullptr));
  ASSERT_OK(zeCommandListClose(list));
  EXPECT_EQ(zeCommandListAppendMemoryFill(list, word.data(), &six, 4, 4, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(zeCommandListClose(list)) << "closing twice changes nothing";
  ASSERT_OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr));
  ASSERT_OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  EXPECT_EQ(word[0], five);
  EXPECT_EQ(zeCommandQueueExecuteCommandLists(queue, 1, &direct, nullptr), ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
  ASSERT_OK(zeCommandListReset(list));
  EXPECT_EQ(zeCommandListAppendWaitOnEvents(list, 0, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  ASSERT_OK(zeCommandListAppendMemoryFill(list, word.data(), &six, 4, 4, nullptr, 0, nullptr));
  ASSERT_OK(zeCommandListClose(list));
  ASSERT_OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr));
  ASSERT_OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  EXPECT_EQ(word[0], six);
  EXPECT_OK(zeCommandQueueDestroy(queue));
}

TEST_F(Cases, case_10_TinyBlocksAreDistinctAndEmptyOnesAlwaysRefused) {
  const ze_device_mem_alloc_desc_t device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  const ze_host_mem_alloc_desc_t host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  std::set<void*> live;
  for (int round = 0; round < 2; ++round)
    for (std::size_t size : {1u, 1u, 0u, 0u}) {
      const auto expected = size ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
      void* blocks[3] = {};
      EXPECT_EQ(zeMemAllocHost(d_.context, &host, size, 1, &blocks[0]), expected);
      EXPECT_EQ(zeMemAllocDevice(d_.context, &device, size, 1, d_.device, &blocks[1]), expected);
      EXPECT_EQ(zeMemAllocShared(d_.context, &device, &host, size, 1, d_.device, &blocks[2]), expected);
      if (!size) continue;
      for (void* block : blocks) EXPECT_TRUE(live.insert(block).second);
    }
  for (void* block : live) EXPECT_OK(zeMemFree(d_.context, block));
}

TEST_F(Cases, case_11_HintsChangeNothingAndAreRefusedForUnknownPointers) {
  auto list = immediate();
  Array<std::uint8_t> bytes(100000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  const auto* nowhere = reinterpret_cast<const void*>(std::uintptr_t{0x10});
  struct Range {
    std::size_t offset, size;
  };
  for (const Range range : {Range{0, 100000}, {5000, 70000}, {99999, 1}}) {
    EXPECT_OK(zeCommandListAppendMemoryPrefetch(list, bytes.data() + range.offset, range.size));
    for (int bit = 0; bit <= 9; ++bit) {
      const auto advice = static_cast<ze_memory_advice_t>(bit);
      EXPECT_OK(zeCommandListAppendMemAdvise(list, d_.device, bytes.data() + range.offset, range.size, advice)) << bit;
    }
  }
  EXPECT_EQ(zeCommandListAppendMemoryPrefetch(list, nowhere, 4), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(zeCommandListAppendMemAdvise(list, d_.device, nowhere, 4, ZE_MEMORY_ADVICE_SET_READ_MOSTLY),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  for (std::size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(bytes[i], static_cast<std::uint8_t>(i));
}

TEST_F(Cases, case_12_HostFunctionsThatWaitForTheHostBlockNobody) {
  struct Gate {
    std::atomic<int> open{0};
    int round = 0;
  } gate;
  auto wait_for_host = [](void* data) {
    auto& g = *static_cast<Gate*>(data);
    while (g.open.load() < g.round) std::this_thread::yield();
  };
  auto a = immediate(), host = immediate(), b = immediate();
  ze_event_handle_t both[2] = {event(), event()};
  const auto done = event();
  const int last = static_cast<int>(rounds(3000, 100'000));
  for (int round = 1; round <= last; ++round) {
    gate.round = round;
    ASSERT_OK(zeCommandListAppendBarrier(b, done, 2, both));
    ASSERT_OK(zeCommandListAppendHostFunction(host, wait_for_host, &gate, nullptr, both[1], 0, nullptr));
    ASSERT_OK(zeCommandListAppendSignalEvent(a, both[0]));
    if (round % 2) {
      ASSERT_EQ(zeEventQueryStatus(done), ZE_RESULT_NOT_READY);
    }
    gate.open = round;
    ASSERT_OK(zeEventHostSynchronize(done, 10'000'000'000)) << round;
    for (auto list : {a, host, b}) ASSERT_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
    for (auto one : {both[0], both[1], done}) ASSERT_OK(zeEventHostReset(one));
  }
}

TEST_F(Cases, case_13_TimesLieBetweenTheHostsAndAlwaysGrow) {
  auto list = immediate();
  const auto timed = event(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ASSERT_OK(zeDeviceGetProperties(d_.device, &properties));
  const auto valid = (std::uint64_t{1} << properties.kernelTimestampValidBits) - 1;
  Kernel store("store");
  Array<std::uint32_t> out(64);
  store.arguments(out);
  ASSERT_OK(zeKernelSetGroupSize(store.handle(), 64, 1, 1));
  const ze_group_count_t one{1, 1, 1};
  std::uint64_t previous_end = 0;
  for (int round = 0; round < 200; ++round) {
    std::uint64_t host, before, after;
    ASSERT_OK(zeDeviceGetGlobalTimestamps(d_.device, &host, &before));
    ASSERT_OK(zeCommandListAppendLaunchKernel(list, store.handle(), &one, timed, 0, nullptr));
    ASSERT_OK(zeEventHostSynchronize(timed, UINT64_MAX));
    ASSERT_OK(zeDeviceGetGlobalTimestamps(d_.device, &host, &after));
    ze_kernel_timestamp_result_t times;
    ASSERT_OK(zeEventQueryKernelTimestamp(timed, &times));
    const auto start = times.global.kernelStart, end = times.global.kernelEnd;
    EXPECT_LE(before & valid, start);
    EXPECT_LT(start, end);
    EXPECT_LE(end, (after & valid) + 1) << "the end is never the start";
    EXPECT_GE(start, previous_end) << "later than the last";
    const auto ticks = end >= start ? end - start : valid - start + end + 1;
    EXPECT_GT(ticks * properties.timerResolution, 0u);
    previous_end = end;
    ASSERT_OK(zeEventHostReset(timed));
    EXPECT_EQ(zeEventQueryKernelTimestamp(timed, &times), ZE_RESULT_NOT_READY);
  }
}

std::string printed(std::uint32_t what, std::uint32_t lines, std::uint32_t groups, std::uint32_t local) {
  Peer peer({"prints", std::to_string(what), std::to_string(lines), std::to_string(groups), std::to_string(local)});
  EXPECT_EQ(peer.end(), 0);
  return peer.output();
}

TEST_F(Cases, case_16_PrintedTextIsExact) {
  EXPECT_EQ(printed(0, 1, 1, 1), "");
  EXPECT_EQ(printed(1, 1, 1, 1), "[]\n");
  std::string vector;
  for (int i = 0; i < 16; ++i) vector += (i ? "," : "") + std::to_string(static_cast<float>(i));
  EXPECT_EQ(printed(2, 1, 1, 1), vector + "\n");
  EXPECT_EQ(printed(3, 1, 1, 1), "%\n");
}

TEST_F(Cases, case_16_ManyLinesArriveWholeAndInTheOrderOfEachItem) {
  const std::uint32_t lines = rounds(25'000, 125'000); // of each of 8 items
  std::istringstream text(printed(4, lines, 4, 2));
  std::map<unsigned, unsigned> next;
  unsigned item = 0, line = 0;
  for (std::string read; std::getline(text, read);) {
    ASSERT_EQ(std::sscanf(read.c_str(), "item %u line %u", &item, &line), 2) << read;
    ASSERT_EQ(read, "item " + std::to_string(item) + " line " + std::to_string(line));
    ASSERT_EQ(line, next[item]++) << "of item " << item;
  }
  ASSERT_EQ(next.size(), 8u);
  for (const auto& [which, count] : next) EXPECT_EQ(count, lines) << which;
}

TEST_F(Cases, case_16_LinesLongerThanAKilobyteStayWhole) {
  std::istringstream text(printed(5, 1, 50, 8));
  std::set<unsigned long> items;
  for (std::string read; std::getline(text, read);) {
    ASSERT_EQ(read.size(), 3001u);
    ASSERT_EQ(read.back(), '|');
    EXPECT_TRUE(items.insert(std::stoul(read)).second);
  }
  EXPECT_EQ(items.size(), 400u);
}

} // namespace
} // namespace device_tests
