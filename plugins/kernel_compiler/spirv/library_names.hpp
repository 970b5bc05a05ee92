// Mangled names of OpenCL C functions, without LLVM: what inspect() must not report as missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace zeroth::spirv {

struct MangledName {
  std::string_view name;       // "atomic_add"
  std::string_view parameters; // "PU3AS1Vii"
};

// Nothing when it is neither an Itanium-mangled plain function nor one of clang's own casts ("__to_local").
std::optional<MangledName> demangle(std::string_view mangled);

enum class LibraryKind : unsigned char { Unsigned, Signed, Float };
// Kind of the value that the function works on: what the first pointer points to, else the first parameter.
LibraryKind value_kind(std::string_view parameters);

// "convert_double4_sat_rtp" taken apart.
struct ConversionName {
  LibraryKind to = LibraryKind::Unsigned;
  bool saturates = false;
  int rounding = -1; // -1: the default of the kinds; else 0 nearest even, 1 towards zero, 2 up, 3 down
};
std::optional<ConversionName> conversion(std::string_view name);

// Whether the reader has a body for a function of this (plain) name.
bool is_library_name(std::string_view name);

} // namespace zeroth::spirv
