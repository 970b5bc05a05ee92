// Every exported function of the API, called with zero or null for each argument: a code of the specification, no
// crash.
#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>
#include <zeroth/api/walk.hpp>

#include <entry/testing/fresh_process.hpp>

namespace {

using namespace zeroth;
using zeroth::testing::in_fresh_process;
using zeroth::testing::use_drivers;

bool is_init(const WalkedFunction& function) {
  const std::string name = function.name;
  return name == "zeInit" || name == "zesInit" || name == "zeInitDrivers";
}

bool is_failure_value(uint64_t value) { return value == 0 || value == UINT32_MAX; }

void expect_uninitialized() {
  for (const WalkedFunction& function : walked_functions) {
    if (is_init(function)) continue;
    const uint64_t value = function.call();
    const bool refused = function.returns_result ? value == ZE_RESULT_ERROR_UNINITIALIZED : is_failure_value(value);
    EXPECT_TRUE(refused) << function.name << " returned " << std::hex << value;
  }
}

// After init: the fault of the arguments themselves.
void expect_fault(const WalkedFunction& function) {
  const uint64_t value = function.call();
  if (!function.returns_result) return;
  const ze_result_t fault =
      function.has_receiver ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE : ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  EXPECT_EQ(value, uint64_t(fault)) << function.name;
  EXPECT_TRUE(function.has_receiver || function.needs_pointer) << function.name;
}

TEST(EveryFunction, says_uninitialized_before_init) {
  in_fresh_process([] { expect_uninitialized(); });
}

TEST(EveryFunction, says_uninitialized_when_init_found_no_driver) {
  in_fresh_process([] {
    use_drivers("/nowhere/none.so");
    EXPECT_EQ(zeInit(0), ZE_RESULT_ERROR_UNINITIALIZED);
    EXPECT_EQ(zesInit(0), ZE_RESULT_ERROR_UNINITIALIZED);
    expect_uninitialized();
  });
}

TEST(EveryFunction, names_the_null_argument_after_init) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    ASSERT_EQ(zesInit(0), ZE_RESULT_SUCCESS);
    for (const WalkedFunction& function : walked_functions)
      if (std::string(function.name) != "zeInit" && std::string(function.name) != "zesInit") expect_fault(function);
  });
}

TEST(EveryFunction, of_sysman_says_uninitialized_when_only_the_core_is_initialised) {
  in_fresh_process([] {
    use_drivers(FAKE_CPU);
    ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    for (const WalkedFunction& function : walked_functions) {
      if (function.family != Family::Sysman || is_init(function)) continue;
      EXPECT_EQ(function.call(), uint64_t(ZE_RESULT_ERROR_UNINITIALIZED)) << function.name;
    }
  });
}

} // namespace
