#include "dmi.hpp"

#include "numbers.hpp"

namespace zeroth::sysman::parse {
namespace {

constexpr std::uint8_t MemoryDeviceType = 17;
// Offsets of the table in the SMBIOS specification, 7.18.
constexpr std::size_t Length = 1, Size = 0x0c, Locator = 0x10, Manufacturer = 0x17, ManufacturerId = 0x2c;
constexpr std::size_t Shortest = 0x18;

std::uint8_t byte(std::string_view raw, std::size_t at) { return static_cast<std::uint8_t>(raw[at]); }
std::uint16_t word(std::string_view raw, std::size_t at) {
  return static_cast<std::uint16_t>(byte(raw, at) | byte(raw, at + 1) << 8);
}

// The texts follow the formatted part, numbered from 1; 0 is none.
std::string_view text_number(std::string_view texts, std::uint8_t number) {
  for (std::uint8_t i = 1; number > 0 && !texts.empty(); ++i) {
    const auto end = texts.find('\0');
    if (i == number) return trimmed(texts.substr(0, end));
    texts.remove_prefix(end == std::string_view::npos ? texts.size() : end + 1);
  }
  return {};
}

// What firmware writes where it knows nothing.
std::string_view known(std::string_view text) {
  for (const std::string_view nothing : {"Unknown", "Not Specified", "NO DIMM", "None", "Undefined", "0000"})
    if (text == nothing) return {};
  return text;
}

} // namespace

std::optional<MemoryDevice> memory_device(std::string_view raw) {
  if (raw.size() < Shortest || byte(raw, 0) != MemoryDeviceType) return std::nullopt;
  const std::size_t length = byte(raw, Length);
  if (length < Shortest || length > raw.size()) return std::nullopt;
  const std::string_view texts = raw.substr(length);
  MemoryDevice device;
  device.present = word(raw, Size) != 0;
  device.locator = text_number(texts, byte(raw, Locator));
  device.vendor = known(text_number(texts, byte(raw, Manufacturer)));
  if (length >= ManufacturerId + 2 && word(raw, ManufacturerId) != 0) device.vendor_id = word(raw, ManufacturerId);
  return device;
}

} // namespace zeroth::sysman::parse
