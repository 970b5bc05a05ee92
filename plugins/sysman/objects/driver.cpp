#include "driver.hpp"

#include "../parse/pci.hpp"
#include "../parts/listing.hpp"
#include "../parts/text.hpp"
#include "backing.hpp"

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
    {ZES_INFO_LOGS_EXT_NAME, ZES_INFO_LOGS_EXT_VERSION_CURRENT},
    {ZES_DEVICE_EXT_STATE_NAME, ZES_DEVICE_EXT_STATE_VERSION_CURRENT},
    {ZES_MEMORY_VENDOR_INFO_EXT_NAME, ZES_MEMORY_VENDOR_INFO_EXT_VERSION_CURRENT},
};

bool same(const zes_uuid_t& wanted, const ze_device_uuid_t& id) {
  return std::memcmp(wanted.id, id.id, sizeof id.id) == 0;
}

} // namespace

DriverPart::DriverPart(Backing& backing, zes_driver_handle_t handle)
    : backing_(backing), handle_(handle ? handle : to_handle(static_cast<device::Driver*>(this))),
      info_log_(std::make_unique<InfoLogPart>(backing.prefix_like(handle_),
                                              [this]() -> const Origins& { return origins(); })) {}

// Of several devices in one place the first stands for it.
const Origins& DriverPart::origins() {
  std::call_once(looked_, [this] {
    for (ze_device_handle_t handle : devices()) {
      DevicePart& device = backing_.device(handle);
      const Place& place = device.place();
      if (place.kind == Place::Kind::Nowhere) continue;
      Origin origin;
      std::memcpy(origin.uuid.id, device.core_properties().uuid.id, sizeof origin.uuid.id);
      origin.address = parse::pci_address(place.pci).value_or(zes_pci_address_t{});
      origins_.emplace(place.pci, origin);
    }
  });
  return origins_;
}

ze_result_t DriverPart::zes_enum_info_logs_ext(uint32_t* count, zes_info_log_handle_t* logs) {
  hand_out(1, count, logs, [&](zes_info_log_handle_t& item, uint32_t) { item = to_handle(info_log_.get()); });
  return ZE_RESULT_SUCCESS;
}

std::vector<ze_device_handle_t> DriverPart::devices() const {
  std::vector<ze_device_handle_t> all;
  if (const ze_result_t result = backing_.devices(handle_, all); result != ZE_RESULT_SUCCESS)
    throw Error(result, "the driver {} does not list its devices", backing_.name());
  return all;
}

ze_result_t DriverPart::device_get(uint32_t* count, ze_device_handle_t* handles) {
  return zes_device_get(count, handles);
}

ze_result_t DriverPart::get_last_error_description(const char** text) {
  *text = last_error::text();
  return ZE_RESULT_SUCCESS;
}

ze_result_t DriverPart::zes_get_properties(zes_driver_properties_t* properties) {
  ze_driver_properties_t core{};
  const ze_result_t result = backing_.properties(handle_, core);
  if (result != ZE_RESULT_SUCCESS) throw Error(result, "the driver {} does not tell its properties", backing_.name());
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
    DevicePart& candidate = backing_.device(handle);
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
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "no device of the driver {} has this uuid", backing_.name());
}

} // namespace zeroth::sysman
