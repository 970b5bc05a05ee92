// The loader's own functions, and what upstream's static loader takes from the library by name.
#include <cstring>
#include <vector>

#include <dlfcn.h>
#include <level_zero/layers/zel_tracing_ddi.h>
#include <level_zero/loader/ze_loader.h>
#include <level_zero/ze_ddi.h>

#include <zeroth/api/tables.hpp>

#include <entry/testing/fresh_process.hpp>

namespace {

using namespace zeroth;
using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

template <class Function> Function* by_name(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

TEST(Loader, names_itself_as_the_component_that_adapters_look_for) {
  size_t count = 0;
  ASSERT_EQ(zelLoaderGetVersions(&count, nullptr), ZE_RESULT_SUCCESS);
  ASSERT_EQ(count, 1u);
  zel_component_version_t version{};
  ASSERT_EQ(zelLoaderGetVersions(&count, &version), ZE_RESULT_SUCCESS);
  EXPECT_STREQ(version.component_name, "loader");
  EXPECT_EQ(version.spec_version, ZE_API_VERSION_1_20);
  EXPECT_EQ(version.component_lib_version.major, 1);
  EXPECT_GE(version.component_lib_version.minor, 22) << "older loaders make SYCL's adapters warn";
  EXPECT_EQ(zelLoaderGetVersions(nullptr, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  EXPECT_EQ(zelGetLoaderVersion(nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST(Loader, offers_every_internal_name_of_the_static_loader) {
  auto* init = by_name<ze_result_t()>("zeLoaderInit");
  auto* versions = by_name<decltype(zelLoaderGetVersions)>("zelLoaderGetVersionsInternal");
  auto* tracing = by_name<void*()>("zeLoaderGetTracingHandle");
  auto* translate = by_name<decltype(zelLoaderTranslateHandle)>("zelLoaderTranslateHandleInternal");
  ASSERT_TRUE(init && versions && tracing && translate);
  EXPECT_EQ(init(), ZE_RESULT_SUCCESS);
  size_t count = 0;
  EXPECT_EQ(versions(&count, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(tracing(), nullptr);
}

// The static loader's structures are those of the version that it was built with.
TEST(LoaderGetters, write_the_entries_of_the_version_asked_for_and_no_byte_more) {
  using Getter = ze_result_t(ze_api_version_t, void*);
  for (const TableInfo& table : all_tables) {
    auto* getter = by_name<Getter>(table.getter);
    ASSERT_NE(getter, nullptr) << table.getter;
    for (ze_api_version_t version :
         {ZE_API_VERSION_1_0, ZE_API_VERSION_1_8, ZE_API_VERSION_1_15, ZE_API_VERSION_1_20}) {
      std::vector<void*> slots(table.slots + 1, nullptr);
      ASSERT_EQ(getter(version, slots.data()), ZE_RESULT_SUCCESS) << table.getter;
      for (uint32_t i = 0; i <= table.slots; ++i) {
        const bool known = i < table.slots && table.slot[i].since <= version;
        EXPECT_EQ(slots[i] != nullptr, known)
            << table.getter << " entry " << i << " of version " << std::hex << version;
        EXPECT_TRUE(!known || slots[i] == dlsym(RTLD_DEFAULT, table.slot[i].function)) << table.slot[i].function;
      }
    }
    EXPECT_EQ(getter(ZE_API_VERSION_1_20, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER) << table.getter;
  }
}

TEST(LoaderGetters, give_the_tracers_table) {
  zel_tracer_dditable_t table{};
  ASSERT_EQ(zelGetTracerApiProcAddrTable(ZE_API_VERSION_1_15, &table), ZE_RESULT_SUCCESS);
  EXPECT_TRUE(table.pfnCreate && table.pfnDestroy && table.pfnSetPrologues && table.pfnSetEpilogues &&
              table.pfnSetEnabled);
}

TEST(TranslateHandle, gives_a_plugins_handle_itself) {
  in_fresh_process([] {
    void* out = nullptr;
    EXPECT_EQ(zelLoaderTranslateHandle(ZEL_HANDLE_DRIVER, nullptr, &out), ZE_RESULT_ERROR_UNINITIALIZED);
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    uint32_t count = 1;
    ze_driver_handle_t driver = nullptr;
    ASSERT_EQ(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zelLoaderTranslateHandle(ZEL_HANDLE_DRIVER, driver, &out), ZE_RESULT_SUCCESS);
    EXPECT_EQ(out, driver);
    EXPECT_EQ(zelLoaderTranslateHandle(ZEL_HANDLE_DRIVER, nullptr, &out), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    EXPECT_EQ(zelLoaderTranslateHandle(ZEL_HANDLE_DRIVER, driver, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    const auto unknown = static_cast<zel_handle_type_t>(99);
    EXPECT_EQ(zelLoaderTranslateHandle(unknown, driver, &out), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  });
}

TEST(Teardown, callback_runs_at_exit_unless_its_owner_went_first) {
  constexpr int CallbackRan = 3;
  in_fresh_process(
      [] {
        zel_application_teardown_callback_t forget = nullptr;
        uint32_t gone = 0, kept = 0;
        ASSERT_EQ(zelRegisterTeardownCallback([] { _exit(1); }, &forget, &gone), ZE_RESULT_SUCCESS);
        ASSERT_EQ(zelRegisterTeardownCallback([] { _exit(CallbackRan); }, &forget, &kept), ZE_RESULT_SUCCESS);
        forget(gone);
        EXPECT_FALSE(zelCheckIsLoaderInTearDown());
        EXPECT_EQ(zelRegisterTeardownCallback(nullptr, &forget, &kept), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
      },
      CallbackRan);
}

TEST(Teardown, leaves_live_handles_working_and_refuses_a_first_init) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zelSetDriverTeardown(), ZE_RESULT_SUCCESS);
    EXPECT_TRUE(zelCheckIsLoaderInTearDown());
    uint32_t count = 1;
    ze_driver_handle_t driver = nullptr;
    EXPECT_EQ(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zeDeviceGet(driver, &count, nullptr), ZE_RESULT_SUCCESS);
  });
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zelSetDriverTeardown(), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zeInit(0), ZE_RESULT_ERROR_UNINITIALIZED);
  });
}

} // namespace
