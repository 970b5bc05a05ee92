// Little-endian serialisation shared by the request protocol and the metadata of native binaries. The reader treats its
// input as hostile: every length is checked against what is left, and WireError is the only way it fails.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace zeroth::compiler {

struct WireError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class WireWriter {
public:
  template <std::integral T> void number(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) out_.push_back(std::byte(static_cast<uint64_t>(value) >> (8 * i)));
  }
  template <typename T>
  requires std::is_enum_v<T>
  void number(T value) { number(static_cast<std::underlying_type_t<T>>(value)); }
  void bytes(std::span<const std::byte> data) {
    number(static_cast<uint32_t>(data.size()));
    out_.insert(out_.end(), data.begin(), data.end());
  }
  void text(std::string_view s) { bytes(std::as_bytes(std::span(s.data(), s.size()))); }

  // A list: its length, then `each(element)` for all.
  template <typename List, typename Each> void list(const List& elements, Each each) {
    number(static_cast<uint32_t>(elements.size()));
    for (const auto& element : elements) each(element);
  }

  std::vector<std::byte> take() { return std::move(out_); }

private:
  std::vector<std::byte> out_;
};

class WireReader {
public:
  explicit WireReader(std::span<const std::byte> data) : data_(data) {}

  template <std::integral T> T number() {
    const auto raw = next(sizeof(T));
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) value |= uint64_t{std::to_integer<uint8_t>(raw[i])} << (8 * i);
    return static_cast<T>(value);
  }
  template <typename T>
  requires std::is_enum_v<T> T number(T last) {
    const auto value = number<std::underlying_type_t<T>>();
    if (value > static_cast<std::underlying_type_t<T>>(last)) throw WireError("enumerator out of range");
    return static_cast<T>(value);
  }
  bool flag() { return number<uint8_t>() != 0; }
  std::span<const std::byte> bytes() { return next(number<uint32_t>()); }
  std::string text() {
    const auto raw = bytes();
    return {reinterpret_cast<const char*>(raw.data()), raw.size()};
  }
  // Each element takes at least one byte, so a length beyond the rest is damage, not a reason to allocate.
  template <typename T, typename Each> std::vector<T> list(Each each) {
    const auto count = number<uint32_t>();
    if (count > data_.size()) throw WireError("list longer than its data");
    std::vector<T> elements;
    elements.reserve(count);
    for (uint32_t i = 0; i < count; ++i) elements.push_back(each());
    return elements;
  }
  bool at_end() const { return data_.empty(); }

private:
  std::span<const std::byte> next(size_t size) {
    if (size > data_.size()) throw WireError("data ends early");
    const auto part = data_.first(size);
    data_ = data_.subspan(size);
    return part;
  }

  std::span<const std::byte> data_;
};

} // namespace zeroth::compiler
