#include <zeroth/api/describe.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <zeroth/api/printers.hpp>

namespace zeroth {

namespace types {
using Kind = TypeInfo::Kind;
constinit const TypeInfo u8{Kind::Unsigned, 1, "uint8_t"}, u16{Kind::Unsigned, 2, "uint16_t"},
    u32{Kind::Unsigned, 4, "uint32_t"}, u64{Kind::Unsigned, 8, "uint64_t"}, i8{Kind::Signed, 1, "int8_t"},
    i16{Kind::Signed, 2, "int16_t"}, i32{Kind::Signed, 4, "int32_t"}, i64{Kind::Signed, 8, "int64_t"},
    f32{Kind::Real, 4, "float"}, f64{Kind::Real, 8, "double"}, boolean{Kind::Boolean, 1, "ze_bool_t"},
    character{Kind::Character, 1, "char"}, string{Kind::String, 8, "const char*"}, pointer{Kind::Pointer, 8, "void*"};
} // namespace types

namespace {

constexpr std::size_t longest_text = 256;

uint64_t number(const void* value, uint32_t size) {
  uint64_t result = 0;
  std::memcpy(&result, value, size); // little-endian
  return result;
}

int64_t signed_number(const void* value, uint32_t size) {
  const uint32_t unused_bits = 64 - 8 * size;
  return static_cast<int64_t>(number(value, size) << unused_bits) >> unused_bits;
}

std::string hexadecimal(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

std::string real(const void* value, uint32_t size) {
  float single = 0;
  double wide = 0;
  if (size == sizeof single)
    std::memcpy(&single, value, size), wide = single;
  else
    std::memcpy(&wide, value, size);
  char text[40];
  std::snprintf(text, sizeof text, "%g", wide);
  return text;
}

std::string quoted(const char* text, std::size_t limit) {
  std::string result = "\"";
  for (std::size_t i = 0; i < limit && text[i]; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"' || byte == '\\') result += '\\';
    if (byte >= 0x20 && byte != 0x7f)
      result += text[i];
    else
      result += '?';
  }
  return result + '"';
}

std::string string_or_null(const void* value) {
  const char* text = nullptr;
  std::memcpy(&text, value, sizeof text);
  return text ? quoted(text, longest_text) : "null";
}

const char* name_of(const TypeInfo& type, int64_t value) noexcept {
  for (const NamedValue& named : type.values)
    if (named.value == value) return named.name;
  return nullptr;
}

std::string enumerator(const TypeInfo& type, const void* value) {
  const auto found = signed_number(value, type.size);
  const char* name = name_of(type, found);
  return name ? name : hexadecimal(number(value, type.size));
}

std::string bytes(const void* value, uint32_t count) {
  std::string text;
  char digits[4];
  for (uint32_t i = 0; i < count; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(value)[i]);
    text += digits;
  }
  return text;
}

std::string array(const MemberInfo& member, const char* value) {
  if (member.type->kind == TypeInfo::Kind::Character) return quoted(value, member.count);
  if (member.type == &types::u8) return bytes(value, member.count);
  std::string text = "[";
  for (uint32_t i = 0; i < member.count; ++i)
    text += (i ? ", " : "") + describe(*member.type, value + std::size_t{i} * member.type->size);
  return text + "]";
}

std::string structure(const TypeInfo& type, const void* value) {
  std::string text = std::string(type.name) + "{";
  for (const MemberInfo& member : type.members) {
    const char* place = static_cast<const char*>(value) + member.offset;
    if (&member != type.members.data()) text += ", ";
    text += std::string(member.name) + " = " + (member.count ? array(member, place) : describe(*member.type, place));
  }
  return text + "}";
}

} // namespace

std::string flags_to_string(const TypeInfo& flag_type, uint64_t flags) {
  std::string text;
  for (const NamedValue& named : flag_type.values) {
    const auto bits = static_cast<uint64_t>(named.value);
    if (bits == 0 || (flags & bits) != bits) continue;
    text += (text.empty() ? "" : " | ") + std::string(named.name);
    flags &= ~bits;
  }
  if (flags || text.empty()) text += (text.empty() ? "" : " | ") + (flags ? hexadecimal(flags) : "0");
  return text;
}

std::string describe(const TypeInfo& type, const void* value) {
  switch (type.kind) {
  case TypeInfo::Kind::Unsigned:
    return std::to_string(number(value, type.size));
  case TypeInfo::Kind::Signed:
    return std::to_string(signed_number(value, type.size));
  case TypeInfo::Kind::Real:
    return real(value, type.size);
  case TypeInfo::Kind::Boolean:
    return number(value, type.size) ? "true" : "false";
  case TypeInfo::Kind::Character:
    return quoted(static_cast<const char*>(value), 1);
  case TypeInfo::Kind::String:
    return string_or_null(value);
  case TypeInfo::Kind::Pointer:
    return number(value, type.size) ? hexadecimal(number(value, type.size)) : "null";
  case TypeInfo::Kind::Enum:
    return enumerator(type, value);
  case TypeInfo::Kind::Flags:
    return flags_to_string(type, number(value, type.size));
  case TypeInfo::Kind::Struct:
  case TypeInfo::Kind::Union:
    return structure(type, value);
  }
  return {};
}

const char* result_name(ze_result_t result) noexcept {
  const char* name = name_of(type_of<ze_result_t>(), result);
  return name ? name : "unknown result code";
}

} // namespace zeroth
