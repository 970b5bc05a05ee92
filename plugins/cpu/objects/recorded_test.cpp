// Lists that keep their calls: clones, walks and changes in place.
#include "command_interfaces.hpp"
#include "list_fixture.hpp"

#include <sdk/zeroth_command.h>

namespace zeroth::cpu {
namespace {

using namespace testing;
using std::uint64_t;

class Recorded : public ListFixture {
protected:
  ~Recorded() override { ze().CommandQueue.pfnDestroy(work_); }

  ze_command_list_handle_t cloneable() {
    return keep(regular_list(ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE | ZE_COMMAND_LIST_FLAG_IN_ORDER));
  }
  void execute(ze_command_list_handle_t list) {
    ASSERT_EQ(ze().CommandQueue.pfnExecuteCommandLists(work_, 1, &list, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(ze().CommandQueue.pfnSynchronize(work_, Forever), ZE_RESULT_SUCCESS);
  }

  const zeroth_command_walk& walk_ =
      *static_cast<const zeroth_command_walk*>(find_interface(ZEROTH_COMMAND_WALK, ZEROTH_COMMAND_WALK_VERSION));
  const zeroth_command_patch& patch_ =
      *static_cast<const zeroth_command_patch*>(find_interface(ZEROTH_COMMAND_PATCH, ZEROTH_COMMAND_PATCH_VERSION));
  ze_command_queue_handle_t work_ = queue();
};

TEST_F(Recorded, InterfacesHaveNamesAndVersions) {
  EXPECT_EQ(find_interface("no_such_interface", 1), nullptr);
  EXPECT_EQ(find_interface(ZEROTH_COMMAND_WALK, ZEROTH_COMMAND_WALK_VERSION + 1), nullptr);
  EXPECT_EQ(walk_.struct_size, sizeof walk_);
  EXPECT_EQ(patch_.struct_size, sizeof patch_);
}

TEST_F(Recorded, ACloneWaitsForWhatItsSourceWaitsForWhateverTheEventStandsForSince) {
  auto list = cloneable();
  auto event = new_counter_event();
  auto gate = new_event();
  uint64_t word = 0;
  auto other = in_order();
  launch(other, kernel("mix", &word, 1), 1, event);
  launch(list, kernel("mix", &word, 2), 1, nullptr, {event});
  ze().CommandList.pfnClose(list);
  ASSERT_EQ(wait(other), ZE_RESULT_SUCCESS);
  launch(other, kernel("mix", &word, 0), 1, event, {gate});
  ze_command_list_handle_t clone = nullptr;
  ASSERT_EQ(ze().CommandListExp.pfnCreateCloneExp(list, &clone), ZE_RESULT_SUCCESS);
  execute(clone);
  EXPECT_EQ(word, 5u);
  ze().Event.pfnHostSignal(gate);
  EXPECT_EQ(wait(other), ZE_RESULT_SUCCESS);
  ze().CommandList.pfnDestroy(clone);
}

TEST_F(Recorded, ACloneOfAListThatWaitsForItsOwnSignalDoesNotWaitForItsSource) {
  auto list = cloneable();
  auto event = new_counter_event();
  uint64_t word = 0;
  launch(list, kernel("mix", &word, 1), 1, event);
  launch(list, kernel("mix", &word, 2), 1, nullptr, {event});
  ze().CommandList.pfnClose(list);
  ze_command_list_handle_t clone = nullptr;
  ASSERT_EQ(ze().CommandListExp.pfnCreateCloneExp(list, &clone), ZE_RESULT_SUCCESS);
  execute(clone);
  EXPECT_EQ(word, 5u);
  ze().CommandList.pfnDestroy(clone);
}

TEST_F(Recorded, ACloneDoesTheSameWhateverBecomesOfTheKernel) {
  uint64_t word = 0;
  char from[32] = "copied", to[32] = {};
  auto list = cloneable();
  auto mix = kernel("mix", &word, 1);
  launch(list, mix);
  const uint64_t two = 2;
  ze().Kernel.pfnSetArgumentValue(mix, 1, 8, &two);
  launch(list, mix);
  ze().CommandList.pfnAppendMemoryCopy(list, to, from, sizeof from, nullptr, 0, nullptr);
  ze_command_list_handle_t clone = nullptr;
  EXPECT_EQ(ze().CommandListExp.pfnCreateCloneExp(list, &clone), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "not closed";
  ze().CommandList.pfnClose(list);
  const uint64_t nine = 9;
  ze().Kernel.pfnSetArgumentValue(mix, 1, 8, &nine); // neither list knows of it
  ASSERT_EQ(ze().CommandListExp.pfnCreateCloneExp(list, &clone), ZE_RESULT_SUCCESS);
  for (auto one : {list, clone, list}) {
    word = 0;
    to[0] = 0;
    execute(one);
    EXPECT_EQ(word, 5u);
    EXPECT_STREQ(to, "copied");
  }
  ze().CommandList.pfnDestroy(clone);
  auto plain = keep(regular_list(0));
  ze().CommandList.pfnClose(plain);
  EXPECT_EQ(ze().CommandListExp.pfnCreateCloneExp(plain, &clone), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

TEST_F(Recorded, AClonesLaunchesHaveTheirArgumentsAndTheOriginalKeepsThem) {
  uint64_t word = 0;
  void* pointer = &word;
  uint64_t value = 2;
  void* values[] = {&pointer, &value};
  auto list = cloneable();
  auto mix = kernel("mix", &word, 7);
  ASSERT_EQ(ze().CommandList.pfnAppendLaunchKernelWithArguments(list, mix, {1, 1, 1}, {1, 1, 1}, values, nullptr,
                                                                nullptr, 0, nullptr),
            ZE_RESULT_SUCCESS);
  zeroth_command_id id = 0;
  patch_.last_command(list, &id);
  ze().CommandList.pfnClose(list);
  ze_command_list_handle_t first = nullptr, second = nullptr, changed = nullptr;
  ASSERT_EQ(ze().CommandListExp.pfnCreateCloneExp(list, &first), ZE_RESULT_SUCCESS);
  ASSERT_EQ(ze().CommandListExp.pfnCreateCloneExp(list, &second), ZE_RESULT_SUCCESS);
  const uint64_t four = 4;
  ASSERT_EQ(patch_.set_argument(list, id, 1, 8, &four), ZE_RESULT_SUCCESS);
  ASSERT_EQ(ze().CommandListExp.pfnCreateCloneExp(list, &changed), ZE_RESULT_SUCCESS);
  const std::pair<ze_command_list_handle_t, uint64_t> wanted[] = {{first, 2}, {second, 2}, {changed, 4}, {list, 4}};
  for (auto [one, result] : wanted) {
    word = 0;
    execute(one);
    EXPECT_EQ(word, result);
  }
  for (auto one : {first, second, changed}) keep(one);
}

// What a walk shows can be given back to a change in place: it stands in the very place that is changed.
TEST_F(Recorded, AValueThatWasShownCanBeGivenBack) {
  uint64_t word = 0;
  auto list = cloneable();
  launch(list, kernel("mix", &word, 7));
  zeroth_command_id id = 0;
  patch_.last_command(list, &id);
  ze().CommandList.pfnClose(list);
  auto visit = [](void* user, const zeroth_command* command) {
    *static_cast<const void**>(user) = command->kernels[0].arguments[1].value;
    return ZE_RESULT_SUCCESS;
  };
  const void* shown = nullptr;
  ASSERT_EQ(walk_.walk_list(list, visit, &shown), ZE_RESULT_SUCCESS);
  ASSERT_EQ(patch_.set_argument(list, id, 1, 8, shown), ZE_RESULT_SUCCESS);
  execute(list);
  EXPECT_EQ(word, 7u);
}

TEST_F(Recorded, ALaunchIsShownAsItWouldRunAfterChangesAndInClones) {
  uint64_t word = 0;
  void* pointer = &word;
  uint64_t value = 2;
  void* values[] = {&pointer, &value};
  auto list = cloneable();
  auto mix = kernel("mix", &word, 7), add = kernel("add", &word, 7);
  ze().CommandList.pfnAppendLaunchKernelWithArguments(list, mix, {1, 1, 1}, {1, 1, 1}, values, nullptr, nullptr, 0,
                                                      nullptr);
  zeroth_command_id id = 0;
  patch_.last_command(list, &id);
  ze().CommandList.pfnClose(list);
  const uint32_t two[3] = {2, 1, 1};
  ASSERT_EQ(patch_.set_group_size(list, id, two), ZE_RESULT_SUCCESS);
  ASSERT_EQ(patch_.set_kernel(list, id, add), ZE_RESULT_SUCCESS);
  ASSERT_EQ(patch_.set_argument(list, id, 0, 8, &pointer), ZE_RESULT_SUCCESS);
  ASSERT_EQ(patch_.set_argument(list, id, 1, 8, &value), ZE_RESULT_SUCCESS);
  ze_command_list_handle_t clone = nullptr;
  ASSERT_EQ(ze().CommandListExp.pfnCreateCloneExp(list, &clone), ZE_RESULT_SUCCESS);
  keep(clone);
  auto visit = [](void* user, const zeroth_command* command) {
    auto& shown = *static_cast<const zeroth_append_launch_kernel_with_arguments*>(command->params);
    EXPECT_EQ(command->command, ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL_WITH_ARGUMENTS);
    EXPECT_EQ(shown.hKernel, user);
    EXPECT_EQ(command->kernels[0].kernel, user);
    EXPECT_EQ(shown.groupSizes.groupSizeX, 2u);
    EXPECT_EQ(*static_cast<const uint64_t*>(shown.pArguments[1]), 2u);
    return ZE_RESULT_SUCCESS;
  };
  for (auto one : {list, clone}) EXPECT_EQ(walk_.walk_list(one, visit, add), ZE_RESULT_SUCCESS);
}

TEST_F(Recorded, AWalkShowsEveryCallWithCopiesOfItsParameters) {
  uint64_t word = 0;
  auto list = cloneable();
  auto mix = kernel("mix", &word, 7);
  auto done = new_event();
  launch(list, mix, 3, done);
  {
    const uint64_t pattern = 0x1234;
    ze().CommandList.pfnAppendMemoryFill(list, &word, &pattern, 8, 8, nullptr, 1, &done);
  }
  std::vector<zeroth_command> seen;
  auto visit = [](void* user, const zeroth_command* command) {
    static_cast<std::vector<zeroth_command>*>(user)->push_back(*command);
    return ZE_RESULT_SUCCESS;
  };
  ASSERT_EQ(walk_.walk_list(list, visit, &seen), ZE_RESULT_SUCCESS);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].command, ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL);
  const auto& first = *static_cast<const zeroth_append_launch_kernel*>(seen[0].params);
  EXPECT_EQ(first.hKernel, mix);
  EXPECT_EQ(first.pLaunchFuncArgs->groupCountX, 3u);
  EXPECT_EQ(first.hSignalEvent, done);
  ASSERT_EQ(seen[0].kernel_count, 1u);
  ASSERT_EQ(seen[0].kernels[0].argument_count, 2u);
  EXPECT_EQ(*static_cast<const uint64_t*>(seen[0].kernels[0].arguments[1].value), 7u);
  EXPECT_EQ(seen[1].command, ZEROTH_COMMAND_APPEND_MEMORY_FILL);
  const auto& second = *static_cast<const zeroth_append_memory_fill*>(seen[1].params);
  EXPECT_EQ(*static_cast<const uint64_t*>(second.pattern), 0x1234u);
  EXPECT_EQ(second.phWaitEvents[0], done);
  auto stop = [](void*, const zeroth_command*) { return ZE_RESULT_ERROR_UNKNOWN; };
  EXPECT_EQ(walk_.walk_list(list, stop, nullptr), ZE_RESULT_ERROR_UNKNOWN);
  EXPECT_EQ(walk_.walk_list(in_order(), visit, &seen), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(walk_.walk_list(keep(regular_list(0)), visit, &seen), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

TEST_F(Recorded, PatchesChangeOneLaunchAndNoOther) {
  uint64_t word = 0;
  std::vector<std::atomic<uint64_t>> counters(8);
  auto list = cloneable();
  launch(list, kernel("mix", &word, 1));
  zeroth_command_id first = 0, second = 0;
  ASSERT_EQ(patch_.last_command(list, &first), ZE_RESULT_SUCCESS);
  auto done = new_event(), other = new_event();
  launch(list, kernel("add", counters.data(), 1), 2, done);
  ASSERT_EQ(patch_.last_command(list, &second), ZE_RESULT_SUCCESS);
  const uint64_t five = 5;
  EXPECT_EQ(patch_.set_argument(list, second, 1, 8, &five), ZE_RESULT_ERROR_INVALID_ARGUMENT) << "not closed";
  ze().CommandList.pfnClose(list);
  ASSERT_EQ(patch_.set_argument(list, second, 1, 8, &five), ZE_RESULT_SUCCESS);
  const ze_group_count_t six{6, 1, 1};
  ASSERT_EQ(patch_.set_group_count(list, second, &six), ZE_RESULT_SUCCESS);
  ASSERT_EQ(patch_.set_signal_event(list, second, other), ZE_RESULT_SUCCESS);
  execute(list);
  EXPECT_EQ(word, 1u);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(counters[static_cast<std::size_t>(i)], i < 6 ? 5u : 0u);
  EXPECT_EQ(ze().Event.pfnQueryStatus(done), ZE_RESULT_NOT_READY);
  EXPECT_EQ(ze().Event.pfnQueryStatus(other), ZE_RESULT_SUCCESS);
  EXPECT_EQ(patch_.set_argument(list, second, 9, 8, &five), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  EXPECT_EQ(patch_.set_argument(list, 99, 1, 8, &five), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const ze_group_count_t absurd{~0u, ~0u, ~0u};
  EXPECT_EQ(patch_.set_group_count(list, second, &absurd), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  execute(list);
  EXPECT_EQ(counters[5], 10u) << "a patch that fails changes nothing";
}

TEST_F(Recorded, ChangesWithoutEndNeedNoMemoryWithoutEnd) {
  if (Sanitized) GTEST_SKIP() << "measures memory";
  uint64_t word = 0;
  void* pointer = &word;
  uint64_t value = 2;
  void* values[] = {&pointer, &value};
  auto list = cloneable();
  ze().CommandList.pfnAppendLaunchKernelWithArguments(list, kernel("mix", &word, 7), {1, 1, 1}, {1, 1, 1}, values,
                                                      nullptr, nullptr, 0, nullptr);
  zeroth_command_id id = 0;
  patch_.last_command(list, &id);
  ze().CommandList.pfnClose(list);
  const std::size_t before = resident_pages();
  for (value = 0; value < 300000; ++value) ASSERT_EQ(patch_.set_argument(list, id, 1, 8, &value), ZE_RESULT_SUCCESS);
  EXPECT_LT(resident_pages(), before + 500);
  execute(list);
  EXPECT_EQ(word, 299999u);
}

TEST_F(Recorded, AnotherKernelWantsItsArgumentsFirst) {
  uint64_t word = 0;
  const void* pointer = &word;
  const uint64_t four = 4;
  auto list = cloneable();
  launch(list, kernel("mix", &word, 1));
  zeroth_command_id id = 0;
  patch_.last_command(list, &id);
  ze().CommandList.pfnClose(list);
  ASSERT_EQ(patch_.set_kernel(list, id, kernel("add", &word, 1)), ZE_RESULT_SUCCESS);
  EXPECT_EQ(ze().CommandQueue.pfnExecuteCommandLists(work_, 1, &list, nullptr), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(patch_.set_argument(list, id, 0, 8, &pointer), ZE_RESULT_SUCCESS);
  ASSERT_EQ(patch_.set_argument(list, id, 1, 8, &four), ZE_RESULT_SUCCESS);
  execute(list);
  execute(list);
  EXPECT_EQ(word, 8u);
}

TEST_F(Recorded, WaitsAreExchangedOneForOne) {
  uint64_t word = 0;
  auto gate = new_event(), open = new_event();
  ze().Event.pfnHostSignal(open);
  auto list = cloneable();
  launch(list, kernel("mix", &word, 1), 1, nullptr, {gate});
  zeroth_command_id id = 0;
  patch_.last_command(list, &id);
  ze().CommandList.pfnClose(list);
  EXPECT_EQ(patch_.set_wait_events(list, id, 0, nullptr), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(patch_.set_wait_events(list, id, 1, &open), ZE_RESULT_SUCCESS);
  execute(list);
  EXPECT_EQ(word, 1u);
}

} // namespace
} // namespace zeroth::cpu
