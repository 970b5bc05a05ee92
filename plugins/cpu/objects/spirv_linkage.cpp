#include "spirv_linkage.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace zeroth::cpu {

namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t EntryPoint = 15, Capability = 17, Decorate = 71;
constexpr std::uint32_t LinkageCapability = 5, LinkageAttributes = 41;

Words words_of(compiler::Bytes spirv) {
  Words words(spirv.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), spirv.data(), words.size() * sizeof(std::uint32_t));
  return words;
}

// Calls visit(opcode, operands, whole) for each instruction.
template <class Visit> void for_each_instruction(Words& words, Visit visit) {
  constexpr std::size_t Header = 5;
  for (std::size_t at = Header; at < words.size();) {
    const std::size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) return;
    const std::span<std::uint32_t> whole(words.data() + at, length);
    visit(words[at] & 0xffff, whole.subspan(1), whole);
    at += length;
  }
}

std::string text_of(std::span<const std::uint32_t> words) {
  const auto* text = reinterpret_cast<const char*>(words.data());
  return {text, strnlen(text, words.size_bytes())};
}

bool is_linkage(std::uint32_t opcode, std::span<const std::uint32_t> operands, Linkage linkage) {
  return opcode == Decorate && operands.size() >= 4 && operands[1] == LinkageAttributes &&
         operands.back() == static_cast<std::uint32_t>(linkage);
}
std::string linked_name(std::span<const std::uint32_t> operands) {
  return text_of(operands.subspan(2, operands.size() - 3));
}

} // namespace

bool declares_linkage(compiler::Bytes spirv) {
  Words words = words_of(spirv);
  bool found = false;
  for_each_instruction(words, [&](std::uint32_t opcode, auto operands, auto) {
    found |= opcode == Capability && operands.size() == 1 && operands[0] == LinkageCapability;
  });
  return found;
}

void add_linkage_names(compiler::Bytes spirv, Linkage linkage, std::set<std::string>& names) {
  Words words = words_of(spirv);
  for_each_instruction(words, [&](std::uint32_t opcode, auto operands, auto) {
    if (is_linkage(opcode, operands, linkage)) names.insert(linked_name(operands));
  });
}

void add_kernel_names(compiler::Bytes spirv, std::set<std::string>& names) {
  Words words = words_of(spirv);
  for_each_instruction(words, [&](std::uint32_t opcode, auto operands, auto) {
    if (opcode == EntryPoint && operands.size() > 2) names.insert(text_of(operands.subspan(2)));
  });
}

std::vector<std::byte> without_exports(compiler::Bytes spirv, const std::set<std::string>& names) {
  Words words = words_of(spirv);
  constexpr std::uint32_t Nothing = 1u << 16; // OpNop, of one word
  for_each_instruction(words, [&](std::uint32_t opcode, auto operands, auto whole) {
    if (is_linkage(opcode, operands, Linkage::Export) && names.count(linked_name(operands)))
      std::fill(whole.begin(), whole.end(), Nothing);
  });
  std::vector<std::byte> copy(spirv.begin(), spirv.end());
  std::memcpy(copy.data(), words.data(), words.size() * sizeof(std::uint32_t));
  return copy;
}

} // namespace zeroth::cpu
