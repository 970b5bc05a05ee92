// Applies overlays to a backend: each gets the tables under it and a copy to write its own functions into.
#include <registry/backend.hpp>

namespace zeroth::registry {
namespace {

// What find_interface needs: who may offer one, and which overlay asks.
struct Offers {
  const FoundDriver* driver;
  const FoundOverlay* asking;
};

const void* find_in(const FindInterface& find, const char* name, std::uint32_t version) {
  return find ? find(name, version) : nullptr;
}

// The nearest one below the asking overlay wins.
const void* find_interface(const zeroth_overlay_target* target, const char* name, std::uint32_t version) {
  const auto& offers = *static_cast<const Offers*>(target->host_data);
  for (const FoundOverlay* overlay = offers.asking; overlay != offers.driver->overlays.data();)
    if (const void* found = find_in((--overlay)->find_interface, name, version)) return found;
  return find_in(offers.driver->find_interface, name, version);
}

} // namespace

bool Backend::apply_overlay(const FoundOverlay& overlay) {
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
  if (!overlay.apply(target)) {
    layers_.pop_back();
    return false;
  }
  above.fill_missing(unsupported_tables());
  below_[overlay.number] = &below.prefix();
  top_ = &above;
  return true;
}

} // namespace zeroth::registry
