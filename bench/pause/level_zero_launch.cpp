#include "pause/subject.hpp"

#include <fstream>
#include <iterator>
#include <level_zero/ze_api.h>
#include <stdexcept>
#include <vector>

namespace zeroth::bench {
namespace {

void check(ze_result_t code, const char* call) {
  if (code != ZE_RESULT_SUCCESS) throw std::runtime_error(std::string(call) + " failed");
}
#define CHECK(call) check((call), #call)

ze_kernel_handle_t empty_kernel(ze_context_handle_t context, ze_device_handle_t device, const std::string& kernels) {
  std::ifstream file(kernels + "/empty.spv", std::ios::binary);
  const std::vector<char> spirv(std::istreambuf_iterator<char>(file), {});
  ze_module_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = spirv.size();
  desc.pInputModule = reinterpret_cast<const uint8_t*>(spirv.data());
  ze_module_handle_t module = nullptr;
  CHECK(zeModuleCreate(context, device, &desc, &module, nullptr));
  const ze_kernel_desc_t kernel_desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "empty"};
  ze_kernel_handle_t kernel = nullptr;
  CHECK(zeKernelCreate(module, &kernel_desc, &kernel));
  CHECK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  return kernel;
}

} // namespace

Subject level_zero_launch(const std::string& kernels) {
  CHECK(zeInit(0));
  std::uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  CHECK(zeDriverGet(&count, &driver));
  ze_device_handle_t device = nullptr;
  CHECK(zeDeviceGet(driver, &(count = 1), &device));
  const ze_context_desc_t context_desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t context = nullptr;
  CHECK(zeContextCreate(driver, &context_desc, &context));
  ze_command_queue_desc_t queue{};
  queue.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queue.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
  queue.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  CHECK(zeCommandListCreateImmediate(context, device, &queue, &list));
  return [list, kernel = empty_kernel(context, device, kernels)] {
    const ze_group_count_t one{1, 1, 1};
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &one, nullptr, 0, nullptr));
    CHECK(zeCommandListHostSynchronize(list, UINT64_MAX));
  };
}

} // namespace zeroth::bench
