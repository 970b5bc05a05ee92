#include <registry/presented.hpp>

#include <cstring>
#include <utility>

#include <registry/backend.hpp>

namespace zeroth::registry {
namespace {

void put_presented(const Backend& backend, ze_device_properties_t& properties) {
  const bool has_own_type = properties.type == ZE_DEVICE_TYPE_GPU || properties.type == ZE_DEVICE_TYPE_VPU;
  if (const auto reported = backend.reported(); reported && !has_own_type) properties.type = *reported;
  const std::string& name = backend.presented().device_name;
  if (name.empty()) return;
  std::memset(properties.name, 0, sizeof(properties.name));
  name.copy(properties.name, sizeof(properties.name) - 1);
}

ze_result_t ZE_APICALL get_driver_properties(ze_driver_handle_t driver, ze_driver_properties_t* properties) {
  const Backend& backend = Backend::of(driver);
  const ze_result_t result = backend.true_properties().driver(driver, properties);
  const std::uint32_t version = backend.presented().driver_version;
  if (result == ZE_RESULT_SUCCESS && version != 0) properties->driverVersion = version;
  return result;
}

ze_result_t ZE_APICALL get_device_properties(ze_device_handle_t device, ze_device_properties_t* properties) {
  const Backend& backend = Backend::of(device);
  const ze_result_t result = backend.true_properties().device(device, properties);
  if (result == ZE_RESULT_SUCCESS) put_presented(backend, *properties);
  return result;
}

ze_result_t ZE_APICALL get_sysman_properties(zes_device_handle_t device, zes_device_properties_t* properties) {
  const Backend& backend = Backend::of(device);
  const ze_result_t result = backend.true_properties().sysman_device(device, properties);
  if (result == ZE_RESULT_SUCCESS) put_presented(backend, properties->core);
  return result;
}

} // namespace

TrueProperties replace_properties(TableSet& layer) {
  const ze_handle_t& prefix = layer.prefix();
  return {std::exchange(prefix.pCore->Driver->pfnGetProperties, &get_driver_properties),
          std::exchange(prefix.pCore->Device->pfnGetProperties, &get_device_properties),
          std::exchange(prefix.pSysman->Device->pfnGetProperties, &get_sysman_properties)};
}

} // namespace zeroth::registry
