#include "cli/run_argument.hpp"

#include "cli/commands.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <initializer_list>
#include <utility>

namespace zeroth::cli {
namespace {

struct TypeName {
  const char* name;
  ElementType type;
  size_t size;
};
constexpr TypeName types[] = {{"i8", ElementType::I8, 1},   {"u8", ElementType::U8, 1},   {"i16", ElementType::I16, 2},
                              {"u16", ElementType::U16, 2}, {"i32", ElementType::I32, 4}, {"u32", ElementType::U32, 4},
                              {"i64", ElementType::I64, 8}, {"u64", ElementType::U64, 8}, {"f32", ElementType::F32, 4},
                              {"f64", ElementType::F64, 8}};

template <class T> T parse_number(std::string_view text, const char* what) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Failure(fmt::format("\"{}\" is not {}", text, what));
  return value;
}

// Calls `visit` with a value of the C++ type that `type` means.
template <class Visit> auto with_type(ElementType type, Visit visit) {
  switch (type) {
  case ElementType::I8:
    return visit(int8_t());
  case ElementType::U8:
    return visit(uint8_t());
  case ElementType::I16:
    return visit(int16_t());
  case ElementType::U16:
    return visit(uint16_t());
  case ElementType::I32:
    return visit(int32_t());
  case ElementType::U32:
    return visit(uint32_t());
  case ElementType::I64:
    return visit(int64_t());
  case ElementType::U64:
    return visit(uint64_t());
  case ElementType::F32:
    return visit(float());
  default:
    return visit(double());
  }
}

template <class T> T load(const std::vector<std::byte>& bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
  return value;
}

std::pair<std::string_view, std::string_view> split(std::string_view text, char mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> items;
  for (size_t end; (end = text.find(',')) != std::string_view::npos; text.remove_prefix(end + 1))
    items.push_back(text.substr(0, end));
  items.push_back(text);
  return items;
}

ElementType parse_type(std::string_view name, std::string_view whole) {
  for (const TypeName& type : types)
    if (name == type.name) return type.type;
  throw Failure(fmt::format("\"{}\": unknown type \"{}\"; it is one of i8 u8 i16 u16 i32 u32 i64 u64 f32 f64, "
                            "local or null",
                            whole, name));
}

bool is_count(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Argument parse_buffer(std::string_view type, std::string_view source, std::string_view whole) {
  Argument argument;
  argument.kind = Argument::Kind::Buffer;
  argument.type = parse_type(type, whole);
  if (source.empty()) throw Failure(fmt::format("\"{}\": a buffer needs a count or a file after the colon", whole));
  if (source.front() == '-' && is_count(source.substr(1)))
    throw Failure(fmt::format("\"{}\": {} elements are no buffer", whole, source));
  if (is_count(source)) argument.count = parse_number<size_t>(source, "a count of elements");
  if (!is_count(source)) argument.file = source;
  return argument;
}

} // namespace

size_t size_of(ElementType type) { return types[static_cast<size_t>(type)].size; }

void append_element(std::vector<std::byte>& bytes, ElementType type, std::string_view text) {
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    const auto what = fmt::format("a value of type {}", types[static_cast<size_t>(type)].name);
    const T value = parse_number<T>(text, what.c_str());
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), raw, raw + sizeof value);
  });
}

double element_value(const std::vector<std::byte>& bytes, ElementType type, size_t index) {
  return with_type(type, [&](auto zero) { return double(load<decltype(zero)>(bytes, index)); });
}

std::string element_text(const std::vector<std::byte>& bytes, ElementType type, size_t index) {
  return with_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) == 1)
      return fmt::format("{}", int(load<T>(bytes, index)));
    else
      return fmt::format("{}", load<T>(bytes, index));
  });
}

Argument parse_argument(std::string_view text) {
  if (text == "null") return {.kind = Argument::Kind::Null};
  auto [type, rest] = split(text, ':');
  if (type.ends_with("[]")) return parse_buffer(type.substr(0, type.size() - 2), rest, text);
  if (type == "local") return {.kind = Argument::Kind::Local, .count = parse_number<size_t>(rest, "a size in bytes")};
  Argument argument{.kind = Argument::Kind::Value, .type = parse_type(type, text)};
  for (std::string_view element : split_list(rest)) append_element(argument.value, argument.type, element);
  return argument;
}

std::string mismatch(const Argument& value, std::string_view parameter_type) {
  if (value.kind != Argument::Kind::Value) return {};
  const std::string_view scalar = parameter_type.substr(0, parameter_type.find_last_not_of("0123456789") + 1);
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), scalar) != names.end();
  };
  const bool given_floating = value.type == ElementType::F32 || value.type == ElementType::F64;
  const bool whole = is_one_of({"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "size_t", "bool"});
  if (whole == given_floating && (whole || is_one_of({"float", "double"})))
    return fmt::format("the kernel takes a value of type {} here, and {} would be other bits", parameter_type,
                       types[static_cast<size_t>(value.type)].name);
  return {};
}

Extent parse_extent(std::string_view text) {
  const auto numbers = split_list(text);
  if (numbers.size() > 3) throw Failure(fmt::format("\"{}\" has more than three dimensions", text));
  Extent extent;
  uint32_t* const dimension[] = {&extent.x, &extent.y, &extent.z};
  for (size_t i = 0; i < numbers.size(); ++i) {
    *dimension[i] = parse_number<uint32_t>(numbers[i], "a size such as 64 or 16,16");
    if (*dimension[i] == 0) throw Failure(fmt::format("\"{}\": a dimension cannot be 0", text));
  }
  return extent;
}

} // namespace zeroth::cli
