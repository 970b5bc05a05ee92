#include "driver.hpp"

#include "../overlay/site.hpp"
#include "../parts/listing.hpp"
#include "../parts/text.hpp"

#include <cstring>

namespace zeroth::sysman {
namespace {

struct Extension {
  const char* name;
  uint32_t version;
};
constexpr Extension Extensions[] = {
    {ZES_POWER_LIMITS_EXT_NAME, ZES_POWER_LIMITS_EXT_VERSION_CURRENT},
    {ZES_ENGINE_ACTIVITY_EXT_NAME, ZES_ENGINE_ACTIVITY_EXT_VERSION_CURRENT},
    {ZES_RAS_GET_STATE_EXP_NAME, ZES_RAS_STATE_EXP_VERSION_CURRENT},
    {ZES_POWER_DOMAIN_PROPERTIES_EXP_NAME, ZES_POWER_DOMAIN_PROPERTIES_EXP_VERSION_CURRENT},
    {ZES_SYSMAN_DEVICE_MAPPING_EXP_NAME, ZES_SYSMAN_DEVICE_MAPPING_EXP_VERSION_CURRENT},
    {ZES_DEVICE_EXT_STATE_NAME, ZES_DEVICE_EXT_STATE_VERSION_CURRENT},
};

bool same(const zes_uuid_t& wanted, const ze_device_uuid_t& id) {
  return std::memcmp(wanted.id, id.id, sizeof id.id) == 0;
}

} // namespace

std::vector<ze_device_handle_t> DriverPart::devices() const {
  std::uint32_t count = 0;
  const auto get = site_.below().pCore->Device->pfnGet;
  if (const ze_result_t result = get(handle_, &count, nullptr); result != ZE_RESULT_SUCCESS)
    throw Error(result, "the driver {} does not list its devices", site_.name());
  std::vector<ze_device_handle_t> all(count);
  if (count > 0 && get(handle_, &count, all.data()) != ZE_RESULT_SUCCESS) return {};
  all.resize(std::min<std::size_t>(count, all.size()));
  return all;
}

ze_result_t DriverPart::zes_get_properties(zes_driver_properties_t* properties) {
  ze_driver_properties_t core{};
  core.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  const ze_result_t result = site_.below().pCore->Driver->pfnGetProperties(handle_, &core);
  if (result != ZE_RESULT_SUCCESS) throw Error(result, "the driver {} does not tell its properties", site_.name());
  std::memcpy(properties->uuid.id, core.uuid.id, sizeof properties->uuid.id);
  properties->driverVersion = core.driverVersion;
  return ZE_RESULT_SUCCESS;
}

ze_result_t DriverPart::zes_get_extension_properties(uint32_t* count, zes_driver_extension_properties_t* properties) {
  hand_out(std::size(Extensions), count, properties, [](zes_driver_extension_properties_t& item, uint32_t i) {
    put_text(item.name, Extensions[i].name);
    item.version = Extensions[i].version;
  });
  return ZE_RESULT_SUCCESS;
}

// All of them are in the tables.
ze_result_t DriverPart::zes_get_extension_function_address(const char* name, void** address) {
  *address = nullptr;
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} is no function outside of the tables", name);
}

ze_result_t DriverPart::zes_device_get(uint32_t* count, zes_device_handle_t* handles) {
  const auto all = devices();
  hand_out(all.size(), count, handles, [&](zes_device_handle_t& item, uint32_t i) { item = all[i]; });
  return ZE_RESULT_SUCCESS;
}

ze_result_t DriverPart::zes_get_device_by_uuid_exp(zes_uuid_t uuid, zes_device_handle_t* device,
                                                   ze_bool_t* on_subdevice, uint32_t* subdevice) {
  for (ze_device_handle_t handle : devices()) {
    DevicePart& candidate = site_.device(handle);
    if (same(uuid, candidate.core_properties().uuid)) {
      *device = handle;
      *on_subdevice = false;
      *subdevice = 0;
      return ZE_RESULT_SUCCESS;
    }
    uint32_t count = 0;
    candidate.zes_get_sub_device_properties_exp(&count, nullptr);
    std::vector<zes_subdevice_exp_properties_t> inside(count);
    if (count > 0) candidate.zes_get_sub_device_properties_exp(&count, inside.data());
    for (const auto& one : inside) {
      if (std::memcmp(one.uuid.id, uuid.id, sizeof uuid.id) != 0) continue;
      *device = handle;
      *on_subdevice = true;
      *subdevice = one.subdeviceId;
      return ZE_RESULT_SUCCESS;
    }
  }
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "no device of the driver {} has this uuid", site_.name());
}

} // namespace zeroth::sysman
