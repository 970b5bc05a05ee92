#include "log_line.hpp"

#include "numbers.hpp"

namespace zeroth::sysman::parse {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

zes_info_log_record_type_ext_t type_of(std::string_view text) {
  if (has(text, "Uncorrected") || has(text, "uncorrected") || has(text, " UE ") || has(text, "Fatal"))
    return has(text, "atal") ? ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL
                             : ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_RECOVERABLE;
  if (has(text, "orrected") || has(text, " CE ")) return ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_CORRECTED;
  if (has(text, "throttled") || has(text, "temperature")) return ZES_INFO_LOG_RECORD_TYPE_EXT_INFORMATIONAL;
  return ZES_INFO_LOG_RECORD_TYPE_EXT_UNKNOWN;
}

struct Word {
  std::string_view word;
  zes_info_log_record_type_ext_t type;
};
constexpr Word Words[] = {{"informational", ZES_INFO_LOG_RECORD_TYPE_EXT_INFORMATIONAL},
                          {"corrected", ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_CORRECTED},
                          {"recoverable", ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_RECOVERABLE},
                          {"fatal", ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL}};

} // namespace

std::optional<LogLine> kernel_line(std::string_view line) {
  const auto start = line.find(';');
  if (line.starts_with(' ') || start == std::string_view::npos) return std::nullopt; // more of the line before
  const std::string_view text = trimmed(line.substr(start + 1));
  const bool machine_check = has(text, "[Hardware Error]") || text.starts_with("mce:");
  const bool memory = text.starts_with("EDAC ") && (has(text, " CE ") || has(text, " UE "));
  const bool heat = has(text, "clock throttled") || has(text, "temperature/speed normal");
  if (!machine_check && !memory && !heat) return std::nullopt;
  return LogLine{type_of(text), machine_check, text};
}

std::optional<LogLine> plain_line(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return std::nullopt;
  std::string_view rest = line;
  const std::string_view first = next_word(rest);
  for (const Word& known : Words)
    if (first == known.word) return LogLine{known.type, false, trimmed(rest)};
  return LogLine{ZES_INFO_LOG_RECORD_TYPE_EXT_INFORMATIONAL, false, line};
}

} // namespace zeroth::sysman::parse
