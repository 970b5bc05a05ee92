#include "driver.hpp"

#include "chain.hpp"
#include "context.hpp"
#include "device.hpp"
#include "extensions.hpp"
#include "listing.hpp"

#include <sdk/error.hpp>

#include <cstdlib>
#include <cstring>

namespace zeroth::cpu {

namespace {

constexpr std::uint32_t DriverVersion = 0x01000000;

DriverOptions& pending_options() {
  static DriverOptions options;
  return options;
}

// ZE_AFFINITY_MASK: a list of "device" or "device.sub"; there is one device, number 0.
bool mask_shows_device() {
  const char* mask = std::getenv("ZE_AFFINITY_MASK");
  if (!mask || !*mask) return true;
  for (const char* at = mask; at && *at;) {
    char* end = nullptr;
    const long number = std::strtol(at, &end, 10);
    if (end != at && number == 0) return true;
    at = std::strchr(at, ',');
    if (at) ++at;
  }
  return false;
}

compiler::CompilerOptions compiler_options(const DriverOptions& options) {
  compiler::CompilerOptions result;
  result.worker_path = options.compiler;
  result.library_path = options.plugin_path;
  return result;
}

} // namespace

void CpuDriver::configure(DriverOptions options) { pending_options() = std::move(options); }

CpuDriver& CpuDriver::instance() {
  static CpuDriver& driver = *new CpuDriver(pending_options());
  return driver;
}

CpuDriver::CpuDriver(const DriverOptions& options)
    : executor_({.threads = options.threads}), compiler_(compiler_options(options)),
      device_(std::make_unique<CpuDevice>(*this)), device_visible_(mask_shows_device()) {}

ze_result_t CpuDriver::get_api_version(ze_api_version_t* version) {
  *version = ZE_API_VERSION_1_20;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDriver::get_properties(ze_driver_properties_t* properties) {
  const auto uuid = stable_uuid(facts(), ~0u, 0);
  std::memcpy(properties->uuid.id, uuid.data(), uuid.size());
  properties->driverVersion = DriverVersion;
  for_each_in_chain(properties->pNext, [](ze_structure_type_t stype, void* item) {
    if (stype == ZE_STRUCTURE_TYPE_DRIVER_DDI_HANDLES_EXT_PROPERTIES)
      static_cast<ze_driver_ddi_handles_ext_properties_t*>(item)->flags =
          ZE_DRIVER_DDI_HANDLE_EXT_FLAG_DDI_HANDLE_EXT_SUPPORTED;
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDriver::get_ipc_properties(ze_driver_ipc_properties_t* properties) {
  properties->flags = ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDriver::get_extension_properties(uint32_t* count, ze_driver_extension_properties_t* properties) {
  const auto extensions = supported_extensions();
  hand_out(static_cast<uint32_t>(extensions.size()), count, properties, [&](auto& item, uint32_t i) {
    std::memset(item.name, 0, sizeof item.name);
    std::strncpy(item.name, extensions[i].name, sizeof item.name - 1);
    item.version = extensions[i].version;
  });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDriver::get_extension_function_address(const char* name, void** address) {
  *address = extension_function(name);
  return *address ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t CpuDriver::get_last_error_description(const char** text) {
  *text = last_error::text();
  return ZE_RESULT_SUCCESS;
}

ze_context_handle_t CpuDriver::get_default_context() {
  std::lock_guard lock(default_context_mutex_);
  if (!default_context_) default_context_ = std::make_unique<CpuContext>(*this);
  return to_handle(default_context_.get());
}

ze_result_t CpuDriver::device_get(uint32_t* count, ze_device_handle_t* devices) {
  hand_out(device_visible_ ? 1u : 0u, count, devices, [&](auto& item, uint32_t) { item = to_handle(device_.get()); });
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDriver::context_create(const ze_context_desc_t*, ze_context_handle_t* context) {
  *context = to_handle(new CpuContext(*this));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuDriver::context_create_ex(const ze_context_desc_t* desc, uint32_t count, ze_device_handle_t* devices,
                                         ze_context_handle_t* context) {
  check_devices(count, devices);
  return context_create(desc, context);
}

ze_result_t CpuDriver::fabric_vertex_get_exp(uint32_t* count, ze_fabric_vertex_handle_t*) {
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
