#include "other_gpus.hpp"

#include "../parts/text.hpp"
#include "settings.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace zeroth::sysman {
namespace {

const std::string Bus = "/sys/bus/pci/devices/";

// Display controllers and accelerators that a driver of the kernel for GPUs is bound to. A bridge that only shows a
// console is none.
bool is_gpu(const Root& root, const std::string& pci) {
  const std::string kind = root.text(Bus + pci + "/class").value_or("");
  if (!kind.starts_with("0x03") && !kind.starts_with("0x12")) return false;
  constexpr std::string_view Drivers[] = {"amdgpu", "i915", "xe", "nvidia", "nouveau"};
  const std::string driver = root.link(Bus + pci + "/driver").value_or("");
  return std::find(std::begin(Drivers), std::end(Drivers), driver) != std::end(Drivers);
}

std::uint32_t number(const Root& root, const std::string& file) {
  const auto text = root.text(file);
  return text ? static_cast<std::uint32_t>(std::strtoul(text->c_str(), nullptr, 16)) : 0;
}

// The addresses of all devices of a driver, whoever wrote it.
void add_addresses(zes_driver_handle_t driver, std::vector<std::string>& addresses) {
  const auto& table = *reinterpret_cast<const ze_handle_t*>(driver)->pCore->Device;
  std::vector<ze_device_handle_t> devices;
  list_all(table.pfnGet, driver, devices);
  for (ze_device_handle_t device : devices) {
    ze_pci_ext_properties_t pci{};
    pci.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES;
    if (table.pfnPciGetPropertiesExt(device, &pci) != ZE_RESULT_SUCCESS) continue;
    addresses.push_back(pci_text({pci.address.domain, pci.address.bus, pci.address.device, pci.address.function}));
  }
}

} // namespace

OtherGpus::OtherGpus(const std::vector<std::string>& served) {
  const Root& root = settings().root;
  for (const std::string& pci : root.names(Bus)) {
    if (!is_gpu(root, pci) || std::find(served.begin(), served.end(), pci) != served.end()) continue;
    devices_.push_back({pci, number(root, Bus + pci + "/vendor"), number(root, Bus + pci + "/device"),
                        std::make_unique<DevicePart>(*this, nullptr)});
  }
  driver_ = std::make_unique<DriverPart>(*this, nullptr);
}

const OtherGpus::Gpu& OtherGpus::gpu(ze_device_handle_t device) const {
  const auto place =
      std::find_if(devices_.begin(), devices_.end(), [&](const Gpu& one) { return one.part->handle() == device; });
  if (place == devices_.end()) throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "no device of the driver {}", name_);
  return *place;
}

ze_result_t OtherGpus::devices(ze_driver_handle_t, std::vector<ze_device_handle_t>& all) const {
  for (const Gpu& one : devices_) all.push_back(one.part->handle());
  return ZE_RESULT_SUCCESS;
}

// The uuid is the form that GPU drivers use: vendor, device and address.
ze_device_properties_t OtherGpus::properties(ze_device_handle_t device) const {
  const Gpu& one = gpu(device);
  const Parts& parts = one.part->parts();
  ze_device_properties_t core{};
  core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  core.type = ZE_DEVICE_TYPE_GPU;
  core.vendorId = one.vendor;
  core.deviceId = one.model;
  const auto put16 = [&](std::size_t at, std::uint32_t value) {
    core.uuid.id[at] = static_cast<std::uint8_t>(value), core.uuid.id[at + 1] = static_cast<std::uint8_t>(value >> 8);
  };
  put16(0, one.vendor), put16(2, one.model);
  if (const auto& pci = parts.found.pci) {
    put16(6, pci->address.domain);
    core.uuid.id[8] = static_cast<std::uint8_t>(pci->address.bus);
    core.uuid.id[9] = static_cast<std::uint8_t>(pci->address.device);
    core.uuid.id[10] = static_cast<std::uint8_t>(pci->address.function);
  }
  const std::string& model = parts.found.identity.model;
  put_text(core.name, model.empty() ? parts.found.identity.vendor + " GPU at " + one.pci : model);
  return core;
}

ze_result_t OtherGpus::properties(ze_driver_handle_t, ze_driver_properties_t& properties) const {
  properties.driverVersion = 1;
  std::memcpy(properties.uuid.id, "zeroth sysman\0\0", 16);
  return ZE_RESULT_SUCCESS;
}

Place OtherGpus::place(ze_device_handle_t device) const { return {Place::Kind::Pci, gpu(device).pci}; }

DevicePart& OtherGpus::device(zes_device_handle_t handle) { return *gpu(handle).part; }

ze_handle_t OtherGpus::prefix_like(const void* handle) const { return *static_cast<const ze_handle_t*>(handle); }

ze_result_t list_other_drivers(uint32_t served_count, const zes_driver_handle_t* served, uint32_t* count,
                               zes_driver_handle_t* drivers) try {
  static std::once_flag& looked = *new std::once_flag;
  static OtherGpus* gpus = nullptr;
  std::call_once(looked, [&] {
    std::vector<std::string> addresses;
    for (uint32_t i = 0; i < served_count; ++i) add_addresses(served[i], addresses);
    gpus = new OtherGpus(addresses);
  });
  const uint32_t total = gpus->empty() || settings().fill == Fill::None ? 0 : 1;
  if (drivers != nullptr && *count > 0 && total > 0) drivers[0] = gpus->driver();
  *count = total;
  return ZE_RESULT_SUCCESS;
} catch (...) {
  return record_current_exception(nullptr);
}

} // namespace zeroth::sysman
