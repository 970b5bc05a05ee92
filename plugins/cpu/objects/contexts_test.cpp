#include "testing.hpp"

#include <gtest/gtest.h>

namespace zeroth::cpu {
namespace {

using namespace testing;

ze_result_t create(std::vector<ze_device_handle_t> devices) {
  const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t made = nullptr;
  const ze_result_t code = ze().Context.pfnCreateEx(to_handle(&CpuDriver::instance()), &desc,
                                                    static_cast<uint32_t>(devices.size()), devices.data(), &made);
  if (made) ze().Context.pfnDestroy(made);
  return code;
}

// A handle of another driver, even of one of the same kind, leads to other tables.
TEST(Contexts, TakeDevicesOfTheirDriverOnly) {
  ze_dditable_driver_t others = device::tables().core_container;
  ze_handle_t other{&others, nullptr, nullptr, nullptr};
  const auto stranger = reinterpret_cast<ze_device_handle_t>(&other);
  EXPECT_EQ(create({device()}), ZE_RESULT_SUCCESS);
  EXPECT_EQ(create({stranger}), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(create({device(), stranger}), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(create({device(), nullptr}), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
}

TEST(Contexts, OfTheDriverStaysAndOthersGo) {
  EXPECT_EQ(ze().Context.pfnDestroy(context()), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(ze().Context.pfnGetStatus(context()), ZE_RESULT_SUCCESS);
  EXPECT_EQ(create({}), ZE_RESULT_SUCCESS);
}

} // namespace
} // namespace zeroth::cpu
