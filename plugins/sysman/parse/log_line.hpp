// Lines of the kernel's log, and of the test source, as records of the info log.
#pragma once

#include <level_zero/zes_api.h>

#include <optional>
#include <string_view>

namespace zeroth::sysman::parse {

struct LogLine {
  zes_info_log_record_type_ext_t type;
  bool machine_check;
  std::string_view text;
};

// "6,339,5140900,-;mce: [Hardware Error]: …" of /dev/kmsg; absent for what is no notice of the hardware.
std::optional<LogLine> kernel_line(std::string_view line);
// "corrected some text", with a first word informational, corrected, recoverable or fatal; other lines are
// informational.
std::optional<LogLine> plain_line(std::string_view line);

} // namespace zeroth::sysman::parse
