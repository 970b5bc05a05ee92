// The zer functions and the last-error text.
#include <cstring>

#include <level_zero/ze_api.h>
#include <level_zero/zer_api.h>

#include <entry/testing/fresh_process.hpp>

namespace {

using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

const char* last_error() {
  const char* text = nullptr;
  EXPECT_EQ(zerGetLastErrorDescription(&text), ZE_RESULT_SUCCESS);
  return text;
}

TEST(Runtime, answers_its_failure_values_before_init) {
  in_fresh_process([] {
    const char* text = nullptr;
    EXPECT_EQ(zerGetLastErrorDescription(&text), ZE_RESULT_ERROR_UNINITIALIZED);
    EXPECT_EQ(zerTranslateIdentifierToDeviceHandle(0), nullptr);
    EXPECT_EQ(zerTranslateDeviceHandleToIdentifier(nullptr), UINT32_MAX);
    EXPECT_EQ(zerGetDefaultContext(), nullptr);
  });
}

TEST(Runtime, identifiers_are_unique_over_all_drivers_and_lead_back) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU "," FAKE_CPU2);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    ze_device_handle_t first = zerTranslateIdentifierToDeviceHandle(0);
    ze_device_handle_t second = zerTranslateIdentifierToDeviceHandle(1);
    ASSERT_TRUE(first != nullptr && second != nullptr && first != second);
    EXPECT_EQ(zerTranslateDeviceHandleToIdentifier(second), 1u);
    EXPECT_EQ(zerTranslateDeviceHandleToIdentifier(first), 0u);
    EXPECT_EQ(zerTranslateIdentifierToDeviceHandle(2), nullptr);
    EXPECT_NE(std::strstr(last_error(), "no device has the identifier 2"), nullptr) << last_error();
  });
}

TEST(Runtime, default_context_is_the_first_drivers_each_time) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    ze_context_handle_t context = zerGetDefaultContext();
    EXPECT_NE(context, nullptr);
    EXPECT_EQ(zerGetDefaultContext(), context);
  });
}

TEST(LastError, is_the_newer_of_the_drivers_and_the_cores) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    EXPECT_STREQ(last_error(), "");
    uint32_t count = 1;
    ze_driver_handle_t driver = nullptr;
    ASSERT_EQ(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zerTranslateIdentifierToDeviceHandle(7), nullptr);
    EXPECT_NE(std::strstr(last_error(), "identifier 7"), nullptr) << last_error();
    EXPECT_EQ(zeDriverGetProperties(driver, nullptr), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    EXPECT_NE(std::strstr(last_error(), "zeDriverGetProperties"), nullptr) << last_error();
    const char* text = nullptr;
    EXPECT_EQ(zeDriverGetLastErrorDescription(driver, &text), ZE_RESULT_SUCCESS);
    EXPECT_STREQ(text, last_error());
  });
}

} // namespace
