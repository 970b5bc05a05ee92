#include "site.hpp"

#include "../objects/driver.hpp"

namespace zeroth::sysman {
namespace {

std::atomic<bool> sysman_started{false};

using Sites = std::vector<Site*>;
std::atomic<const Sites*> all_sites{nullptr};
std::mutex sites_mutex;

} // namespace

bool started() { return sysman_started.load(std::memory_order_relaxed); }
void start() { sysman_started.store(true); }

void add_site(std::unique_ptr<Site> site) {
  const std::lock_guard lock(sites_mutex);
  const Sites* before = all_sites.load();
  auto* after = before ? new Sites(*before) : new Sites; // what readers may still use is kept
  after->push_back(site.release());
  all_sites.store(after);
}

Site* site_of(const void* handle) {
  const ze_handle_t* below = zeroth_below(overlay::host(), handle);
  if (const Sites* sites = all_sites.load(std::memory_order_acquire))
    for (Site* site : *sites)
      if (&site->below() == below) return site;
  return nullptr;
}

Site::Site(const zeroth_overlay_target& target, bool devices_are_host)
    : below_(target.below), above_(target.above), name_(target.driver_name), devices_are_host_(devices_are_host) {}

// Older drivers' objects have no pointer to runtime tables; no function that takes a part needs them.
ze_handle_t Site::prefix_like(const void* handle) const {
  const auto* theirs = static_cast<const ze_handle_t*>(handle);
  return {theirs->pCore, theirs->pTools, theirs->pSysman, above_->pRuntime};
}

ze_result_t Site::devices(ze_driver_handle_t driver, std::vector<ze_device_handle_t>& all) const {
  return list_all(below_->pCore->Device->pfnGet, driver, all);
}

std::vector<ze_device_handle_t> Site::sub_devices(ze_device_handle_t device) const {
  std::vector<ze_device_handle_t> all;
  list_all(below_->pCore->Device->pfnGetSubDevices, device, all);
  return all;
}

ze_device_properties_t Site::properties(ze_device_handle_t device) const {
  ze_device_properties_t core{};
  core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  below_->pCore->Device->pfnGetProperties(device, &core);
  return core;
}

ze_result_t Site::properties(ze_driver_handle_t driver, ze_driver_properties_t& properties) const {
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  return below_->pCore->Driver->pfnGetProperties(driver, &properties);
}

// A device with a PCI address is that PCI device; one without is the host, if it is a processor.
Place Site::place(ze_device_handle_t device) const {
  ze_pci_ext_properties_t pci{};
  pci.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES;
  if (below_->pCore->Device->pfnPciGetPropertiesExt(device, &pci) == ZE_RESULT_SUCCESS) {
    const ze_pci_address_ext_t& at = pci.address;
    return {Place::Kind::Pci, pci_text({at.domain, at.bus, at.device, at.function})};
  }
  const bool host = devices_are_host_ || properties(device).type == ZE_DEVICE_TYPE_CPU;
  return {host ? Place::Kind::Host : Place::Kind::Nowhere, ""};
}

// Reads a list that is never changed, only replaced; old lists stay, they are small and few.
template <class Part, class Make>
Part& Site::find(std::atomic<const Entries<Part>*>& entries, const void* handle, Make make) {
  const auto search = [&](const Entries<Part>* list) -> Part* {
    if (list == nullptr) return nullptr;
    for (const auto& entry : *list)
      if (entry->handle == handle) return entry->part.get();
    return nullptr;
  };
  if (Part* known = search(entries.load(std::memory_order_acquire))) return *known;
  const std::lock_guard lock(mutex_);
  const Entries<Part>* before = entries.load();
  if (Part* known = search(before)) return *known;
  auto after = before ? std::make_unique<Entries<Part>>(*before) : std::make_unique<Entries<Part>>();
  after->push_back(std::make_shared<Entry<Part>>(Entry<Part>{handle, make()}));
  Part& made = *after->back()->part;
  if (before) replaced_.push_back(before);
  entries.store(after.release(), std::memory_order_release);
  return made;
}

DriverPart& Site::driver(zes_driver_handle_t handle) {
  some_driver_.store(handle, std::memory_order_relaxed);
  return find(drivers_, handle, [&] { return std::make_unique<DriverPart>(*this, handle); });
}

DevicePart& Site::device(zes_device_handle_t handle) {
  return find(devices_, handle, [&] { return std::make_unique<DevicePart>(*this, handle); });
}

} // namespace zeroth::sysman
