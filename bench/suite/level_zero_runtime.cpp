#include "suite/runtime.hpp"

#include <level_zero/ze_api.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

namespace zeroth::bench {
namespace {

void check(ze_result_t result, const char* call) {
  char code[16];
  std::snprintf(code, sizeof code, "0x%x", unsigned(result));
  if (result != ZE_RESULT_SUCCESS) throw std::runtime_error(std::string(call) + " failed with " + code);
}
#define CHECK(call) check((call), #call)

class LevelZero : public Runtime {
public:
  LevelZero(std::string kernels, size_t device) : kernels_(std::move(kernels)) {
    CHECK(zeInit(0));
    pick_device(device);
    const ze_context_desc_t context{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    CHECK(zeContextCreate(driver_, &context, &context_));
    ze_command_queue_desc_t queue{};
    queue.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    queue.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
    queue.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    CHECK(zeCommandListCreateImmediate(context_, device_, &queue, &list_));
  }

  ~LevelZero() override {
    drop();
    zeCommandListDestroy(list_);
    zeContextDestroy(context_);
  }

  std::string description() const override {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    CHECK(zeDeviceGetProperties(device_, &properties));
    return properties.name;
  }

  double prepare(const Case& work) override {
    drop();
    case_ = &work;
    const double seconds = build(work.kernel);
    for (size_t i = 0; i < work.arguments.size(); ++i)
      std::visit([&](const auto& argument) { set_argument(uint32_t(i), argument); }, work.arguments[i]);
    CHECK(zeKernelSetGroupSize(kernel_, uint32_t(work.local[0]), uint32_t(work.local[1]), 1));
    refill();
    return seconds;
  }

  void launch(size_t launches) override {
    const ze_group_count_t groups{uint32_t(case_->global[0] / case_->local[0]),
                                  uint32_t(case_->global[1] / case_->local[1]), 1};
    for (size_t i = 0; i < launches; ++i)
      CHECK(zeCommandListAppendLaunchKernel(list_, kernel_, &groups, nullptr, 0, nullptr));
    CHECK(zeCommandListHostSynchronize(list_, UINT64_MAX));
  }

  void refill() override {
    for (size_t i = 0; i < memory_.size(); ++i)
      if (memory_[i]) {
        const auto bytes = contents(std::get<Buffer>(case_->arguments[i]));
        std::memcpy(memory_[i], bytes.data(), bytes.size());
      }
    for (auto& [i, image] : images_) {
      const auto bytes = contents(std::get<Picture>(case_->arguments[i]));
      CHECK(zeCommandListAppendImageCopyFromMemory(list_, image, bytes.data(), nullptr, nullptr, 0, nullptr));
      CHECK(zeCommandListHostSynchronize(list_, UINT64_MAX));
    }
  }

  std::vector<std::byte> output() override {
    if (const auto image = images_.find(case_->output); image != images_.end()) {
      std::vector<std::byte> bytes(std::get<Picture>(case_->arguments[case_->output]).bytes());
      CHECK(zeCommandListAppendImageCopyToMemory(list_, bytes.data(), image->second, nullptr, nullptr, 0, nullptr));
      CHECK(zeCommandListHostSynchronize(list_, UINT64_MAX));
      return bytes;
    }
    const auto* bytes = static_cast<const std::byte*>(memory_[case_->output]);
    return {bytes, bytes + std::get<Buffer>(case_->arguments[case_->output]).bytes()};
  }

private:
  void pick_device(size_t wanted) {
    uint32_t drivers = 0;
    CHECK(zeDriverGet(&drivers, nullptr));
    std::vector<ze_driver_handle_t> handles(drivers);
    CHECK(zeDriverGet(&drivers, handles.data()));
    size_t number = 0;
    for (ze_driver_handle_t driver : handles) {
      uint32_t count = 0;
      CHECK(zeDeviceGet(driver, &count, nullptr));
      std::vector<ze_device_handle_t> devices(count);
      CHECK(zeDeviceGet(driver, &count, devices.data()));
      for (ze_device_handle_t device : devices)
        if (number++ == wanted) driver_ = driver, device_ = device;
    }
    if (!device_) throw std::runtime_error("no Level Zero device " + std::to_string(wanted));
  }

  double build(const std::string& name) {
    const auto spirv = read_file(kernels_ + "/" + name + ".spv");
    ze_module_desc_t module{};
    module.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
    module.format = ZE_MODULE_FORMAT_IL_SPIRV;
    module.inputSize = spirv.size();
    module.pInputModule = reinterpret_cast<const uint8_t*>(spirv.data());
    const double start = now_seconds();
    CHECK(zeModuleCreate(context_, device_, &module, &module_, nullptr));
    const ze_kernel_desc_t kernel{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name.c_str()};
    CHECK(zeKernelCreate(module_, &kernel, &kernel_));
    return now_seconds() - start;
  }

  void set_argument(uint32_t index, const Buffer& buffer) {
    ze_device_mem_alloc_desc_t device{};
    device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
    ze_host_mem_alloc_desc_t host{};
    host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
    memory_.resize(index + 1);
    CHECK(zeMemAllocShared(context_, &device, &host, buffer.bytes(), 128, device_, &memory_[index]));
    CHECK(zeKernelSetArgumentValue(kernel_, index, sizeof(void*), &memory_[index]));
  }
  void set_argument(uint32_t index, const Local& local) {
    CHECK(zeKernelSetArgumentValue(kernel_, index, local.bytes, nullptr));
  }
  void set_argument(uint32_t index, const Picture& picture) {
    ze_image_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
    desc.type = ZE_IMAGE_TYPE_2D;
    desc.format = {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UNORM, ZE_IMAGE_FORMAT_SWIZZLE_R,
                   ZE_IMAGE_FORMAT_SWIZZLE_G,      ZE_IMAGE_FORMAT_SWIZZLE_B,  ZE_IMAGE_FORMAT_SWIZZLE_A};
    desc.width = picture.side;
    desc.height = uint32_t(picture.side);
    CHECK(zeImageCreate(context_, device_, &desc, &images_[index]));
    CHECK(zeKernelSetArgumentValue(kernel_, index, sizeof(ze_image_handle_t), &images_[index]));
  }
  void set_argument(uint32_t index, const Sampling& sampling) {
    const ze_sampler_desc_t desc{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, ZE_SAMPLER_ADDRESS_MODE_CLAMP,
                                 sampling.linear ? ZE_SAMPLER_FILTER_MODE_LINEAR : ZE_SAMPLER_FILTER_MODE_NEAREST,
                                 false};
    CHECK(zeSamplerCreate(context_, device_, &desc, &sampler_));
    CHECK(zeKernelSetArgumentValue(kernel_, index, sizeof(ze_sampler_handle_t), &sampler_));
  }
  template <class T> void set_argument(uint32_t index, const T& value) {
    CHECK(zeKernelSetArgumentValue(kernel_, index, sizeof value, &value));
  }

  void drop() {
    for (void* memory : memory_)
      if (memory) zeMemFree(context_, memory);
    memory_.clear();
    for (auto& [index, image] : images_) zeImageDestroy(image);
    images_.clear();
    if (sampler_) zeSamplerDestroy(std::exchange(sampler_, nullptr));
    if (kernel_) zeKernelDestroy(std::exchange(kernel_, nullptr));
    if (module_) zeModuleDestroy(std::exchange(module_, nullptr));
  }

  std::string kernels_;
  ze_driver_handle_t driver_ = nullptr;
  ze_device_handle_t device_ = nullptr;
  ze_context_handle_t context_ = nullptr;
  ze_command_list_handle_t list_ = nullptr;
  ze_module_handle_t module_ = nullptr;
  ze_kernel_handle_t kernel_ = nullptr;
  std::vector<void*> memory_;                  // by argument; null where the argument is no buffer
  std::map<size_t, ze_image_handle_t> images_; // by argument
  ze_sampler_handle_t sampler_ = nullptr;
  const Case* case_ = nullptr;
};

} // namespace

std::unique_ptr<Runtime> open_level_zero(const std::string& kernels, size_t device) {
  return std::make_unique<LevelZero>(kernels, device);
}

} // namespace zeroth::bench
