// Every way to launch a kernel, and what modules and kernels tell about themselves.
#include "fixture.hpp"

#include <pthread.h>

#include <cstring>

namespace device_tests {
namespace {

constexpr std::uint32_t Group = 16, Groups = 10, Count = Group * Groups;

// saxpy with y = 1: each launch over items [0, n) makes y[i] = 2 i + y[i] there.
class Launches : public testing::Test {
protected:
  Launches() {
    for (std::uint32_t i = 0; i < Count; ++i) x_[i] = static_cast<float>(i), y_[i] = 1;
    kernel_.arguments(2.0f, x_, y_);
    EXPECT_OK(zeKernelSetGroupSize(kernel_.handle(), Group, 1, 1));
  }
  void finish() { EXPECT_OK(zeCommandListHostSynchronize(list_, UINT64_MAX)); }
  void expect_items(std::uint32_t first, std::uint32_t end, float times = 1) {
    for (std::uint32_t i = 0; i < Count; ++i)
      ASSERT_EQ(y_[i], i >= first && i < end ? 1 + times * 2.0f * static_cast<float>(i) : 1.0f) << i;
  }

  Array<float> x_{Count}, y_{Count};
  Kernel kernel_{"saxpy"};
  ze_command_list_handle_t list_ = shared_list();
};

TEST_F(Launches, WithParameters) {
  const ze_group_count_t groups{3, 1, 1};
  EXPECT_OK(
      zeCommandListAppendLaunchKernelWithParameters(list_, kernel_.handle(), &groups, nullptr, nullptr, 0, nullptr));
  finish();
  expect_items(0, 3 * Group);
}

TEST_F(Launches, WithArguments) {
  float a = 4;
  float *x = x_.data(), *y = y_.data();
  void* arguments[] = {&a, &x, &y};
  EXPECT_OK(zeCommandListAppendLaunchKernelWithArguments(list_, kernel_.handle(), {4, 1, 1}, {8, 1, 1}, arguments,
                                                         nullptr, nullptr, 0, nullptr));
  finish();
  expect_items(0, 32, 2);
}

TEST_F(Launches, IndirectOnesReadTheirSizeWhenTheyRun) {
  Array<ze_group_count_t> groups(1);
  const ze_group_count_t later{5, 1, 1};
  EXPECT_OK(zeCommandListAppendMemoryCopy(list_, groups.data(), &later, sizeof later, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListAppendLaunchKernelIndirect(list_, kernel_.handle(), groups.data(), nullptr, 0, nullptr));
  finish();
  expect_items(0, 5 * Group);
}

TEST_F(Launches, AsManyIndirectOnesAsTheCountSays) {
  Array<std::uint32_t> count(1);
  Array<ze_group_count_t> groups(3);
  count[0] = 2;
  for (std::size_t i = 0; i < 3; ++i) groups[i] = {7, 1, 1};
  ze_kernel_handle_t kernels[] = {kernel_.handle(), kernel_.handle(), kernel_.handle()};
  EXPECT_OK(zeCommandListAppendLaunchMultipleKernelsIndirect(list_, 3, kernels, count.data(), groups.data(), nullptr, 0,
                                                             nullptr));
  finish();
  expect_items(0, 7 * Group, 2);
}

TEST_F(Launches, CooperativeUpToTheSuggestedCount) {
  std::uint32_t most = 0;
  EXPECT_OK(zeKernelSuggestMaxCooperativeGroupCount(kernel_.handle(), &most));
  ASSERT_GT(most, 0u);
  const ze_group_count_t groups{std::min(most, Groups), 1, 1};
  EXPECT_OK(zeCommandListAppendLaunchCooperativeKernel(list_, kernel_.handle(), &groups, nullptr, 0, nullptr));
  finish();
  expect_items(0, groups.groupCountX * Group);
}

TEST_F(Launches, FromAnOffset) {
  const ze_group_count_t groups{2, 1, 1};
  EXPECT_OK(zeKernelSetGlobalOffsetExp(kernel_.handle(), 40, 0, 0));
  EXPECT_OK(zeCommandListAppendLaunchKernel(list_, kernel_.handle(), &groups, nullptr, 0, nullptr));
  finish();
  expect_items(40, 40 + 2 * Group);
}

TEST_F(Launches, KernelsTellWhatTheyAre) {
  ze_module_handle_t module = nullptr;
  ze_device_handle_t device = nullptr;
  EXPECT_OK(zeKernelGetModuleHandle(kernel_.handle(), &module));
  EXPECT_EQ(module, kernel_.module());
  EXPECT_OK(zeModuleGetDeviceHandle(kernel_.module(), &device));
  EXPECT_EQ(device, Device::get().device);
  const ze_kernel_indirect_access_flags_t wanted =
      ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;
  ze_kernel_indirect_access_flags_t access = 0;
  EXPECT_OK(zeKernelSetIndirectAccess(kernel_.handle(), wanted));
  EXPECT_OK(zeKernelGetIndirectAccess(kernel_.handle(), &access));
  EXPECT_EQ(access, wanted);
  ze_module_properties_t properties{ZE_STRUCTURE_TYPE_MODULE_PROPERTIES, nullptr, ~0u};
  EXPECT_OK(zeModuleGetProperties(kernel_.module(), &properties));
  EXPECT_EQ(properties.flags, 0u); // nothing is imported
}

// Of one kernel always the same; of one of the same name in another module another one.
TEST_F(Launches, KernelsHaveUuids) {
  auto uuid = [](ze_kernel_handle_t of) {
    ze_kernel_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
    EXPECT_OK(zeKernelGetProperties(of, &properties));
    return std::string(reinterpret_cast<const char*>(&properties.uuid), sizeof properties.uuid);
  };
  const Kernel first("saxpy"), second("saxpy");
  EXPECT_EQ(uuid(first.handle()), uuid(first.handle()));
  EXPECT_NE(uuid(first.handle()), uuid(second.handle()));
}

TEST_F(Launches, KernelsTellTheirAttributes) {
  Kernel tiled("sgemm_tiled");
  std::uint32_t size = 0;
  EXPECT_OK(zeKernelGetSourceAttributes(tiled.handle(), &size, nullptr));
  ASSERT_GT(size, 0u);
  std::string text(size, '\1');
  char* target = text.data();
  EXPECT_OK(zeKernelGetSourceAttributes(tiled.handle(), &size, &target));
  EXPECT_NE(std::string(target).find("reqd_work_group_size(16,16,1)"), std::string::npos) << target;
}

TEST_F(Launches, BinariesOfKernels) {
  std::size_t size = 0;
  std::uint8_t none = 0; // the pointer may not be null even where only the size is asked for
  EXPECT_OK(zeKernelGetBinaryExp(kernel_.handle(), &size, &none));
  ASSERT_GT(size, 100u);
  std::vector<std::uint8_t> bytes(size);
  EXPECT_OK(zeKernelGetBinaryExp(kernel_.handle(), &size, bytes.data()));
  EXPECT_EQ(std::memcmp(bytes.data(), "\177ELF", 4), 0);
}

TEST_F(Launches, VariablesOfModulesHaveAddresses) {
  Kernel kernel("generic_atom");
  std::size_t size = 0;
  void* address = nullptr;
  EXPECT_OK(zeModuleGetGlobalPointer(kernel.module(), "counter", &size, &address));
  EXPECT_EQ(size, sizeof(int));
  ASSERT_NE(address, nullptr);
  int value = -1;
  EXPECT_OK(zeCommandListAppendMemoryCopy(list_, &value, address, sizeof value, nullptr, 0, nullptr));
  finish();
  EXPECT_EQ(value, 0);
  EXPECT_EQ(zeModuleGetGlobalPointer(kernel.module(), "no_such_name", &size, &address),
            ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
}

std::int32_t private_array_result(std::uint32_t size, std::uint32_t n, std::uint32_t item) {
  std::vector<std::uint32_t> values(size);
  for (std::uint32_t i = 0; i < size; ++i) values[i] = i * n + item;
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const std::uint32_t at = (i * 7919u + n + item) % size;
    sum += values[at];
    values[(at * 31u + n) % size] = sum;
  }
  return static_cast<std::int32_t>(sum + values[n % size]);
}

// A thread that waits runs kernels; its stack may be as small as those of helper threads are.
TEST(PrivateMemory, NeedsNoStackOfTheThreadThatWaits) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{128} << 10);
  auto run_all = [](void*) -> void* {
    constexpr std::uint32_t Items = 128, N = 3;
    for (std::uint32_t kib : {4u, 64u, 1024u}) {
      Kernel kernel("private_array", "private_" + std::to_string(kib));
      Array<std::int32_t> out(Items);
      kernel.arguments(out, N).run(Items, 64);
      for (std::uint32_t i = 0; i < Items; ++i)
        EXPECT_EQ(out[i], private_array_result(kib * 256, N, i)) << kib << ' ' << i;
    }
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, run_all, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

} // namespace
} // namespace device_tests
