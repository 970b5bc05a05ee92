#include "numbers.hpp"

#include <charconv>

namespace zeroth::sysman::parse {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

} // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> integer(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

// std::from_chars for double reads "inf" and "nan", which no reading is.
std::optional<double> decimal(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || !(is_digit(text.front()) || text.front() == '-')) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !(value > -1e300 && value < 1e300)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::string_view next_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

std::string_view next_word(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  std::size_t size = 0;
  while (size < rest.size() && !is_blank(rest[size])) ++size;
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(size);
  return word;
}

std::optional<std::string_view> value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (line.starts_with("Node ")) next_word(line), next_word(line), line = trimmed(line);
    if (!line.starts_with(key)) continue;
    line = trimmed(line.substr(key.size()));
    if (line.starts_with(':')) return trimmed(line.substr(1));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> kibibytes_of(std::string_view text, std::string_view key) {
  const auto value = value_of(text, key);
  const auto number = value ? integer(*value) : std::nullopt;
  if (!number || *number < 0 || *number > (INT64_MAX >> 10)) return std::nullopt;
  return static_cast<std::uint64_t>(*number) << 10;
}

std::optional<std::int64_t> trailing_number(std::string_view name) {
  std::size_t start = name.size();
  while (start > 0 && is_digit(name[start - 1])) --start;
  return integer(name.substr(start));
}

} // namespace zeroth::sysman::parse
