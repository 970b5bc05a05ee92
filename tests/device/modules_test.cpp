// Modules, kernels and their properties.
#include "fixture.hpp"

#include <cstring>

namespace device_tests {
namespace {

ze_result_t build(const std::vector<std::uint8_t>& bytes, ze_module_format_t format, ze_module_handle_t& module,
                  std::string* text = nullptr) {
  const ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, format, bytes.size(), bytes.data(), nullptr, nullptr};
  ze_module_build_log_handle_t log = nullptr;
  const auto result = zeModuleCreate(Device::get().context, Device::get().device, &desc, &module, &log);
  std::size_t size = 0;
  EXPECT_OK(zeModuleBuildLogGetString(log, &size, nullptr));
  std::string read(size, '\0');
  EXPECT_OK(zeModuleBuildLogGetString(log, &size, read.data()));
  if (text) *text = read.c_str();
  EXPECT_OK(zeModuleBuildLogDestroy(log));
  return result;
}

TEST(Modules, ABrokenOneFailsWithALogAndTheNextGoodOneBuilds) {
  const auto good = read_kernel("saxpy");
  ze_module_handle_t module = nullptr;
  for (std::size_t cut : {std::size_t{4}, good.size() / 2, good.size() - 8}) {
    auto bad = good;
    bad.resize(cut / 4 * 4);
    std::string log;
    EXPECT_EQ(build(bad, ZE_MODULE_FORMAT_IL_SPIRV, module, &log), ZE_RESULT_ERROR_MODULE_BUILD_FAILURE) << cut;
    EXPECT_FALSE(log.empty());
  }
  ASSERT_OK(build(good, ZE_MODULE_FORMAT_IL_SPIRV, module));
  EXPECT_OK(zeModuleDestroy(module));
}

TEST(Modules, NamesAndPropertiesOfKernels) {
  Kernel kernel("sgemm_tiled");
  std::uint32_t count = 0;
  ASSERT_OK(zeModuleGetKernelNames(kernel.module(), &count, nullptr));
  ASSERT_EQ(count, 1u);
  const char* name = nullptr;
  ASSERT_OK(zeModuleGetKernelNames(kernel.module(), &count, &name));
  EXPECT_STREQ(name, "sgemm_tiled");
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ASSERT_OK(zeKernelGetProperties(kernel.handle(), &properties));
  EXPECT_EQ(properties.numKernelArgs, 6u);
  EXPECT_EQ(properties.requiredGroupSizeX, 16u);
  EXPECT_EQ(properties.requiredGroupSizeY, 16u);
  EXPECT_GE(properties.localMemSize, 2048u);
  std::size_t size = 0;
  ASSERT_OK(zeKernelGetName(kernel.handle(), &size, nullptr));
  EXPECT_EQ(size, sizeof "sgemm_tiled");
  const ze_kernel_desc_t missing{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "no_such_kernel"};
  ze_kernel_handle_t none = nullptr;
  EXPECT_EQ(zeKernelCreate(kernel.module(), &missing, &none), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  const char* words = nullptr;
  ASSERT_OK(zeDriverGetLastErrorDescription(Device::get().driver, &words));
  EXPECT_NE(std::string(words).find("`sgemm_tiled`"), std::string::npos) << words;
  EXPECT_EQ(zeKernelSetGroupSize(kernel.handle(), 8, 8, 1), ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
}

TEST(Modules, WrongArgumentsAreRefused) {
  Kernel kernel("saxpy");
  const float value = 1;
  EXPECT_EQ(zeKernelSetArgumentValue(kernel.handle(), 3, 4, &value), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  EXPECT_EQ(zeKernelSetArgumentValue(kernel.handle(), 0, 3, &value), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  EXPECT_EQ(zeKernelSetArgumentValue(kernel.handle(), 0, 8, nullptr), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
}

// triad(a, b, c, scale, n): a wide scale counts with its first bytes, a narrow n is filled up with zeros.
TEST(Modules, VariablesMayBeWiderOrNarrowerThanTheArgument) {
  Array<float> a(64), b(64), c(64);
  for (std::size_t i = 0; i < 64; ++i) c[i] = 5;
  Kernel kernel("triad");
  kernel.arguments(a, b, c, 0.0f, 0xffffffffu);
  const float scale[] = {3, 77};
  const std::uint8_t n = 50;
  EXPECT_OK(zeKernelSetArgumentValue(kernel.handle(), 3, sizeof scale, scale));
  EXPECT_OK(zeKernelSetArgumentValue(kernel.handle(), 4, sizeof n, &n));
  kernel.run(64, 64);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(a[i], i < 50 ? 15.0f : 0.0f) << i;
}

TEST(Modules, TooMuchLocalMemoryIsRefusedAtTheLaunch) {
  Kernel kernel("reduce");
  ze_device_compute_properties_t compute{};
  compute.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  ASSERT_OK(zeDeviceGetComputeProperties(Device::get().device, &compute));
  Array<float> in(256), out(1);
  kernel.arguments(in, out, Local{compute.maxSharedLocalMemory + 64});
  const ze_group_count_t groups{1, 1, 1};
  EXPECT_EQ(zeCommandListAppendLaunchKernel(shared_list(), kernel.handle(), &groups, nullptr, 0, nullptr),
            ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST(Modules, NullMeansZeroBytes) {
  Array<float> x(64), y(64);
  for (std::size_t i = 0; i < 64; ++i) x[i] = 5, y[i] = static_cast<float>(i);
  Kernel kernel("saxpy");
  kernel.arguments(3.0f, x, y);
  EXPECT_OK(zeKernelSetArgumentValue(kernel.handle(), 0, sizeof(float), nullptr));
  kernel.run(64, 64);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(y[i], static_cast<float>(i));
}

TEST(Modules, NativeBinaryLoadsAgain) {
  Kernel original("saxpy");
  std::size_t size = 0;
  ASSERT_OK(zeModuleGetNativeBinary(original.module(), &size, nullptr));
  std::vector<std::uint8_t> binary(size);
  ASSERT_OK(zeModuleGetNativeBinary(original.module(), &size, binary.data()));
  ze_module_handle_t module = nullptr;
  ASSERT_OK(build(binary, ZE_MODULE_FORMAT_NATIVE, module));
  std::uint32_t count = 0;
  ASSERT_OK(zeModuleGetKernelNames(module, &count, nullptr));
  EXPECT_EQ(count, 1u);
  EXPECT_OK(zeModuleDestroy(module));
  binary.resize(binary.size() / 2);
  EXPECT_EQ(build(binary, ZE_MODULE_FORMAT_NATIVE, module), ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
}

TEST(Modules, SuggestedGroupSizeDividesTheGlobalOne) {
  Kernel kernel("saxpy");
  for (std::uint32_t global : {1u, 17u, 1000u, 4096u, 1000003u}) {
    std::uint32_t x = 0, y = 0, z = 0;
    ASSERT_OK(zeKernelSuggestGroupSize(kernel.handle(), global, 6, 1, &x, &y, &z));
    ASSERT_GT(x * y * z, 0u);
    EXPECT_EQ(global % x, 0u);
    EXPECT_EQ(6 % y, 0u);
    EXPECT_EQ(z, 1u);
  }
}

} // namespace
} // namespace device_tests
