// The kernel's texts about PCI devices.
#pragma once

#include <level_zero/zes_api.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace zeroth::sysman::parse {

// "0000:3a:00.0".
std::optional<zes_pci_address_t> pci_address(std::string_view text);
// "16.0 GT/s PCIe" → 4; absent for what no generation runs at.
std::optional<std::int32_t> pci_generation(std::string_view text);
// Bytes per second in one direction of a link of so many lanes; -1 where the generation is not known.
std::int64_t pci_bandwidth(std::int32_t generation, std::int32_t lanes);
// The lines "start end flags" of the file `resource`; the seventh is the ROM.
std::vector<zes_pci_bar_properties_t> pci_bars(std::string_view text);

} // namespace zeroth::sysman::parse
