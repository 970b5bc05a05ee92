// One entry of the firmware's tables about a memory module (SMBIOS, type 17), as the kernel hands it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace zeroth::sysman::parse {

struct MemoryDevice {
  std::string_view locator;               // "DIMM_A1": as on the board
  std::string_view vendor;                // empty when not told
  std::optional<std::uint16_t> vendor_id; // JEDEC's number of the maker: bank in the low byte, code in the high one
  bool present = false;
};

// Absent for other types and for entries that end early. The views are into `raw`.
std::optional<MemoryDevice> memory_device(std::string_view raw);

} // namespace zeroth::sysman::parse
