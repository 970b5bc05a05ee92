#include "fixture.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace device_tests {

namespace {

[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "device_test: %s\n", why);
  std::exit(1);
}

Device find_device() {
  Device found;
  if (zeInit(0) != ZE_RESULT_SUCCESS) give_up("zeInit fails");
  std::uint32_t count = 1;
  if (zeDriverGet(&count, &found.driver) != ZE_RESULT_SUCCESS || count == 0) give_up("there is no driver");
  count = 1;
  if (zeDeviceGet(found.driver, &count, &found.device) != ZE_RESULT_SUCCESS || count == 0)
    give_up("there is no device");
  const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  if (zeContextCreate(found.driver, &desc, &found.context) != ZE_RESULT_SUCCESS) give_up("there is no context");
  return found;
}

std::string build_log(ze_module_build_log_handle_t log) {
  std::size_t size = 0;
  zeModuleBuildLogGetString(log, &size, nullptr);
  std::string text(size, '\0');
  zeModuleBuildLogGetString(log, &size, text.data());
  return text;
}

} // namespace

const Device& Device::get() {
  static const Device device = find_device();
  return device;
}

std::vector<std::uint8_t> read_kernel(const std::string& name) {
  const char* folder = std::getenv("DEVICE_TEST_KERNELS");
  std::ifstream file((folder ? folder : DEVICE_TEST_KERNELS) + ("/" + name + ".spv"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::uint32_t rounds(std::uint32_t usual, std::uint32_t in_long_form) {
  return std::getenv("ZEROTH_LONG_TESTS") ? in_long_form : usual;
}

bool offers_extension(const std::string& name) {
  std::uint32_t count = 0;
  EXPECT_OK(zeDriverGetExtensionProperties(Device::get().driver, &count, nullptr));
  std::vector<ze_driver_extension_properties_t> all(count);
  EXPECT_OK(zeDriverGetExtensionProperties(Device::get().driver, &count, all.data()));
  for (const auto& one : all)
    if (name == one.name) return true;
  return false;
}

ze_command_list_handle_t shared_list() {
  static const ze_command_list_handle_t list = [] {
    const ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                       nullptr,
                                       0,
                                       0,
                                       ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
                                       ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                       ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    ze_command_list_handle_t made = nullptr;
    EXPECT_OK(zeCommandListCreateImmediate(Device::get().context, Device::get().device, &desc, &made));
    return made;
  }();
  return list;
}

Kernel::Kernel(const std::string& module, const std::string& name) {
  const auto bytes = read_kernel(module);
  const ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, bytes.size(), bytes.data(), "", nullptr};
  ze_module_build_log_handle_t log = nullptr;
  const ze_result_t result = zeModuleCreate(Device::get().context, Device::get().device, &desc, &module_, &log);
  EXPECT_EQ(result, ZE_RESULT_SUCCESS) << module << ": " << build_log(log);
  zeModuleBuildLogDestroy(log);
  if (result != ZE_RESULT_SUCCESS) throw std::runtime_error("the module " + module + " was not built");
  const ze_kernel_desc_t kernel{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name.c_str()};
  if (zeKernelCreate(module_, &kernel, &kernel_) != ZE_RESULT_SUCCESS) throw std::runtime_error("no kernel " + name);
}

Kernel::~Kernel() {
  if (kernel_) zeKernelDestroy(kernel_);
  if (module_) zeModuleDestroy(module_);
}

void Kernel::run(std::pair<std::uint32_t, std::uint32_t> global, std::pair<std::uint32_t, std::uint32_t> local) {
  EXPECT_OK(zeKernelSetGroupSize(kernel_, local.first, local.second, 1));
  const ze_group_count_t groups{global.first / local.first, global.second / local.second, 1};
  EXPECT_OK(zeCommandListAppendLaunchKernel(shared_list(), kernel_, &groups, nullptr, 0, nullptr));
  EXPECT_OK(zeCommandListHostSynchronize(shared_list(), UINT64_MAX));
}

} // namespace device_tests
