// The kernel's notices about devices, as they come over netlink: "add@/devices/…" and then NAME=value, each with a null
// byte behind it.
#pragma once

#include <optional>
#include <string_view>

namespace zeroth::sysman::parse {

struct Uevent {
  std::string_view action; // "add", "remove", "change", "bind", …
  std::string_view path;   // of the device under /sys
  std::string_view pci;    // the last PCI address in the path; empty when there is none
  bool is_pci = false;     // about the PCI device itself, not about what is under it
  bool wedged = false;     // the driver gave the device up: it needs a reset
};

// The views are into `message`.
std::optional<Uevent> uevent(std::string_view message);

} // namespace zeroth::sysman::parse
