#include "pci.hpp"

#include "numbers.hpp"

#include <algorithm>
#include <array>

namespace zeroth::sysman::parse {
namespace {

struct Generation {
  double gigatransfers;
  double bytes_per_lane; // after the line code
};
constexpr std::array<Generation, 6> Generations = {{{2.5, 250e6},
                                                    {5.0, 500e6},
                                                    {8.0, 8e9 / 8 * 128 / 130},
                                                    {16.0, 16e9 / 8 * 128 / 130},
                                                    {32.0, 32e9 / 8 * 128 / 130},
                                                    {64.0, 64e9 / 8 * 242 / 256}}};

constexpr std::uint64_t IsMemory = 0x200;
constexpr int RomLine = 6;

std::optional<std::uint32_t> part(std::string_view& text, char end) {
  const auto size = end ? text.find(end) : text.size();
  if (size == std::string_view::npos || size == 0 || size > 8) return std::nullopt;
  const auto value = hexadecimal(text.substr(0, size));
  text.remove_prefix(std::min(size + 1, text.size()));
  if (!value) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

} // namespace

std::optional<zes_pci_address_t> pci_address(std::string_view text) {
  text = trimmed(text);
  const auto domain = part(text, ':'), bus = part(text, ':'), device = part(text, '.'), function = part(text, '\0');
  if (!domain || !bus || !device || !function) return std::nullopt;
  return zes_pci_address_t{*domain, *bus, *device, *function};
}

std::optional<std::int32_t> pci_generation(std::string_view text) {
  const auto speed = decimal(text);
  for (std::size_t i = 0; speed && i < Generations.size(); ++i)
    if (Generations[i].gigatransfers == *speed) return static_cast<std::int32_t>(i + 1);
  return std::nullopt;
}

std::int64_t pci_bandwidth(std::int32_t generation, std::int32_t lanes) {
  if (generation < 1 || generation > static_cast<std::int32_t>(Generations.size()) || lanes < 1) return -1;
  return static_cast<std::int64_t>(Generations[static_cast<std::size_t>(generation - 1)].bytes_per_lane * lanes);
}

std::vector<zes_pci_bar_properties_t> pci_bars(std::string_view text) {
  std::vector<zes_pci_bar_properties_t> bars;
  for (int line_number = 0; !text.empty() && line_number <= RomLine; ++line_number) {
    std::string_view line = next_line(text);
    const auto start = hexadecimal(next_word(line)), end = hexadecimal(next_word(line)),
               flags = hexadecimal(next_word(line));
    if (!start || !end || !flags || *end <= *start) continue;
    const bool rom = line_number == RomLine;
    if (!rom && !(*flags & IsMemory)) continue; // ports
    zes_pci_bar_properties_t bar{};
    bar.type = rom ? ZES_PCI_BAR_TYPE_ROM : line_number == 0 ? ZES_PCI_BAR_TYPE_MMIO : ZES_PCI_BAR_TYPE_MEM;
    bar.index = static_cast<std::uint32_t>(line_number);
    bar.base = *start;
    bar.size = *end - *start + 1;
    bars.push_back(bar);
  }
  return bars;
}

} // namespace zeroth::sysman::parse
