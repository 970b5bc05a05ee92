// One record of the info log, and its form as a UEFI Common Platform Error Record (UEFI specification, appendix N).
//
// Every record has one section: the text that its source gave, in UTF-8, under a section type of our own (TextSection).
// Nothing is put into the sections that UEFI defines for processors and memory, because a line of text does not tell
// their fields.
#pragma once

#include <level_zero/zes_api.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace zeroth::sysman {

inline constexpr char NoDevice[] = "none";

struct LogRecord {
  zes_info_log_record_type_ext_t type = ZES_INFO_LOG_RECORD_TYPE_EXT_UNKNOWN;
  std::string text;
  std::string pci;               // of the device; empty for the host; NoDevice where none is known
  bool machine_check = false;    // the processor reported it
  std::uint64_t nanoseconds = 0; // since 1970
  std::uint64_t number = 0;
};

// As GUIDs are written: 7a65726f-7468-4578-8000-74657874206c.
inline constexpr std::array<std::uint8_t, 16> TextSection = {0x6f, 0x72, 0x65, 0x7a, 0x68, 0x74, 0x78, 0x45,
                                                             0x80, 0x00, 0x74, 0x65, 0x78, 0x74, 0x20, 0x6c};

std::vector<std::uint8_t> cper(const LogRecord& record);

} // namespace zeroth::sysman
