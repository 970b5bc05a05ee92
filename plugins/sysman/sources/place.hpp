// Where in the machine a device is, and what is known about it there.
#pragma once

#include "../files/root.hpp"
#include "../parts/found.hpp"

#include <string>

namespace zeroth::sysman {

struct Place {
  enum class Kind { Host, Pci, Nowhere };
  Kind kind = Kind::Nowhere;
  std::string pci; // "0000:03:00.0"

  // The folder of the device in /sys, of a PCI device.
  std::string folder() const { return "/sys/bus/pci/devices/" + pci; }
};

std::string pci_text(const zes_pci_address_t& address);

// Asks every source. Never throws for what it cannot read; a machine that tells nothing gives empty lists.
Found look(const Root& root, const Place& place, const std::string& nvml);

} // namespace zeroth::sysman
