#include "config/rules.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "config/nearest.hpp"

namespace zeroth {
namespace {

#include "config/rules.inc"

bool type_allowed(Type type, Type allowed) {
  return any_of(type, allowed) || (type == Type::Integer && any_of(allowed, Type::Number));
}

std::string type_names(Type allowed) {
  std::string names;
  for (Type type : {Type::Boolean, Type::Integer, Type::Number, Type::String, Type::List, Type::Map})
    if (any_of(type, allowed)) names += (names.empty() ? "" : " or ") + std::string(type_name(type));
  return names;
}

bool has_format(const Tree& value, std::string_view format) {
  std::uint32_t version = 0;
  if (format == "driver-version") return parse_driver_version(value.text, version);
  return format != "device-mask" || is_device_mask(value.text);
}

std::string_view format_hint(std::string_view format) {
  return format == "device-mask" ? "device numbers such as 0,1.0" : "a number or three parts such as 1.14.36035";
}

void check_scalar(const Tree& value, const KeyRule& rule, const Problems& problem) {
  const std::vector<std::string_view> values(rule.values.begin(), rule.values.end());
  if (!values.empty() && std::find(values.begin(), values.end(), value.text) == values.end())
    problem(value.origin,
            fmt::format("`{}` is no value of `{}`{}", value.text, rule.name, suggestion(value.text, values)));
  else if (value.text.size() < rule.min_length)
    problem(value.origin, fmt::format("`{}` is empty", rule.name));
  else if (!has_format(value, rule.format))
    problem(value.origin, fmt::format("`{}` of `{}` is not {}", value.text, rule.name, format_hint(rule.format)));
}

void check_item(const Tree& item, const KeyRule& rule, const Problems& problem) {
  if (!type_allowed(item.type, rule.item_types))
    problem(item.origin, fmt::format("an item of `{}` must be {}, not {}", rule.name, type_names(rule.item_types),
                                     type_name(item.type)));
  else if (item.type == Type::Map && rule.item_map)
    check_map(item, *rule.item_map, problem);
}

void check_value(const Tree& value, const KeyRule& rule, const Problems& problem) {
  if (!type_allowed(value.type, rule.types)) {
    problem(value.origin,
            fmt::format("`{}` must be {}, not {}", rule.name, type_names(rule.types), type_name(value.type)));
  } else if (value.type == Type::Map) {
    if (rule.map) check_map(value, *rule.map, problem);
  } else if (value.type == Type::List) {
    for (const Tree& item : value.items) check_item(item, rule, problem);
  } else {
    check_scalar(value, rule, problem);
  }
}

// "1.14.36035" → its three parts; false when it has not three that fit.
bool parse_parts(std::string_view text, std::uint32_t (&parts)[3]) {
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    if (error != std::errc() || parts[i] > (i < 2 ? 0xffu : 0xffffu)) return false;
    if (i < 2 && (next == end || *next != '.')) return false;
    if (i == 2) return next == end;
    at = next + 1;
  }
  return false;
}

} // namespace

void check_map(const Tree& tree, const MapRule& rule, const Problems& problem) {
  for (const auto& [key, origin, value] : tree.members) {
    const auto found =
        std::find_if(rule.keys.begin(), rule.keys.end(), [&](const KeyRule& k) { return k.name == key; });
    if (found != rule.keys.end()) {
      check_value(value, *found, problem);
      continue;
    }
    std::vector<std::string_view> names;
    for (const KeyRule& known : rule.keys) names.push_back(known.name);
    problem(origin, fmt::format("unknown key `{}` in {}{}", key, rule.name, suggestion(key, names)));
  }
}

const MapRule& config_rules() { return map_config; }
std::string_view embedded_default_text() { return embedded_default; }
std::string_view embedded_schema_text() { return embedded_schema; }

bool parse_driver_version(std::string_view text, std::uint32_t& version) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error == std::errc() && end == text.data() + text.size()) return true;
  std::uint32_t parts[3]{};
  if (!parse_parts(text, parts)) return false;
  version = parts[0] << 24 | parts[1] << 16 | parts[2];
  return true;
}

bool is_device_mask(std::string_view text) {
  bool digit_before = false, dot_in_entry = false;
  for (char c : text) {
    if (c >= '0' && c <= '9') {
      digit_before = true;
      continue;
    }
    if (!digit_before || (c != '.' && c != ',') || (c == '.' && dot_in_entry)) return false;
    dot_in_entry = c == '.';
    digit_before = false;
  }
  return text.empty() || digit_before;
}

} // namespace zeroth
