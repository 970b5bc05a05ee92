#include "driver.hpp"

#include "chain.hpp"
#include "context.hpp"
#include "device.hpp"
#include "extensions.hpp"
#include "listing.hpp"

#include "../platform/environment.hpp"

#include <sdk/error.hpp>
#include <sdk/log.hpp>
#include <zeroth/api/tables.hpp>

#include <cstdlib>
#include <cstring>

namespace zeroth::cpu {

namespace {

constexpr std::uint32_t DriverVersion = 0x01000000;

DriverOptions& pending_options() {
  static DriverOptions options;
  return options;
}

CoreSet cores_of(const DriverOptions& options) {
  const CoreSet usable = usable_cores();
  if (options.cores.empty()) return usable;
  const auto chosen = split_cores(usable, options.cores + ';'); // one set, without the processors that are not there
  if (chosen.empty()) {
    log(Level::Warning, "no processor of `{}` can be used: taking all", options.cores);
    return usable;
  }
  return chosen.front();
}

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

Visibility what_masks_show(const std::string& configured, unsigned parts) {
  const char *mask = environment("ZE_AFFINITY_MASK"), *hierarchy = environment("ZE_FLAT_DEVICE_HIERARCHY");
  if (!is_affinity_mask(mask)) mask = ""; // as told
  if (*hierarchy && !is_hierarchy(hierarchy))
    log(Level::Warning, "ZE_FLAT_DEVICE_HIERARCHY: `{}` is none of COMPOSITE, FLAT and COMBINED; taking COMPOSITE",
        hierarchy);
  Visibility seen =
      common(visible_devices(configured, hierarchy, parts), visible_devices(mask, hierarchy, parts), parts);
  if (!seen.device && seen.parts.empty())
    log(Level::Warning, "plugin cpu: no device is shown: device_mask is `{}`, ZE_AFFINITY_MASK `{}`", configured, mask);
  return seen;
}

compiler::CompilerOptions compiler_options(const DriverOptions& options) {
  compiler::CompilerOptions result;
  result.in_process = options.compiler == "in-process";
  if (!result.in_process) result.worker_path = options.compiler;
  result.cpu = options.cpu;
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
    : cores_(cores_of(options)),
      executor_({.threads = options.threads ? options.threads : static_cast<unsigned>(cores_.size()),
                 .cores = options.cores.empty() ? CoreSet{} : cores_,
                 .pin = options.pin}),
      compiler_(compiler_options(options)) {
  tell_words_not_taken();
  make_devices(options);
}

// With some parts hidden the whole device is what is left of it.
void CpuDriver::make_devices(const DriverOptions& options) {
  const auto parts = split_cores(cores_, options.sub_devices);
  const Visibility seen = what_masks_show(options.device_mask, static_cast<unsigned>(parts.size()));
  hierarchy_ = seen.hierarchy;
  device_visible_ = seen.device;
  device_ = std::make_unique<CpuDevice>(*this, executor_, cores_);
  for (unsigned number : seen.parts)
    sub_devices_.push_back(std::make_unique<CpuDevice>(*this, *device_, number, parts[number], options.pin));
}

void check_devices(std::uint32_t count, const ze_device_handle_t* devices) {
  const auto* own = &device::tables().core_container; // that all handles of a driver lead to
  for (std::uint32_t i = 0; devices && i < count; ++i) {
    if (!devices[i]) throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "device {} is null", i);
    if (reinterpret_cast<const ze_handle_t*>(devices[i])->pCore != own)
      throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "device {} belongs to another driver", i);
  }
}

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
    if (stype == ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES)
      static_cast<ze_driver_memory_free_ext_properties_t*>(item)->freePolicies =
          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE | ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
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
  std::vector<CpuDevice*> shown;
  if (hierarchy_ != Hierarchy::Composite)
    for (const auto& part : sub_devices_) shown.push_back(part.get());
  if (shown.empty() && device_visible_) shown.push_back(device_.get());
  hand_out(static_cast<uint32_t>(shown.size()), count, devices,
           [&](auto& item, uint32_t i) { item = to_handle(shown[i]); });
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
