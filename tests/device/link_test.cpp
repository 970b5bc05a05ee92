// Modules that import from each other, and what modules need of a machine.
#include "fixture.hpp"

#include <cstring>

namespace device_tests {
namespace {

const Device& device() { return Device::get(); }

ze_module_handle_t build(const std::string& name) {
  const auto bytes = read_kernel(name);
  const ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, bytes.size(), bytes.data(), nullptr, nullptr};
  ze_module_handle_t module = nullptr;
  EXPECT_OK(zeModuleCreate(device().context, device().device, &desc, &module, nullptr));
  return module;
}

std::string text_of(ze_module_build_log_handle_t log) {
  std::size_t size = 0;
  EXPECT_OK(zeModuleBuildLogGetString(log, &size, nullptr));
  std::string text(size, '\0');
  EXPECT_OK(zeModuleBuildLogGetString(log, &size, text.data()));
  EXPECT_OK(zeModuleBuildLogDestroy(log));
  return text.c_str();
}

ze_kernel_handle_t kernel_of(ze_module_handle_t module, const char* name, ze_result_t expected = ZE_RESULT_SUCCESS) {
  const ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
  ze_kernel_handle_t kernel = nullptr;
  EXPECT_EQ(zeKernelCreate(module, &desc, &kernel), expected);
  return kernel;
}

void run(ze_kernel_handle_t kernel) {
  const ze_group_count_t one{1, 1, 1};
  EXPECT_OK(zeCommandListAppendLaunchKernel(shared_list(), kernel, &one, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
  EXPECT_OK(zeKernelDestroy(kernel));
}

TEST(Linking, ImportsResolveAndVariablesAreShared) {
  ze_module_handle_t modules[2] = {build("link_user"), build("link_library")};
  kernel_of(modules[0], "use", ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  const char* words = nullptr;
  ASSERT_OK(zeDriverGetLastErrorDescription(Device::get().driver, &words));
  EXPECT_NE(std::string(words).find("`triple`"), std::string::npos) << words;
  ze_module_build_log_handle_t log = nullptr;
  EXPECT_EQ(zeModuleDynamicLink(1, modules, &log), ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  EXPECT_NE(text_of(log).find("triple"), std::string::npos) << "the missing name is told";
  ASSERT_OK(zeModuleDynamicLink(2, modules, &log));
  text_of(log);
  auto bump = kernel_of(modules[1], "bump");
  const int two = 2;
  EXPECT_OK(zeKernelSetArgumentValue(bump, 0, sizeof two, &two));
  run(bump);
  Array<int> out(1);
  int* pointer = out.data();
  auto use = kernel_of(modules[0], "use");
  EXPECT_OK(zeKernelSetArgumentValue(use, 0, sizeof pointer, &pointer));
  run(use);
  EXPECT_EQ(out[0], 3 * 42);
  std::size_t size = 0;
  void* address = nullptr;
  ASSERT_OK(zeModuleGetGlobalPointer(modules[1], "shared_counter", &size, &address));
  EXPECT_EQ(size, sizeof(int));
  EXPECT_EQ(*static_cast<int*>(address), 42);
  kernel_of(modules[0], "bump", ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  for (auto module : modules) EXPECT_OK(zeModuleDestroy(module));
}

std::vector<std::uint8_t> native_of(ze_module_handle_t module) {
  std::size_t size = 0;
  EXPECT_OK(zeModuleGetNativeBinary(module, &size, nullptr));
  std::vector<std::uint8_t> binary(size);
  EXPECT_OK(zeModuleGetNativeBinary(module, &size, binary.data()));
  return binary;
}

ze_result_t load(const std::vector<std::uint8_t>& binary, ze_module_handle_t& module) {
  const ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_NATIVE, binary.size(), binary.data(), nullptr, nullptr};
  return zeModuleCreate(device().context, device().device, &desc, &module, nullptr);
}

int result_of_use(ze_module_handle_t module) {
  Array<int> out(1);
  int* pointer = out.data();
  auto use = kernel_of(module, "use");
  EXPECT_OK(zeKernelSetArgumentValue(use, 0, sizeof pointer, &pointer));
  run(use);
  return out[0];
}

// Programs that keep native binaries of their libraries link those in their second run.
TEST(Linking, NativeBinariesLinkAsTheirModulesDo) {
  ze_module_handle_t modules[2] = {};
  for (const char* name : {"link_user", "link_library"}) {
    ze_module_handle_t built = build(name);
    const auto binary = native_of(built);
    EXPECT_OK(zeModuleDestroy(built));
    auto& module = modules[std::string(name) == "link_library"];
    ASSERT_OK(load(binary, module));
    EXPECT_EQ(native_of(module), binary);
    auto damaged = binary;
    damaged[damaged.size() - 60] ^= 1;
    ze_module_handle_t none = nullptr;
    EXPECT_EQ(load(damaged, none), ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
  }
  ASSERT_OK(zeModuleDynamicLink(2, modules, nullptr));
  EXPECT_EQ(result_of_use(modules[0]), 3 * 40);
  for (auto module : modules) EXPECT_OK(zeModuleDestroy(module));
}

int* shared_counter_of(ze_module_handle_t module) {
  void* address = nullptr;
  EXPECT_OK(zeModuleGetGlobalPointer(module, "shared_counter", nullptr, &address));
  return static_cast<int*>(address);
}

TEST(Linking, VariablesKeepWhatWasWrittenBefore) {
  ze_module_handle_t modules[2] = {build("link_user"), build("link_library")};
  *shared_counter_of(modules[1]) = 50;
  ASSERT_OK(zeModuleDynamicLink(2, modules, nullptr));
  EXPECT_EQ(result_of_use(modules[0]), 3 * 50);
  *shared_counter_of(modules[1]) = 60;
  ASSERT_OK(zeModuleDynamicLink(2, modules, nullptr));
  EXPECT_EQ(result_of_use(modules[0]), 3 * 60);
  for (auto module : modules) EXPECT_OK(zeModuleDestroy(module));
}

TEST(Linking, NamesWhatIsDefinedTwiceAndTakesAModuleOnce) {
  ze_module_handle_t modules[3] = {build("link_user"), build("link_library"), build("link_library")};
  ze_module_build_log_handle_t log = nullptr;
  EXPECT_EQ(zeModuleDynamicLink(3, modules, &log), ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  EXPECT_NE(text_of(log).find("defined twice: triple (by modules 1 and 2)"), std::string::npos);
  ze_module_handle_t again[3] = {modules[0], modules[1], modules[1]};
  ASSERT_OK(zeModuleDynamicLink(3, again, nullptr));
  EXPECT_EQ(result_of_use(modules[0]), 3 * 40);
  for (auto module : modules) EXPECT_OK(zeModuleDestroy(module));
}

int result_of(ze_module_handle_t module, const char* name, int in) {
  Array<int> out(1);
  out[0] = in;
  int* pointer = out.data();
  auto kernel = kernel_of(module, name);
  EXPECT_OK(zeKernelSetArgumentValue(kernel, 0, sizeof pointer, &pointer));
  run(kernel);
  return out[0];
}

// "Imports are linked only once", the programming guide says.
TEST(Linking, ImportsStayWithWhatTheyWereLinkedWithFirst) {
  ze_module_handle_t first[2] = {build("link_middle"), build("link_library")};
  ze_module_handle_t second[2] = {first[0], build("link_other")};
  ASSERT_OK(zeModuleDynamicLink(2, first, nullptr));
  EXPECT_EQ(result_of(first[0], "middle", 1), 18);
  ASSERT_OK(zeModuleDynamicLink(2, second, nullptr));
  EXPECT_EQ(result_of(first[0], "middle", 1), 18);
  for (auto module : {first[0], first[1], second[1]}) EXPECT_OK(zeModuleDestroy(module));
}

TEST(Linking, LibrariesThatWereLinkedBeforeBringWhatTheyNeed) {
  ze_module_handle_t lower[2] = {build("link_middle"), build("link_library")};
  ASSERT_OK(zeModuleDynamicLink(2, lower, nullptr));
  EXPECT_OK(zeModuleDestroy(lower[1]));
  ze_module_handle_t upper[2] = {build("link_top"), lower[0]};
  ASSERT_OK(zeModuleDynamicLink(2, upper, nullptr));
  EXPECT_EQ(result_of(upper[0], "top", 2), 18 + 1000);
  EXPECT_EQ(result_of(upper[1], "middle", 1), 18);
  for (auto module : upper) EXPECT_OK(zeModuleDestroy(module));
}

TEST(Linking, NamesThatNobodyImportsMayBeOfSeveralModules) {
  ze_module_handle_t modules[3] = {build("link_top"), build("link_middle"), build("link_library")};
  ASSERT_OK(zeModuleDynamicLink(3, modules, nullptr));
  EXPECT_EQ(result_of(modules[0], "top", 2), 18 + 1000);
  EXPECT_EQ(result_of(modules[1], "middle", 1), 18) << "each has its own helper";
  for (auto module : modules) EXPECT_OK(zeModuleDestroy(module));
}

TEST(Linking, InspectionNamesImportsExportsAndWhatIsMissing) {
  ze_module_handle_t modules[2] = {build("link_user"), build("link_library")};
  ze_linkage_inspection_ext_desc_t desc{ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC, nullptr,
                                        ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS};
  ze_module_build_log_handle_t log = nullptr;
  ASSERT_OK(zeModuleInspectLinkageExt(&desc, 1, modules, &log));
  EXPECT_NE(text_of(log).find("triple"), std::string::npos);
  ASSERT_OK(zeModuleInspectLinkageExt(&desc, 2, modules, &log));
  EXPECT_EQ(text_of(log).find("triple"), std::string::npos);
  desc.flags = ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS | ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS;
  ASSERT_OK(zeModuleInspectLinkageExt(&desc, 2, modules, &log));
  const std::string text = text_of(log);
  EXPECT_NE(text.find("imports"), std::string::npos);
  EXPECT_NE(text.find("shared_counter"), std::string::npos);
  for (auto module : modules) EXPECT_OK(zeModuleDestroy(module));
}

TEST(Requirements, OfAModuleAreMetHereAndRefusedForOtherMachines) {
  Kernel kernel("saxpy");
  const char* key = nullptr;
  ASSERT_OK(zeDeviceGetRuntimeRequirementsKey(device().device, &key));
  const ze_runtime_requirements_module_desc_t desc{ZE_STRUCTURE_TYPE_RUNTIME_REQUIREMENTS_MODULE_DESC, nullptr,
                                                   kernel.module()};
  std::size_t size = 0;
  ASSERT_OK(zeDeviceGetRuntimeRequirements(device().device, &desc, &size, nullptr));
  std::string text(size, '\0');
  ASSERT_OK(zeDeviceGetRuntimeRequirements(device().device, &desc, &size, text.data()));
  EXPECT_EQ(text.find(key), 0u);
  ze_validate_runtime_requirements_output_t out{};
  out.stype = ZE_STRUCTURE_TYPE_RUNTIME_REQUIREMENTS_OUTPUT;
  ASSERT_OK(zeDeviceValidateRuntimeRequirements(device().device, text.c_str(), &out));
  EXPECT_EQ(out.result, ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT_REQUIREMENTS_MET);
  ASSERT_OK(
      zeDeviceValidateRuntimeRequirements(device().device, (text.substr(0, size - 1) + ",+no-such").c_str(), &out));
  EXPECT_EQ(out.result, ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT_REQUIREMENTS_NOT_MET);
  ASSERT_OK(zeDeviceValidateRuntimeRequirements(device().device, "another-device;x=1", &out));
  EXPECT_EQ(out.result, ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT_NOT_APPLICABLE);
}

TEST(Modules, KernelsCallTheFunctionsWhoseAddressesTheHostGot) {
  Kernel kernel("call_function");
  Array<std::uint32_t> values(100);
  const std::pair<const char*, std::uint32_t (*)(std::uint32_t)> functions[] = {
      {"add_one", [](std::uint32_t x) { return x + 1; }},
      {"twice", [](std::uint32_t x) { return x + x; }},
      {"square", [](std::uint32_t x) { return x * x; }},
  };
  for (const auto& [name, expected] : functions) {
    void* address = nullptr;
    ASSERT_OK(zeModuleGetFunctionPointer(kernel.module(), name, &address)) << name;
    ASSERT_NE(address, nullptr);
    for (std::uint32_t i = 0; i < 100; ++i) values[i] = i;
    kernel.arguments(reinterpret_cast<std::uint64_t>(address), values);
    kernel.run(100, 20);
    for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(values[i], expected(i)) << name;
  }
  void* none = nullptr;
  for (const char* name : {"unseen", "call_function"})
    EXPECT_EQ(zeModuleGetFunctionPointer(kernel.module(), name, &none), ZE_RESULT_ERROR_INVALID_FUNCTION_NAME) << name;
}

TEST(Modules, NamesThatAreNotThereAreToldApart) {
  auto library = build("link_library");
  void* function = nullptr;
  EXPECT_EQ(zeModuleGetFunctionPointer(library, "no_such_function", &function), ZE_RESULT_ERROR_INVALID_FUNCTION_NAME);
  EXPECT_EQ(zeModuleGetGlobalPointer(library, "no_such_variable", nullptr, nullptr),
            ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  EXPECT_OK(zeModuleDestroy(library));
}

} // namespace
} // namespace device_tests
