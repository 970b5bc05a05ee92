// An overlay that takes one thing away from what the driver under it says of itself: a device that has lost it. The
// option `without` names it. For the test that such a device fails the device tests (offers_mutants_test.py).
#include <options.hpp>
#include <overlay.hpp>
#include <plugin.hpp>

#include <cstring>
#include <string>

using namespace zeroth;

namespace {

std::string without;

constexpr auto Devices = &ze_dditable_driver_t::Device;
constexpr auto Drivers = &ze_dditable_driver_t::Driver;

using DeviceSlots = ze_device_dditable_t;
using DriverSlots = ze_driver_dditable_t;

ze_result_t ZE_APICALL queue_groups(ze_device_handle_t device, std::uint32_t* count,
                                    ze_command_queue_group_properties_t* groups) {
  constexpr auto Slot = &DeviceSlots::pfnGetCommandQueueGroupProperties;
  const ze_result_t result = overlay::below<Devices, Slot>(device)(device, count, groups);
  for (std::uint32_t i = 0; groups && i < *count; ++i)
    if (!(groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE)) groups[i].flags = 0;
  return result;
}

ze_result_t ZE_APICALL module_properties(ze_device_handle_t device, ze_device_module_properties_t* properties) {
  const ze_result_t result = overlay::below<Devices, &DeviceSlots::pfnGetModuleProperties>(device)(device, properties);
  auto* next = static_cast<ze_base_properties_t*>(properties->pNext);
  for (; next; next = static_cast<ze_base_properties_t*>(next->pNext))
    if (next->stype == ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES)
      reinterpret_cast<ze_float_atomic_ext_properties_t*>(next)->fp16Flags = 0;
  return result;
}

ze_result_t ZE_APICALL memory_access(ze_device_handle_t device, ze_device_memory_access_properties_t* properties) {
  const ze_result_t result =
      overlay::below<Devices, &DeviceSlots::pfnGetMemoryAccessProperties>(device)(device, properties);
  properties->sharedSystemAllocCapabilities = 0;
  return result;
}

ze_result_t ZE_APICALL external_memory(ze_device_handle_t device, ze_device_external_memory_properties_t* properties) {
  const ze_result_t result =
      overlay::below<Devices, &DeviceSlots::pfnGetExternalMemoryProperties>(device)(device, properties);
  properties->imageExportTypes = 0;
  return result;
}

ze_result_t ZE_APICALL extensions(ze_driver_handle_t driver, std::uint32_t* count,
                                  ze_driver_extension_properties_t* all) {
  const ze_result_t result =
      overlay::below<Drivers, &DriverSlots::pfnGetExtensionProperties>(driver)(driver, count, all);
  for (std::uint32_t i = 0; all && i < *count; ++i)
    if (std::strcmp(all[i].name, ZE_COMMAND_LIST_CLONE_EXP_NAME) == 0) all[i].name[0] = 'x';
  return result;
}

void start(const zeroth_host* host) {
  overlay::start(host);
  without = Options(host).text("without", "");
}

void apply(const zeroth_overlay_target& target) {
  auto& device = *target.above->pCore->Device;
  if (without == "copies") device.pfnGetCommandQueueGroupProperties = queue_groups;
  if (without == "half atomics") device.pfnGetModuleProperties = module_properties;
  if (without == "system memory") device.pfnGetMemoryAccessProperties = memory_access;
  if (without == "image export") device.pfnGetExternalMemoryProperties = external_memory;
  if (without == "clones") target.above->pCore->Driver->pfnGetExtensionProperties = extensions;
}

constexpr zeroth_option options[] = {{"without", "string", "", "what is taken away"}};

} // namespace

ZEROTH_PLUGIN_EXPORT constinit const zeroth_plugin zeroth_plugin_descriptor =
    overlay_plugin({.name = "stripped",
                    .version = "1.0.0",
                    .description = "a device that has lost something",
                    .options = options,
                    .init = starting<start>,
                    .apply = applying<apply>});
