#include "plugin_host/devices.hpp"

#include <vector>

#include <fmt/format.h>

namespace zeroth {
namespace {

// A driver's table, with the entries of this version or, from an older driver, of the first.
template <class Table> bool fetch(const LoadedPlugin& plugin, const char* getter, Table& table) {
  using Getter = ze_result_t(ZE_APICALL*)(ze_api_version_t, Table*);
  const auto get = reinterpret_cast<Getter>(plugin.symbol(getter));
  if (!get) return false;
  return get(ZE_API_VERSION_CURRENT, &table) == ZE_RESULT_SUCCESS ||
         get(ZE_API_VERSION_1_0, &table) == ZE_RESULT_SUCCESS;
}

std::string result_text(const char* function, ze_result_t result) {
  return fmt::format("its {} returned 0x{:x}", function, static_cast<unsigned>(result));
}

} // namespace

DeviceCount count_devices(const LoadedPlugin& plugin) {
  DeviceCount count;
  ze_global_dditable_t global{};
  ze_driver_dditable_t driver{};
  ze_device_dditable_t device{};
  if (!fetch(plugin, "zeGetGlobalProcAddrTable", global) || !fetch(plugin, "zeGetDriverProcAddrTable", driver) ||
      !fetch(plugin, "zeGetDeviceProcAddrTable", device) || !global.pfnInit || !driver.pfnGet || !device.pfnGet)
    return count.problem = "it has not the tables of a driver", count;
  if (const ze_result_t result = global.pfnInit(0); result != ZE_RESULT_SUCCESS)
    return count.problem = result_text("zeInit", result), count;
  if (const ze_result_t result = driver.pfnGet(&count.drivers, nullptr); result != ZE_RESULT_SUCCESS)
    return count.problem = result_text("zeDriverGet", result), count;
  std::vector<ze_driver_handle_t> handles(count.drivers);
  if (count.drivers > 0) driver.pfnGet(&count.drivers, handles.data());
  for (ze_driver_handle_t handle : handles) {
    std::uint32_t devices = 0;
    if (const ze_result_t result = device.pfnGet(handle, &devices, nullptr); result != ZE_RESULT_SUCCESS)
      count.problem = result_text("zeDeviceGet", result);
    else
      count.devices += devices;
  }
  if (count.devices == 0 && count.problem.empty()) count.problem = "it finds no device";
  return count;
}

void check_devices(PluginHost& host) {
  const PluginHost::Plugins drivers = host.drivers();
  for (const auto& driver : drivers)
    if (const DeviceCount count = count_devices(*driver); count.devices == 0)
      host.fail(*driver, PluginFault::NoDevices, count.problem, "check that its hardware is there and may be opened");
}

} // namespace zeroth
