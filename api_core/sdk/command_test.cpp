#include "zeroth_command.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zeroth/api/refuse.hpp>
#include <zeroth/api/tables.hpp>

namespace {
std::vector<std::string> called;
}

void zeroth::note_unsupported(const char* function) noexcept { called.emplace_back(function); }

namespace zeroth {
namespace {

std::vector<std::uint32_t> all_commands() {
  std::vector<std::uint32_t> found;
  for (std::uint32_t code = 0; code < 0x10000; ++code)
    if (zeroth_get_command_info(code)) found.push_back(code);
  return found;
}

// Tables whose every function only says that it was called.
ze_handle_t noting_tables() {
  static DispatchTables tables = unsupported_tables();
  connect(tables);
  return {&tables.core_container, &tables.tools_container, &tables.sysman_container, &tables.runtime_container};
}

TEST(Commands, each_has_a_number_a_name_and_a_structure) {
  std::set<std::string> names;
  for (std::uint32_t code : all_commands()) {
    names.insert(zeroth_get_command_info(code)->function);
    EXPECT_GE(zeroth_get_command_info(code)->size, sizeof(void*));
  }
  EXPECT_EQ(names.size(), all_commands().size());
  EXPECT_GE(names.size(), 41u);
  EXPECT_STREQ(zeroth_get_command_info(ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL)->function,
               "zeCommandListAppendLaunchKernel");
}

TEST(Commands, numbers_are_fixed_for_ever) {
  EXPECT_EQ(ZEROTH_COMMAND_APPEND_BARRIER, 0x0006);
  EXPECT_EQ(ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL, 0x0016);
  EXPECT_EQ(ZEROTH_COMMAND_APPEND_HOST_FUNCTION, 0x0033);
  EXPECT_EQ(ZEROTH_COMMAND_ZET_APPEND_METRIC_QUERY_END, 0x0302);
}

TEST(Commands, appending_again_calls_the_function_that_recorded) {
  const ze_handle_t tables = noting_tables();
  for (std::uint32_t code : all_commands()) {
    called.clear();
    const std::vector<std::uint64_t> params(32);
    ASSERT_LE(zeroth_get_command_info(code)->size, 32 * sizeof(std::uint64_t));
    EXPECT_NE(zeroth_append_command(&tables, nullptr, code, params.data()), ZE_RESULT_SUCCESS);
    EXPECT_EQ(called, std::vector<std::string>{zeroth_get_command_info(code)->function});
  }
  EXPECT_EQ(zeroth_append_command(&tables, nullptr, 0xffff, nullptr), ZE_RESULT_ERROR_INVALID_ENUMERATION);
}

TEST(Commands, appending_again_goes_to_the_target_with_the_recorded_parameters) {
  static zeroth_append_launch_kernel seen;
  ze_handle_t tables = noting_tables();
  tables.pCore->CommandList->pfnAppendLaunchKernel = [](ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                        const ze_group_count_t* count, ze_event_handle_t signal,
                                                        std::uint32_t waits, ze_event_handle_t* events) {
    seen = {list, kernel, count, signal, waits, events};
    return ZE_RESULT_SUCCESS;
  };
  const auto handle = []<class H>(H, std::uintptr_t value) { return reinterpret_cast<H>(value); };
  const ze_group_count_t count{1, 2, 3};
  ze_event_handle_t wait = handle(ze_event_handle_t{}, 4);
  zeroth_append_launch_kernel params{handle(ze_command_list_handle_t{}, 1),
                                     handle(ze_kernel_handle_t{}, 2),
                                     &count,
                                     handle(ze_event_handle_t{}, 3),
                                     1,
                                     &wait};
  const auto target = handle(ze_command_list_handle_t{}, 5);
  EXPECT_EQ(zeroth_append_command(&tables, target, ZEROTH_COMMAND_APPEND_LAUNCH_KERNEL, &params), ZE_RESULT_SUCCESS);
  EXPECT_EQ(seen.hCommandList, target);
  EXPECT_EQ(seen.hKernel, params.hKernel);
  EXPECT_EQ(seen.pLaunchFuncArgs, params.pLaunchFuncArgs);
  EXPECT_EQ(seen.hSignalEvent, params.hSignalEvent);
  EXPECT_EQ(seen.numWaitEvents, params.numWaitEvents);
  EXPECT_EQ(seen.phWaitEvents, params.phWaitEvents);
}

TEST(Commands, events_are_found_without_knowing_the_command) {
  const zeroth_command_info* copy = zeroth_get_command_info(ZEROTH_COMMAND_APPEND_MEMORY_COPY);
  EXPECT_EQ(copy->signal_event, static_cast<std::int32_t>(offsetof(zeroth_append_memory_copy, hSignalEvent)));
  EXPECT_EQ(copy->wait_event_count, static_cast<std::int32_t>(offsetof(zeroth_append_memory_copy, numWaitEvents)));
  EXPECT_EQ(copy->wait_events, static_cast<std::int32_t>(offsetof(zeroth_append_memory_copy, phWaitEvents)));
  EXPECT_EQ(zeroth_get_command_info(ZEROTH_COMMAND_APPEND_MEM_ADVISE)->signal_event, -1);
}

} // namespace
} // namespace zeroth
