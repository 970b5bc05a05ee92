// Functions on an array of modules: what is wrong with the array is said before any driver is asked.
#include <level_zero/ze_api.h>

#include <entry/testing/fresh_process.hpp>

namespace {

using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

TEST(ModuleLink, before_init_is_uninitialised) {
  in_fresh_process([] {
    ze_module_handle_t none[] = {nullptr};
    EXPECT_EQ(zeModuleDynamicLink(1, none, nullptr), ZE_RESULT_ERROR_UNINITIALIZED);
  });
}

TEST(ModuleLink, an_array_without_a_first_module_is_refused_with_what_is_wrong) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    ze_module_handle_t none[] = {nullptr};
    ze_linkage_inspection_ext_desc_t inspection{ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC, nullptr, 0};
    ze_module_build_log_handle_t log = nullptr;
    EXPECT_EQ(zeModuleDynamicLink(1, nullptr, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    EXPECT_EQ(zeModuleDynamicLink(1, none, nullptr), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    EXPECT_EQ(zeModuleDynamicLink(0, none, nullptr), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(zeModuleInspectLinkageExt(&inspection, 1, none, &log), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  });
}

} // namespace
