// Applies overlays to a backend: each gets the tables under it and a copy to write its own functions into.
#include <registry/backend.hpp>
#include <sdk/log.hpp>

namespace zeroth::registry {
namespace {

// What find_interface needs: who may offer one, innermost first.
struct Offers {
  const FoundDriver* driver;
  const FoundOverlay* end; // the overlay that asks
};

const void* find_in(const zeroth_plugin* plugin, const char* name, std::uint32_t version) {
  return plugin == nullptr || plugin->find_interface == nullptr ? nullptr : plugin->find_interface(name, version);
}

// The nearest one below the asking overlay wins.
const void* find_interface(const zeroth_overlay_target* target, const char* name, std::uint32_t version) {
  const auto& offers = *static_cast<const Offers*>(target->host_data);
  for (const FoundOverlay* overlay = offers.end; overlay != offers.driver->overlays.data();)
    if (const void* found = find_in((--overlay)->descriptor, name, version)) return found;
  return find_in(offers.driver->descriptor, name, version);
}

ze_result_t run_apply(const FoundOverlay& overlay, const zeroth_overlay_target& target) noexcept try {
  return overlay.descriptor->apply(overlay.host, &target);
} catch (...) {
  return ZE_RESULT_ERROR_UNKNOWN;
}

} // namespace

void Backend::apply_overlay(const FoundOverlay& overlay) {
  TableSet& below = *top_;
  TableSet& above = new_layer(below.prefix());
  Offers offers{&found_, &overlay};
  const zeroth_overlay_target target{sizeof(zeroth_overlay_target),
                                     ZE_API_VERSION_CURRENT,
                                     name().c_str(),
                                     &below.prefix(),
                                     &above.prefix(),
                                     find_interface,
                                     &offers};
  if (const ze_result_t result = run_apply(overlay, target); result != ZE_RESULT_SUCCESS) {
    layers_.pop_back();
    log(Level::Warning, "overlay {} is not applied to driver {}: result {:#x}", overlay.descriptor->name, name(),
        static_cast<unsigned>(result));
    return;
  }
  above.fill_missing(unsupported_tables());
  const std::uint32_t number = overlay.host->overlay_number;
  if (below_.size() <= number) below_.resize(number + 1, nullptr);
  below_[number] = &below.prefix();
  link_.overlay_count = static_cast<std::uint32_t>(below_.size());
  link_.below = below_.data();
  top_ = &above;
}

} // namespace zeroth::registry
