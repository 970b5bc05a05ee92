#include "config/tree.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace zeroth {
namespace {

bool is_integer(std::string_view text) noexcept {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_number(std::string_view text) noexcept {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || !((digits[0] >= '0' && digits[0] <= '9') || digits[0] == '.')) return false;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() && error != std::errc::invalid_argument;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  out += '"';
}

// YAML allows what JSON does not: a leading plus or zero, a bare point.
bool is_json_number(std::string_view text) noexcept {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text[0] < '0' || text[0] > '9' || text.back() == '.') return false;
  const bool leading_zero = text[0] == '0' && text.size() > 1 && text[1] >= '0' && text[1] <= '9';
  const auto point = text.find('.');
  const bool digit_after_point = point == std::string_view::npos || (text[point + 1] >= '0' && text[point + 1] <= '9');
  return !leading_zero && digit_after_point;
}

void append_json_scalar(std::string& out, const Tree& tree) {
  if (tree.type == Type::Null)
    out += "null";
  else if (tree.type == Type::Boolean)
    out += tree.text[0] == 't' || tree.text[0] == 'T' ? "true" : "false";
  else if (any_of(tree.type, Type::Integer | Type::Number) && is_json_number(tree.text))
    out += tree.text;
  else
    append_json_string(out, tree.text);
}

void append_json(std::string& out, const Tree& tree) {
  const char* comma = "";
  if (tree.type == Type::List) {
    out += '[';
    for (const Tree& item : tree.items) {
      out += std::exchange(comma, ",");
      append_json(out, item);
    }
    out += ']';
  } else if (tree.type == Type::Map) {
    out += '{';
    for (const auto& [key, origin, value] : tree.members) {
      out += std::exchange(comma, ",");
      append_json_string(out, key);
      out += ':';
      append_json(out, value);
    }
    out += '}';
  } else {
    append_json_scalar(out, tree);
  }
}

const Tree* child(const Tree& tree, std::string_view step) noexcept {
  if (tree.type == Type::Map) return tree.find(step);
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool whole = error == std::errc() && end == step.data() + step.size();
  return tree.type == Type::List && whole && index < tree.items.size() ? &tree.items[index] : nullptr;
}

} // namespace

std::string Origin::text() const {
  if (!source) return "built in";
  return line > 0 ? fmt::format("{}:{}:{}", *source, line, column) : *source;
}

const Tree* Tree::find(std::string_view key) const noexcept {
  const auto member = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
  return member == members.end() ? nullptr : &member->value;
}

const Tree* Tree::at_path(std::string_view path) const noexcept {
  const Tree* at = this;
  while (at && !path.empty()) {
    const auto dot = path.find('.');
    at = child(*at, path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return at;
}

std::string Tree::to_json() const {
  std::string out;
  append_json(out, *this);
  return out;
}

const char* type_name(Type type) noexcept {
  switch (type) {
  case Type::Null:
    return "nothing";
  case Type::Boolean:
    return "true or false";
  case Type::Integer:
    return "an integer";
  case Type::Number:
    return "a number";
  case Type::String:
    return "a string";
  case Type::List:
    return "a list";
  case Type::Map:
    return "a map";
  default:
    return "another type";
  }
}

Type plain_scalar_type(std::string_view text) noexcept {
  for (std::string_view null : {"", "~", "null", "Null", "NULL"})
    if (text == null) return Type::Null;
  for (std::string_view boolean : {"true", "True", "TRUE", "false", "False", "FALSE"})
    if (text == boolean) return Type::Boolean;
  if (is_integer(text)) return Type::Integer;
  return is_number(text) ? Type::Number : Type::String;
}

} // namespace zeroth
