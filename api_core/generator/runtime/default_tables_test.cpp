#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <zeroth/api/call.hpp>
#include <zeroth/api/refuse.hpp>
#include <zeroth/api/tables.hpp>

namespace {
std::map<std::string, int> notes;
} // namespace

namespace zeroth {

void note_unsupported(const char* function) noexcept { ++notes[function]; }

namespace {

struct Answer {
  const char* function;
  bool is_result;
  uint64_t value;
};

// Calls every slot of a set of tables with nothing.
std::vector<Answer> answers_of(const DispatchTables& tables) {
  std::vector<Answer> answers;
  const auto returns_result = []<class R, class... A>(R (*)(A...)) { return std::is_same_v<R, ze_result_t>; };
#define ZEROTH_SLOT(family, table, entry, function, index)                                                             \
  answers.push_back(                                                                                                   \
      {#function, returns_result(tables.family.table.entry), call_with_nothing(tables.family.table.entry)});
#include <zeroth/api/slots.inc>
  return answers;
}

TEST(UnsupportedTables, EverySlotRefusesWithTheListedCodeAndIsNotedOnce) {
  for (int round = 0; round < 2; ++round)
    for (const Answer& answer : answers_of(unsupported_tables()))
      EXPECT_TRUE(!answer.is_result || answer.value == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) << answer.function;
  for (const Answer& answer : answers_of(device_lost_tables())) EXPECT_EQ(notes[answer.function], 1) << answer.function;
}

TEST(DeviceLostTables, EverySlotAnswersDeviceLost) {
  for (const Answer& answer : answers_of(device_lost_tables()))
    EXPECT_TRUE(!answer.is_result || answer.value == ZE_RESULT_ERROR_DEVICE_LOST) << answer.function;
}

TEST(DefaultTables, FunctionsWithoutResultCodeReturnTheirFailureValue) {
  for (const DispatchTables* tables : {&unsupported_tables(), &device_lost_tables()}) {
    EXPECT_EQ(tables->ze.Driver.pfnGetDefaultContext(nullptr), nullptr);
    EXPECT_EQ(tables->zer.Global.pfnTranslateIdentifierToDeviceHandle(0), nullptr);
    EXPECT_EQ(tables->zer.Global.pfnTranslateDeviceHandleToIdentifier(nullptr), UINT32_MAX);
    EXPECT_EQ(tables->zer.Global.pfnGetDefaultContext(), nullptr);
  }
}

TEST(DefaultTables, ContainersPointAtTheTablesBesideThem) {
  for (const DispatchTables* tables : {&unsupported_tables(), &device_lost_tables()}) {
    EXPECT_EQ(tables->core_container.CommandList, &tables->ze.CommandList);
    EXPECT_EQ(tables->sysman_container.Driver, &tables->zes.Driver);
    EXPECT_EQ(tables->tools_container.Debug, &tables->zet.Debug);
    EXPECT_EQ(tables->runtime_container.Global, &tables->zer.Global);
    EXPECT_EQ(tables->core_container.version, ZE_API_VERSION_CURRENT);
    EXPECT_EQ(tables->core_container.isValidFlag, 1);
  }
}

TEST(TableList, KnowsEntriesByVersion) {
  for (const TableInfo& table : all_tables) {
    EXPECT_EQ(slots_of(table, ZE_API_VERSION_CURRENT), table.slots) << table.getter;
    EXPECT_EQ(slots_of(table, ze_api_version_t(ZE_MAKE_VERSION(2, 0))), table.slots) << table.getter;
    for (uint32_t slot = 0; slot < table.slots; ++slot) EXPECT_GE(table.slot[slot].since, table.since) << table.getter;
  }
  // zeInit alone: zeInitDrivers came with 1.10.
  EXPECT_EQ(slots_of(all_tables[4], ZE_API_VERSION_1_8), 1u);
}

} // namespace
} // namespace zeroth
