#include <map>
#include <string>

#include <gtest/gtest.h>
#include <zeroth/api/refuse.hpp>
#include <zeroth/api/slot_walk.hpp>
#include <zeroth/api/tables.hpp>

namespace {
std::map<std::string, int> notes;
} // namespace

namespace zeroth {

void note_unsupported(const char* function) noexcept { ++notes[function]; }

namespace {

TEST(UnsupportedTables, EverySlotRefusesWithTheListedCodeAndIsNotedOnce) {
  for (int round = 0; round < 2; ++round)
    for (const WalkedSlot& slot : walked_slots) {
      const uint64_t answer = slot.call(unsupported_tables());
      EXPECT_TRUE(!slot.returns_result || answer == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) << slot.function;
    }
  for (const WalkedSlot& slot : walked_slots) EXPECT_EQ(notes[slot.function], 1) << slot.function;
}

TEST(DeviceLostTables, EverySlotAnswersDeviceLost) {
  for (const WalkedSlot& slot : walked_slots) {
    const uint64_t answer = slot.call(device_lost_tables());
    EXPECT_TRUE(!slot.returns_result || answer == ZE_RESULT_ERROR_DEVICE_LOST) << slot.function;
  }
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

// Counted in the headers of API 1.4 (libze-dev 1.8.12), not taken from the data.
constexpr struct {
  const char* getter;
  uint32_t entries;
} tables_of_1_4[] = {{"zeGetGlobalProcAddrTable", 1},
                     {"zeGetDriverProcAddrTable", 6},
                     {"zeGetDeviceProcAddrTable", 18},
                     {"zeGetDeviceExpProcAddrTable", 1},
                     {"zeGetContextProcAddrTable", 9},
                     {"zeGetCommandQueueProcAddrTable", 4},
                     {"zeGetCommandListProcAddrTable", 28},
                     {"zeGetImageProcAddrTable", 4},
                     {"zeGetImageExpProcAddrTable", 2},
                     {"zeGetMemProcAddrTable", 10},
                     {"zeGetFenceProcAddrTable", 5},
                     {"zeGetEventPoolProcAddrTable", 5},
                     {"zeGetEventProcAddrTable", 7},
                     {"zeGetEventExpProcAddrTable", 1},
                     {"zeGetModuleProcAddrTable", 9},
                     {"zeGetModuleBuildLogProcAddrTable", 2},
                     {"zeGetKernelProcAddrTable", 12},
                     {"zeGetKernelExpProcAddrTable", 2},
                     {"zeGetSamplerProcAddrTable", 2},
                     {"zeGetPhysicalMemProcAddrTable", 2},
                     {"zeGetVirtualMemProcAddrTable", 7},
                     {"zeGetFabricVertexExpProcAddrTable", 4},
                     {"zeGetFabricEdgeExpProcAddrTable", 3},
                     {"zesGetDeviceProcAddrTable", 29},
                     {"zesGetDriverProcAddrTable", 2},
                     {"zesGetSchedulerProcAddrTable", 8},
                     {"zesGetPerformanceFactorProcAddrTable", 3},
                     {"zesGetPowerProcAddrTable", 8},
                     {"zesGetFrequencyProcAddrTable", 17},
                     {"zesGetEngineProcAddrTable", 2},
                     {"zesGetStandbyProcAddrTable", 3},
                     {"zesGetFirmwareProcAddrTable", 2},
                     {"zesGetMemoryProcAddrTable", 3},
                     {"zesGetFabricPortProcAddrTable", 6},
                     {"zesGetTemperatureProcAddrTable", 4},
                     {"zesGetPsuProcAddrTable", 2},
                     {"zesGetFanProcAddrTable", 6},
                     {"zesGetLedProcAddrTable", 4},
                     {"zesGetRasProcAddrTable", 4},
                     {"zesGetDiagnosticsProcAddrTable", 3},
                     {"zetGetDeviceProcAddrTable", 1},
                     {"zetGetContextProcAddrTable", 1},
                     {"zetGetCommandListProcAddrTable", 4},
                     {"zetGetModuleProcAddrTable", 1},
                     {"zetGetKernelProcAddrTable", 1},
                     {"zetGetMetricProcAddrTable", 2},
                     {"zetGetMetricGroupProcAddrTable", 3},
                     {"zetGetMetricGroupExpProcAddrTable", 1},
                     {"zetGetMetricStreamerProcAddrTable", 3},
                     {"zetGetMetricQueryPoolProcAddrTable", 2},
                     {"zetGetMetricQueryProcAddrTable", 4},
                     {"zetGetTracerExpProcAddrTable", 5},
                     {"zetGetDebugProcAddrTable", 11}};

TEST(TableList, HoldsAtVersion1_4TheEntriesThatItsHeadersHave) {
  std::map<std::string, uint32_t> expected;
  for (const auto& table : tables_of_1_4) expected[table.getter] = table.entries;
  for (const TableInfo& table : all_tables)
    EXPECT_EQ(slots_of(table, ZE_API_VERSION_1_4), expected[table.getter]) << table.getter;
}

} // namespace
} // namespace zeroth
