// What a person may pass to a kernel on the command line:
//   TYPE:V[,V...]         a value, or a vector of values     i32:5   f32:0.5,1,2,3
//   local:BYTES           that much work-group memory        local:4096
//   TYPE[]:COUNT          a buffer of COUNT zeros            f32[]:1024
//   TYPE[]:FILE           a buffer from a file               u8[]:photo.png   f32[]:values.txt   i32[]:raw.bin
//   null                  a null pointer
// TYPE is one of i8 u8 i16 u16 i32 u32 i64 u64 f32 f64. Parsing touches no file and no device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zeroth::cli {

enum class ElementType { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64 };

size_t size_of(ElementType type);
// Appends one element, given in words. Throws Failure when the words are no value of the type.
void append_element(std::vector<std::byte>& bytes, ElementType type, std::string_view text);
// The element at `index` of a buffer.
double element_value(const std::vector<std::byte>& bytes, ElementType type, size_t index);
std::string element_text(const std::vector<std::byte>& bytes, ElementType type, size_t index);

struct Argument {
  enum class Kind { Value, Local, Buffer, Null } kind = Kind::Value;
  ElementType type = ElementType::I32;
  std::vector<std::byte> value{}; // Kind::Value
  size_t count = 0;               // Kind::Local: bytes; Kind::Buffer without file: elements
  std::string file{};             // Kind::Buffer
};

// Throws Failure with what was expected.
Argument parse_argument(std::string_view text);

// What keeps a value from being one for a parameter of this type ("uint4", "float"): words for people, or nothing. The
// bits of a floating-point number are no whole number, nor the other way round. Types of other names are not judged.
std::string mismatch(const Argument& value, std::string_view parameter_type);

// "8", "8,4" or "8,4,2"; missing dimensions are 1. Throws Failure for anything else and for zero.
struct Extent {
  uint32_t x = 1, y = 1, z = 1;
};
Extent parse_extent(std::string_view text);

} // namespace zeroth::cli
