#include <registry/reported_type.hpp>

#include <registry/backend.hpp>

namespace zeroth::registry {
namespace {

void put_reported(const Backend& backend, ze_device_properties_t& properties) {
  const bool plain = properties.type != ZE_DEVICE_TYPE_GPU && properties.type != ZE_DEVICE_TYPE_VPU;
  if (const auto reported = backend.reported(); reported && plain) properties.type = *reported;
}

ze_result_t ZE_APICALL get_properties(ze_device_handle_t device, ze_device_properties_t* properties) {
  const Backend& backend = Backend::of(device);
  const ze_result_t result = backend.true_types().core(device, properties);
  if (result == ZE_RESULT_SUCCESS && properties != nullptr) put_reported(backend, *properties);
  return result;
}

ze_result_t ZE_APICALL get_sysman_properties(zes_device_handle_t device, zes_device_properties_t* properties) {
  const Backend& backend = Backend::of(device);
  const ze_result_t result = backend.true_types().sysman(device, properties);
  if (result == ZE_RESULT_SUCCESS && properties != nullptr) put_reported(backend, properties->core);
  return result;
}

} // namespace

TrueTypes replace_properties(TableSet& layer) {
  auto& core = layer.prefix().pCore->Device->pfnGetProperties;
  auto& sysman = layer.prefix().pSysman->Device->pfnGetProperties;
  const TrueTypes truth{core, sysman};
  core = get_properties;
  sysman = get_sysman_properties;
  return truth;
}

} // namespace zeroth::registry
