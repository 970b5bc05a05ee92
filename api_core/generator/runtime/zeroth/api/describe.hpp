// Text for every value of the API: enumerators, flags and structures, for logs, tracing and error texts.
//
//     to_string(ZE_RESULT_NOT_READY)                      "ZE_RESULT_NOT_READY"
//     flags_to_string<ze_init_flag_t>(3)                  "ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY"
//     describe(desc)                                      "ze_context_desc_t{stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC,
//     …}"
//
// The types are described by constant tables (zeroth/api/printers.hpp, generated); one written function walks them.
// Threading: any thread. Structures are read as they are: only members that hold input text are followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <level_zero/ze_api.h>
#include <span>
#include <string>
#include <type_traits>

namespace zeroth {

struct TypeInfo;

struct NamedValue {
  const char* name;
  int64_t value;
};

struct MemberInfo {
  const char* name;
  uint32_t offset;
  uint32_t count; ///< length of an array member, 0 for a single value
  const TypeInfo* type;
};

struct TypeInfo {
  enum class Kind : uint8_t { Unsigned, Signed, Real, Boolean, Character, String, Pointer, Enum, Flags, Struct, Union };
  Kind kind;
  uint32_t size;
  const char* name;
  std::span<const NamedValue> values = {};
  std::span<const MemberInfo> members = {};
};

/// The table of a type; specialised in zeroth/api/printers.hpp for every enum, struct and union.
template <class T> const TypeInfo& type_of();

std::string describe(const TypeInfo& type, const void* value);
std::string flags_to_string(const TypeInfo& flag_type, uint64_t flags);

template <class T>
requires(std::is_class_v<T> || std::is_union_v<T>) std::string describe(const T& value) {
  return describe(type_of<T>(), &value);
}

template <class Enum>
requires std::is_enum_v<Enum> std::string to_string(Enum value) { return describe(type_of<Enum>(), &value); }

/// Flags are plain numbers in C: name the enum of their bits.
template <class FlagEnum> std::string flags_to_string(uint64_t flags) {
  return flags_to_string(type_of<FlagEnum>(), flags);
}

/// The enumerator's name; "unknown result code" for a number that is none. Never fails.
const char* result_name(ze_result_t result) noexcept;

namespace types {
extern const TypeInfo u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, boolean, character, string, pointer;
} // namespace types

} // namespace zeroth
