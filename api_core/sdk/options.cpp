#include "options.hpp"

#include <charconv>
#include <limits>
#include <optional>

#include "error.hpp"

namespace zeroth {
namespace {

[[noreturn]] void refuse(const char* key, const char* value, const char* wanted) {
  throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "option `{}`: `{}` is not {}", key, value, wanted);
}

// How many bits a unit shifts by; nothing for an unknown one.
std::optional<int> shift_of(std::string_view unit) {
  if (unit.empty() || unit == "B") return 0;
  constexpr std::string_view units[] = {"KiB", "MiB", "GiB", "TiB"};
  for (int i = 0; i < 4; ++i)
    if (unit == units[i]) return 10 * (i + 1);
  return std::nullopt;
}

} // namespace

std::string Options::text(const char* key, std::string_view otherwise) const {
  const char* value = text_of(key);
  return value ? value : std::string(otherwise);
}

std::int64_t Options::integer(const char* key, std::int64_t otherwise) const {
  const char* value = text_of(key);
  if (!value) return otherwise;
  const std::string_view text = value;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) refuse(key, value, "an integer");
  return number;
}

bool Options::boolean(const char* key, bool otherwise) const {
  const char* value = text_of(key);
  if (!value) return otherwise;
  const std::string_view text = value;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text != "false" && text != "False" && text != "FALSE") refuse(key, value, "true or false");
  return false;
}

std::uint64_t Options::bytes(const char* key, std::uint64_t otherwise) const {
  const char* value = text_of(key);
  if (!value) return otherwise;
  std::string_view text = value;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (text.starts_with(' ')) text.remove_prefix(1);
  const auto shift = shift_of(text);
  if (error != std::errc() || !shift || number > (std::numeric_limits<std::uint64_t>::max() >> *shift))
    refuse(key, value, "a size such as 4096 or 64 MiB");
  return number << *shift;
}

} // namespace zeroth
