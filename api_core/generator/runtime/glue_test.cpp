// A small device in this program: the generated getters, checks and default methods are those every plugin has.
#include <cstring>
#include <new>
#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <zeroth/api/slot_walk.hpp>
#include <zeroth/api/tables.hpp>
#include <zeroth/device/all.hpp>

#include "sdk/error.hpp"

namespace zeroth::device {
namespace {

struct TestContext : Context {
  ze_result_t system_barrier(ze_device_handle_t) override {
    throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "no {}", "barrier");
  }
  ze_result_t get_status() override { throw std::bad_alloc(); }
  ze_result_t destroy() override { throw 42; }
};

struct TestList : CommandList {
  uint32_t waits = 0;
  ze_result_t append_barrier(ze_event_handle_t, uint32_t count, ze_event_handle_t*) override {
    waits = count;
    return ZE_RESULT_SUCCESS;
  }
};

struct TestModule : Module {
  uint32_t modules = 0;
  ze_result_t dynamic_link(uint32_t count, ze_module_handle_t*, ze_module_build_log_handle_t*) override {
    modules = count;
    return ZE_RESULT_SUCCESS;
  }
};

struct TestDriver : Driver {};

struct TestEntry : Entry {
  ze_init_flags_t flags = 0;
  ze_result_t init(ze_init_flags_t given) override {
    flags = given;
    return ZE_RESULT_SUCCESS;
  }
};

TestEntry the_entry;

const ze_dditable_t& ze() { return tables().ze; }

} // namespace

Entry& entry() { return the_entry; }

namespace {

TEST(Handle, IsTheAddressOfThePrefix) {
  TestContext context;
  ze_context_handle_t handle = to_handle(&context);
  EXPECT_EQ(reinterpret_cast<ze_handle_t*>(handle)->pCore, &tables().core_container);
  EXPECT_EQ(reinterpret_cast<ze_handle_t*>(handle)->pTools, &tables().tools_container);
  EXPECT_EQ(reinterpret_cast<ze_handle_t*>(handle)->pSysman, &tables().sysman_container);
  EXPECT_EQ(reinterpret_cast<ze_handle_t*>(handle)->pRuntime, &tables().runtime_container);
  EXPECT_EQ(from_handle<TestContext>(handle), &context);
  EXPECT_EQ(from_handle<TestContext>(ze_context_handle_t{}), nullptr);
  EXPECT_EQ(to_handle(static_cast<TestContext*>(nullptr)), nullptr);
}

TEST(Glue, CallsTheMethodOfTheObject) {
  TestList list;
  ze_event_handle_t events[2] = {};
  EXPECT_EQ(ze().CommandList.pfnAppendBarrier(to_handle(&list), nullptr, 2, events), ZE_RESULT_SUCCESS);
  EXPECT_EQ(list.waits, 2u);
  EXPECT_EQ(ze().Global.pfnInit(ZE_INIT_FLAG_GPU_ONLY), ZE_RESULT_SUCCESS);
  EXPECT_EQ(the_entry.flags, ze_init_flags_t(ZE_INIT_FLAG_GPU_ONLY));
}

TEST(Glue, ChecksArgumentsBeforeTheCall) {
  TestContext context;
  TestList list;
  EXPECT_EQ(ze().Context.pfnGetStatus(nullptr), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  EXPECT_STREQ(last_error::text(), "zeContextGetStatus: hContext is null");
  EXPECT_EQ(ze().Mem.pfnAllocHost(to_handle(&context), nullptr, 1, 1, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  EXPECT_EQ(ze().CommandList.pfnAppendBarrier(to_handle(&list), nullptr, 2, nullptr), ZE_RESULT_ERROR_INVALID_SIZE);
  EXPECT_EQ(ze().Global.pfnInit(0x4), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  char bytes[8];
  EXPECT_EQ(ze().CommandList.pfnAppendMemoryFill(to_handle(&list), bytes, bytes, 0, 8, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_INVALID_SIZE);
}

TEST(Glue, TurnsWhatIsThrownIntoCodeAndText) {
  TestContext context;
  TestDriver driver;
  const auto device = reinterpret_cast<ze_device_handle_t>(to_handle(&driver));
  EXPECT_EQ(ze().Context.pfnSystemBarrier(to_handle(&context), device), ZE_RESULT_ERROR_NOT_AVAILABLE);
  EXPECT_NE(std::strstr(last_error::text(), "no barrier"), nullptr);
  EXPECT_EQ(ze().Context.pfnGetStatus(to_handle(&context)), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(ze().Context.pfnDestroy(to_handle(&context)), ZE_RESULT_ERROR_UNKNOWN);
}

TEST(Glue, RefusesWhatADeviceDoesNotOverride) {
  TestList list;
  TestDriver driver;
  EXPECT_EQ(ze().CommandList.pfnClose(to_handle(&list)), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  EXPECT_EQ(ze().Driver.pfnGetDefaultContext(to_handle(&driver)), nullptr);
  EXPECT_EQ(ze().Driver.pfnGetDefaultContext(nullptr), nullptr);
  EXPECT_EQ(tables().zer.Global.pfnTranslateDeviceHandleToIdentifier(nullptr), UINT32_MAX);
}

TEST(Glue, CallsAFunctionOnManyObjectsOnTheFirst) {
  TestModule module;
  ze_module_handle_t modules[2] = {to_handle(&module), to_handle(&module)};
  ze_module_handle_t none[1] = {};
  EXPECT_EQ(ze().Module.pfnDynamicLink(2, modules, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(module.modules, 2u);
  EXPECT_EQ(ze().Module.pfnDynamicLink(1, none, nullptr), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  EXPECT_EQ(ze().Module.pfnDynamicLink(0, modules, nullptr), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(ze().Module.pfnDynamicLink(1, nullptr, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

// First calls go to the entry, which this program implements; all others end in a check.
TEST(Glue, EverySlotSurvivesNullArguments) {
  const std::set<std::string_view> answers_zero = {"zeInit", "zeDriverGetDefaultContext", "zerGetDefaultContext",
                                                   "zerTranslateIdentifierToDeviceHandle"};
  for (const WalkedSlot& slot : walked_slots)
    EXPECT_EQ(slot.call(tables()) == 0, answers_zero.count(slot.function) == 1) << slot.function;
}

// The getter of each table, found by name as a loader would.
struct Getter {
  const char* name;
  ze_result_t (*call)(ze_api_version_t, void*);
};
#define ZEROTH_GETTER(getter, type, index)                                                                             \
  {#getter, [](ze_api_version_t version, void* table) { return ::getter(version, static_cast<type*>(table)); }},
const Getter getters[] = {
#include <zeroth/api/getters.inc>
};

TEST(Getters, WriteExactlyTheEntriesOfTheVersionAskedFor) {
  static_assert(std::size(getters) == std::size(all_tables));
  for (std::size_t i = 0; i < std::size(getters); ++i)
    for (uint32_t minor = 0; minor <= ZE_MINOR_VERSION(ZE_API_VERSION_CURRENT); ++minor) {
      const auto version = ze_api_version_t(ZE_MAKE_VERSION(1, minor));
      std::vector<uintptr_t> table(all_tables[i].slots + 1, 0xabcd);
      EXPECT_EQ(getters[i].call(version, table.data()), ZE_RESULT_SUCCESS);
      const uint32_t known = slots_of(all_tables[i], version);
      for (uint32_t slot = 0; slot < table.size(); ++slot)
        EXPECT_EQ(table[slot] == 0xabcd, slot >= known) << getters[i].name << " 1." << minor << " slot " << slot;
    }
}

TEST(Getters, RefuseNullAndAnotherMajorVersion) {
  for (const Getter& getter : getters) {
    uintptr_t table[200] = {};
    EXPECT_EQ(getter.call(ZE_API_VERSION_CURRENT, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER) << getter.name;
    EXPECT_EQ(getter.call(ze_api_version_t(ZE_MAKE_VERSION(2, 0)), table), ZE_RESULT_ERROR_UNSUPPORTED_VERSION)
        << getter.name;
    EXPECT_EQ(table[0], 0u);
  }
}

} // namespace
} // namespace zeroth::device
