#include <registry/backend.hpp>

#include <algorithm>

#include <registry/adopt.hpp>
#include <registry/closed_sysman.hpp>
#include <registry/discovery.hpp>
#include <registry/lost.hpp>
#include <registry/wrap.hpp>
#include <sdk/error.hpp>
#include <sdk/log.hpp>

namespace zeroth::registry {

Backend::Backend(FoundDriver found)
    : found_(std::move(found)), link_{{sizeof(zeroth_composition), 0, nullptr}, this}, own_(&link_) {
  fetch_tables(found_.symbol, own_);
  start();
  attachment_ = choose_attachment();
  compose();
  attached_.reserve(drivers_.size() + 1);
  for (DriverEntry& driver : drivers_) {
    if (attachment_ == Attachment::Wrapped) driver.core = wrap_driver(*this, driver.core);
    attach(*reinterpret_cast<ze_handle_t*>(driver.core));
    driver.sysman = driver.core;
  }
}

Backend& Backend::of(const void* handle) {
  const auto* core = __atomic_load_n(&static_cast<const ze_handle_t*>(handle)->pCore, __ATOMIC_RELAXED);
  const void* first_table = __atomic_load_n(&core->RTASBuilder, __ATOMIC_RELAXED);
  const zeroth_composition* composition = static_cast<const zeroth_composition* const*>(first_table)[-1];
  return *static_cast<const Link*>(composition)->owner;
}

void Backend::start() {
  for (const TypedDriver& driver : ask_drivers(own())) drivers_.push_back({driver.handle, nullptr, driver.types});
  if (drivers_.empty()) throw Error(ZE_RESULT_ERROR_UNINITIALIZED, "driver {} has no device", name());
}

Attachment Backend::choose_attachment() {
  if (foreign()) prefix_size_ = prefix_of_foreign(own(), drivers_.front().core);
  if (prefix_size_ == PrefixSize::None) return Attachment::Wrapped;
  const bool in_place = !foreign() && std::all_of(drivers_.begin(), drivers_.end(), [](const DriverEntry& driver) {
    const auto& prefix = *reinterpret_cast<const ze_handle_t*>(driver.core);
    return has_our_layout(prefix) && !is_lost(prefix);
  });
  return in_place ? Attachment::InPlace : Attachment::Adopted;
}

void Backend::compose() {
  top_ = &new_layer(own());
  if (attachment_ == Attachment::Adopted) adopt_in(*top_);
  if (attachment_ == Attachment::Wrapped) wrap_in(*top_);
  top_->fill_missing(unsupported_tables());
  true_properties_ = replace_properties(*top_);
  std::uint32_t numbers = 0; // the list is complete from now on: calls read it while sysman's overlays come
  for (const FoundOverlay& overlay : found_.overlays) numbers = std::max(numbers, overlay.number + 1);
  below_.resize(numbers, nullptr);
  link_.overlay_count = numbers;
  link_.below = below_.data();
  bool waits = false;
  for (const FoundOverlay& overlay : found_.overlays) {
    waits = waits || overlay.for_sysman;
    if (!overlay.for_sysman) apply_overlay(overlay);
  }
  if (!waits) return;
  sysman_base_ = top_;
  top_ = &new_layer(composed());
  close_sysman(*top_);
}

// Handles are in use already, so what they lead to stays and is pointed at the new tables. Nothing leads to the layer
// that the overlays then stand over.
void Backend::open_sysman() {
  if (sysman_base_ == nullptr) return;
  top_ = sysman_base_;
  for (const FoundOverlay& overlay : found_.overlays)
    if (overlay.for_sysman) apply_overlay(overlay);
  for (const ze_handle_t& containers : attached_) redirect_tables(containers, composed());
  if (attachment_ != Attachment::InPlace) attached_.push_back(composed());
}

TableSet& Backend::new_layer(const ze_handle_t& below) {
  TableSet& layer = layers_.emplace_back(&link_);
  layer.copy_slots(below);
  return layer;
}

void Backend::attach(ze_handle_t& driver) {
  if (attachment_ == Attachment::InPlace) {
    redirect_tables(driver, composed());
    attached_.push_back(driver);
    return;
  }
  if (attachment_ == Attachment::Adopted) set_prefix(driver, composed(), prefix_size_);
  attached_.assign(1, composed());
}

std::optional<ze_device_type_t> Backend::reported() const {
  const int type = reported_.load(std::memory_order_relaxed);
  if (type < 0) return std::nullopt;
  return static_cast<ze_device_type_t>(type);
}

Types Backend::visible_types(const DriverEntry& driver) const {
  return driver.types == Other && reported() == ZE_DEVICE_TYPE_GPU ? Gpu : driver.types;
}

void Backend::start_sysman() {
  if (std::exchange(sysman_started_, true)) return;
  const std::vector<zes_driver_handle_t> handles = ask_sysman_drivers(own());
  open_sysman();
  // Overlays that serve sysman hear of it, too.
  const auto init = composed().pSysman->Global->pfnInit;
  if (init != own().pSysman->Global->pfnInit) init(0);
  if (!foreign() || handles.empty()) return; // a plugin has one object for ze and zes
  for (std::size_t i = 0; i < std::min(handles.size(), drivers_.size()); ++i) {
    zes_driver_handle_t handle = handles[i];
    if (attachment_ == Attachment::Wrapped)
      handle = wrap_driver(*this, handle);
    else
      set_prefix(*reinterpret_cast<ze_handle_t*>(handle), composed(), prefix_size_);
    drivers_[i].sysman = handle;
  }
}

void Backend::lose_handles(const ze_handle_t& lost) {
  for (const ze_handle_t& containers : attached_) redirect_tables(containers, lost);
}

} // namespace zeroth::registry
