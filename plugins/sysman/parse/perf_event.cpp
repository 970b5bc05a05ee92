#include "perf_event.hpp"

#include "numbers.hpp"

#include <charconv>

namespace zeroth::sysman::parse {
namespace {

std::string_view next_part(std::string_view& rest, char end) {
  const auto at = rest.find(end);
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return part;
}

std::optional<std::uint64_t> number(std::string_view text) {
  if (text.starts_with("0x")) return hexadecimal(text);
  const auto value = integer(text);
  return value && *value >= 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

} // namespace

std::optional<std::vector<EventTerm>> event_terms(std::string_view text) {
  std::vector<EventTerm> terms;
  for (text = trimmed(text); !text.empty();) {
    std::string_view term = next_part(text, ',');
    EventTerm made{trimmed(next_part(term, '='))};
    if (made.name.empty()) return std::nullopt;
    if (!term.empty()) {
      const auto value = number(trimmed(term));
      if (!value) return std::nullopt;
      made.value = *value;
    }
    terms.push_back(made);
  }
  return terms;
}

std::optional<std::uint64_t> with_field(std::uint64_t config, std::string_view format, std::uint64_t value) {
  format = trimmed(format);
  if (next_part(format, ':') != "config") return std::nullopt;
  while (!format.empty()) {
    std::string_view range = next_part(format, ',');
    const auto first = integer(next_part(range, '-')), last = range.empty() ? first : integer(range);
    if (!first || !last || *first < 0 || *last < *first || *last > 63) return std::nullopt;
    for (auto bit = *first; bit <= *last; ++bit, value >>= 1) config |= (value & 1) << bit;
  }
  return config;
}

std::optional<double> bytes_per_count(std::string_view scale, std::string_view unit) {
  scale = trimmed(scale);
  double value = 0;
  const auto [end, error] =
      std::from_chars(scale.data(), scale.data() + scale.size(), value, std::chars_format::general);
  if (error != std::errc() || !(value > 0 && value < 1e9)) return std::nullopt;
  unit = trimmed(unit);
  if (unit == "MiB") return value * (1 << 20);
  return unit == "Bytes" ? std::optional(value) : std::nullopt;
}

std::vector<int> cpu_list(std::string_view list) {
  constexpr std::int64_t Most = 4096;
  std::vector<int> cpus;
  for (list = trimmed(list); !list.empty();) {
    std::string_view range = next_part(list, ',');
    const auto first = integer(next_part(range, '-')), last = range.empty() ? first : integer(range);
    if (!first || !last || *first < 0 || *last < *first || *last >= Most) return {};
    for (auto cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
    if (cpus.size() > Most) return {};
  }
  return cpus;
}

} // namespace zeroth::sysman::parse
