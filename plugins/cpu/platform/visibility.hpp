// Which devices a program sees: ZE_AFFINITY_MASK and ZE_FLAT_DEVICE_HIERARCHY over one device with parts.
#pragma once
#include <string_view>
#include <vector>

namespace zeroth::cpu {

// Composite: the device, and below it its parts. Flat: the parts, as devices. Combined: the parts, which know the
// device.
enum class Hierarchy { Composite, Flat, Combined };

bool is_hierarchy(std::string_view text); // one of these words, in letters of any size

struct Visibility {
  Hierarchy hierarchy = Hierarchy::Composite;
  bool device = true;
  std::vector<unsigned> parts; // numbers of those that are left, ascending
};

// Mask items are "device" or "device.part"; with flat and combined hierarchies a plain number counts parts. An empty
// mask shows everything; items that name nothing are skipped.
Visibility visible_devices(std::string_view mask, std::string_view hierarchy, unsigned parts);

// What both masks show of a device with so many parts: the configuration's and the environment's.
Visibility common(const Visibility& one, const Visibility& other, unsigned parts);

} // namespace zeroth::cpu
