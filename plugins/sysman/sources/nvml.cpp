#include "nvml.hpp"

#include <sdk/log.hpp>

#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>

namespace zeroth::sysman {
namespace {

ze_result_t code_of(int result) {
  switch (result) {
  case 3: // not supported
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  case 4: // no permission
    return ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS;
  case 2:
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  case 15: // the GPU is lost
    return ZE_RESULT_ERROR_DEVICE_LOST;
  case 16: // it must be reset
    return ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;
  default:
    return ZE_RESULT_ERROR_NOT_AVAILABLE;
  }
}

} // namespace

const Nvml* Nvml::open(const std::string& library) {
  static std::mutex& mutex = *new std::mutex;
  static auto& opened = *new std::map<std::string, std::unique_ptr<Nvml>>; // under the mutex
  if (library.empty()) return nullptr;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = opened.try_emplace(library);
  if (!is_new) return place->second.get();
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    log(Level::Info, "NVIDIA GPUs are read without their library: {}", ::dlerror());
    return nullptr;
  }
  auto nvml = std::unique_ptr<Nvml>(new Nvml(handle));
  const auto start = nvml->find<int (*)()>("nvmlInit_v2");
  const int result = start ? start() : NotSupported;
  if (result != 0) {
    log(Level::Info, "NVIDIA GPUs are read without their library: nvmlInit_v2 answers {}", result);
    return nullptr;
  }
  return (place->second = std::move(nvml)).get();
}

void* Nvml::symbol(const char* name) const { return ::dlsym(library_, name); }

void Nvml::check(const char* name, int result) const {
  if (result == 0) return;
  const auto words = find<const char* (*)(int)>("nvmlErrorString");
  Error error(code_of(result), "{}: {}", name, words ? words(result) : std::to_string(result));
  if (result == 4) throw std::move(error).advise("run as root: NVIDIA's driver lets nobody else change this");
  throw error;
}

std::string Nvml::text(const char* name, Device device) const try {
  char buffer[128] = {};
  call(name, device, &buffer[0], static_cast<unsigned>(sizeof buffer - 1));
  return buffer;
} catch (const Error&) {
  return {};
}

Nvml::Device Nvml::at(const std::string& pci) const {
  const auto find_device = find<int (*)(const char*, Device*)>("nvmlDeviceGetHandleByPciBusId_v2");
  Device device = nullptr;
  return find_device && find_device(pci.c_str(), &device) == 0 ? device : nullptr;
}

std::string Nvml::driver_version() const {
  char buffer[128] = {};
  const auto version = find<int (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
  return version && version(buffer, sizeof buffer - 1) == 0 ? buffer : "";
}

} // namespace zeroth::sysman
