// The tables behind a driver's handles: complete, and honest about what the plugin does not implement.
#include <set>

#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <zeroth/api/tables.hpp>

#include <entry/testing/fresh_process.hpp>

namespace {

using namespace zeroth;
using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

ze_driver_handle_t only_driver() {
  EXPECT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  EXPECT_EQ(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
  return driver;
}

const void* container(const ze_handle_t& prefix, Family family) {
  const void* const all[] = {prefix.pCore, prefix.pTools, prefix.pSysman, prefix.pRuntime};
  return all[static_cast<int>(family)];
}

TEST(Slots, of_every_table_behind_a_handle_are_filled) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    const auto& prefix = *reinterpret_cast<const ze_handle_t*>(only_driver());
    std::set<const void*> tables;
    for (const TableInfo& table : all_tables) {
      const auto* base = static_cast<const char*>(container(prefix, table.family));
      const auto* slots = *reinterpret_cast<void* const* const*>(base + table.container_offset);
      ASSERT_NE(slots, nullptr) << table.getter;
      EXPECT_TRUE(tables.insert(slots).second) << table.getter << " shares its table with another";
      for (uint32_t i = 0; i < table.slots; ++i) EXPECT_NE(slots[i], nullptr) << table.slot[i].function;
    }
  });
}

TEST(Slots, that_a_plugin_leaves_to_the_default_refuse_with_the_listed_code) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ze_driver_handle_t driver = only_driver();
    ze_driver_ipc_properties_t properties{};
    EXPECT_EQ(zeDriverGetIpcProperties(driver, &properties), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  });
}

// Case 3: a plugin that was built before graphs came.
TEST(OlderPlugin, serves_what_it_has_and_refuses_what_came_later) {
  in_fresh_process([] {
    use_drivers(FAKE_OLDER);
    ze_driver_handle_t driver = only_driver();
    const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ze_context_handle_t context = nullptr;
    ASSERT_EQ(zeContextCreate(driver, &desc, &context), ZE_RESULT_SUCCESS);
    ze_graph_handle_t graph = nullptr;
    EXPECT_EQ(zeGraphCreateExt(context, nullptr, &graph), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    EXPECT_EQ(reinterpret_cast<ze_handle_t*>(context)->pCore->version, ZE_API_VERSION_CURRENT);
    EXPECT_EQ(zeContextDestroy(context), ZE_RESULT_SUCCESS);
  });
}

} // namespace
