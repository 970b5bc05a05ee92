// Events of pools: who signals, who waits, what they measure, what they tell about themselves.
#include "fixture.hpp"

#include <thread>

namespace device_tests {
namespace {

class Events : public testing::Test {
protected:
  static constexpr std::uint32_t Count = 4;
  Events() { make(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP); }
  ~Events() override {
    for (auto event : events_) EXPECT_OK(zeEventDestroy(event));
    EXPECT_OK(zeEventPoolDestroy(pool_));
  }
  void make(ze_event_pool_flags_t flags) {
    const ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, flags, Count};
    EXPECT_OK(zeEventPoolCreate(Device::get().context, &desc, 0, nullptr, &pool_));
    for (std::uint32_t i = 0; i < Count; ++i) {
      const ze_event_desc_t event{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, i, ZE_EVENT_SCOPE_FLAG_HOST,
                                  ZE_EVENT_SCOPE_FLAG_DEVICE};
      EXPECT_OK(zeEventCreate(pool_, &event, &events_[i]));
    }
  }
  void finish() { EXPECT_OK(zeCommandListHostSynchronize(list_, UINT64_MAX)); }

  ze_event_pool_handle_t pool_ = nullptr;
  ze_event_handle_t events_[Count] = {};
  ze_command_list_handle_t list_ = shared_list();
};

TEST_F(Events, AreSignalledAndResetByTheHost) {
  EXPECT_EQ(zeEventQueryStatus(events_[0]), ZE_RESULT_NOT_READY);
  EXPECT_EQ(zeEventHostSynchronize(events_[0], 0), ZE_RESULT_NOT_READY);
  EXPECT_OK(zeEventHostSignal(events_[0]));
  EXPECT_OK(zeEventQueryStatus(events_[0]));
  EXPECT_EQ(zeEventQueryStatus(events_[1]), ZE_RESULT_NOT_READY);
  EXPECT_OK(zeEventHostReset(events_[0]));
  EXPECT_EQ(zeEventQueryStatus(events_[0]), ZE_RESULT_NOT_READY);
}

TEST_F(Events, AreSignalledAndResetByLists) {
  EXPECT_OK(zeCommandListAppendSignalEvent(list_, events_[0]));
  EXPECT_OK(zeCommandListAppendSignalEventWithParameters(list_, nullptr, events_[1]));
  finish();
  EXPECT_OK(zeEventQueryStatus(events_[0]));
  EXPECT_OK(zeEventQueryStatus(events_[1]));
  EXPECT_OK(zeCommandListAppendEventReset(list_, events_[0]));
  finish();
  EXPECT_EQ(zeEventQueryStatus(events_[0]), ZE_RESULT_NOT_READY);
}

// The list copies only after the host has written and signalled.
TEST_F(Events, HoldListsBack) {
  for (bool with_parameters : {false, true}) {
    Array<std::uint32_t> from(1000), to(1000);
    if (with_parameters)
      EXPECT_OK(zeCommandListAppendWaitOnEventsWithParameters(list_, nullptr, 1, &events_[0]));
    else
      EXPECT_OK(zeCommandListAppendWaitOnEvents(list_, 1, &events_[0]));
    EXPECT_OK(zeCommandListAppendMemoryCopy(list_, to.data(), from.data(), 4000, events_[1], 0, nullptr));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(zeEventQueryStatus(events_[1]), ZE_RESULT_NOT_READY);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = 5;
    EXPECT_OK(zeEventHostSignal(events_[0]));
    EXPECT_OK(zeEventHostSynchronize(events_[1], UINT64_MAX));
    EXPECT_EQ(to[999], 5u);
    finish();
    for (auto event : events_) EXPECT_OK(zeEventHostReset(event));
  }
}

// An out-of-order list: the copy behind the barrier sees what was filled before it.
TEST_F(Events, BarriersOrderWhatIsNotInOrder) {
  const Device& d = Device::get();
  const ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_list_handle_t loose = nullptr;
  ASSERT_OK(zeCommandListCreateImmediate(d.context, d.device, &desc, &loose));
  for (int kind = 0; kind < 2; ++kind)
    for (std::uint32_t round = 1; round < 20; ++round) {
      Array<std::uint32_t> from(1 << 18), to(1 << 18);
      const std::size_t bytes = from.size() * 4;
      const void* range = from.data();
      // held back, so that nothing is done before all is appended
      EXPECT_OK(zeCommandListAppendMemoryFill(loose, from.data(), &round, 4, bytes, nullptr, 1, &events_[0]));
      if (kind == 0)
        EXPECT_OK(zeCommandListAppendBarrier(loose, nullptr, 0, nullptr));
      else
        EXPECT_OK(zeCommandListAppendMemoryRangesBarrier(loose, 1, &bytes, &range, nullptr, 0, nullptr));
      EXPECT_OK(zeCommandListAppendMemoryCopy(loose, to.data(), from.data(), bytes, nullptr, 0, nullptr));
      EXPECT_OK(zeEventHostSignal(events_[0]));
      EXPECT_OK(zeCommandListHostSynchronize(loose, UINT64_MAX));
      EXPECT_OK(zeEventHostReset(events_[0]));
      ASSERT_EQ(to[0], round);
      ASSERT_EQ(to[to.size() - 1], round);
    }
  EXPECT_OK(zeCommandListDestroy(loose));
}

bool is_span(const ze_kernel_timestamp_data_t& data) {
  return data.kernelStart > 0 && data.kernelStart <= data.kernelEnd;
}

TEST_F(Events, MeasureWhatTheyFollow) {
  Array<std::uint32_t> words(1 << 20);
  const std::uint32_t value = 1;
  for (int i = 0; i < 2; ++i)
    EXPECT_OK(zeCommandListAppendMemoryFill(list_, words.data(), &value, 4, words.size() * 4, events_[i], 0, nullptr));
  Array<ze_kernel_timestamp_result_t> queried(3);
  const std::size_t offsets[] = {sizeof queried[0], 2 * sizeof queried[0]};
  EXPECT_OK(zeCommandListAppendQueryKernelTimestamps(list_, 2, events_, queried.data(), offsets, nullptr, 0, nullptr));
  finish();
  ze_kernel_timestamp_result_t first{}, second{};
  EXPECT_OK(zeEventQueryKernelTimestamp(events_[0], &first));
  EXPECT_OK(zeEventQueryKernelTimestamp(events_[1], &second));
  EXPECT_TRUE(is_span(first.global));
  EXPECT_TRUE(is_span(second.global));
  EXPECT_LE(first.global.kernelEnd, second.global.kernelStart);
  EXPECT_EQ(queried[0].global.kernelStart, 0u);
  EXPECT_EQ(queried[1].global.kernelStart, first.global.kernelStart);
  EXPECT_EQ(queried[2].global.kernelEnd, second.global.kernelEnd);
}

TEST_F(Events, MeasureForEachDevice) {
  EXPECT_OK(zeCommandListAppendSignalEvent(list_, events_[0]));
  finish();
  std::uint32_t count = 0;
  EXPECT_OK(zeEventQueryTimestampsExp(events_[0], Device::get().device, &count, nullptr));
  ASSERT_EQ(count, 1u);
  ze_kernel_timestamp_result_t stamp{};
  EXPECT_OK(zeEventQueryTimestampsExp(events_[0], Device::get().device, &count, &stamp));
  EXPECT_TRUE(is_span(stamp.global));
  ze_kernel_timestamp_result_t again{};
  ze_event_query_kernel_timestamps_results_ext_properties_t results{};
  results.stype = ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES;
  results.pKernelTimestampsBuffer = &again;
  count = 1;
  EXPECT_OK(zeEventQueryKernelTimestampsExt(events_[0], Device::get().device, &count, &results));
  EXPECT_EQ(again.global.kernelEnd, stamp.global.kernelEnd);
}

// The list's word reaches the event's value when the copy before it is done.
TEST_F(Events, CounterBasedOnesAreWordsOfMemory) {
  const Device& d = Device::get();
  const ze_event_counter_based_flags_t flags =
      ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE | ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE;
  const ze_event_counter_based_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC, nullptr, flags,
                                           ZE_EVENT_SCOPE_FLAG_HOST, 0};
  ze_event_handle_t counter = nullptr;
  ASSERT_OK(zeEventCounterBasedCreate(d.context, d.device, &desc, &counter));
  ze_event_counter_based_flags_t told = 0;
  EXPECT_OK(zeEventGetCounterBasedFlags(counter, &told));
  EXPECT_EQ(told, flags);
  Array<std::uint32_t> words(1000);
  const std::uint32_t value = 3;
  EXPECT_OK(zeCommandListAppendMemoryFill(list_, words.data(), &value, 4, 4000, counter, 0, nullptr));
  std::uint64_t target = 0, address = 0;
  EXPECT_OK(zeEventCounterBasedGetDeviceAddress(counter, &target, &address));
  EXPECT_OK(zeEventHostSynchronize(counter, UINT64_MAX));
  EXPECT_EQ(words[999], 3u);
  ASSERT_NE(address, 0u);
  EXPECT_GE(*reinterpret_cast<const volatile std::uint64_t*>(address), target);
  EXPECT_GT(target, 0u);
  EXPECT_OK(zeEventDestroy(counter));
}

TEST_F(Events, TellWhatTheyAre) {
  ze_event_pool_handle_t pool = nullptr;
  ze_event_scope_flags_t signal = 0, wait = 0;
  ze_event_pool_flags_t flags = 0;
  ze_context_handle_t context = nullptr;
  EXPECT_OK(zeEventGetEventPool(events_[2], &pool));
  EXPECT_OK(zeEventGetSignalScope(events_[2], &signal));
  EXPECT_OK(zeEventGetWaitScope(events_[2], &wait));
  EXPECT_OK(zeEventPoolGetFlags(pool_, &flags));
  EXPECT_OK(zeEventPoolGetContextHandle(pool_, &context));
  EXPECT_EQ(pool, pool_);
  EXPECT_EQ(signal, ze_event_scope_flags_t(ZE_EVENT_SCOPE_FLAG_HOST));
  EXPECT_EQ(wait, ze_event_scope_flags_t(ZE_EVENT_SCOPE_FLAG_DEVICE));
  EXPECT_EQ(flags, ze_event_pool_flags_t(ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP));
  EXPECT_EQ(context, Device::get().context);
}

} // namespace
} // namespace device_tests
