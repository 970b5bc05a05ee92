#include "grammar.hpp"

#include "extension_list.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace zeroth::spirv {
namespace {

constexpr OpInfo ops[] = {
#define SPIRV_OP(number, name, operands, capabilities, version) {number, #name, operands, capabilities, version},
#include "grammar/opcodes_core.inc"
#include "grammar/opcodes_core_late.inc"
#include "grammar/opcodes_extension.inc"
#undef SPIRV_OP
};
static_assert(std::ranges::is_sorted(ops, {}, &OpInfo::number));

constexpr CapabilityInfo capabilities[] = {
#define SPIRV_CAPABILITY(number, name, accepted) {number, #name, accepted},
#include "grammar/capabilities.inc"
#undef SPIRV_CAPABILITY
};
static_assert(std::ranges::is_sorted(capabilities, {}, &CapabilityInfo::number));

struct Pattern {
  uint32_t number;
  const char* operands;
};

constexpr Pattern decorations[] = {
#define SPIRV_DECORATION(number, name, operands) {number, operands},
#include "grammar/decorations.inc"
#undef SPIRV_DECORATION
};
static_assert(std::ranges::is_sorted(decorations, {}, &Pattern::number));

constexpr Pattern execution_modes[] = {
#define SPIRV_EXECUTION_MODE(number, name, operands) {number, operands},
#include "grammar/execution_modes.inc"
#undef SPIRV_EXECUTION_MODE
};
static_assert(std::ranges::is_sorted(execution_modes, {}, &Pattern::number));

constexpr MaskBit mask_bits[] = {
#define SPIRV_MASK_BIT(kind, bit, operands) {kind, bit, operands},
#include "grammar/mask_bits.inc"
#undef SPIRV_MASK_BIT
};

constexpr std::string_view extensions[] = {
#define SPIRV_EXTENSION(name) #name,
#include "grammar/extensions.inc"
#undef SPIRV_EXTENSION
};
static_assert(std::ranges::is_sorted(extensions));

template <class Table, class Number> const auto* find(const Table& table, Number number) {
  using Entry = std::remove_cvref_t<decltype(table[0])>;
  const auto at = std::ranges::lower_bound(table, number, {}, [](const Entry& e) { return Number(e.number); });
  return at != std::end(table) && at->number == number ? &*at : nullptr;
}

} // namespace

const OpInfo* find_op(uint16_t number) { return find(ops, number); }
const CapabilityInfo* find_capability(uint32_t number) { return find(capabilities, number); }

const char* decoration_operands(uint32_t number) {
  const Pattern* found = find(decorations, number);
  return found ? found->operands : nullptr;
}

const char* execution_mode_operands(uint32_t number) {
  const Pattern* found = find(execution_modes, number);
  return found ? found->operands : nullptr;
}

const MaskBit* mask_bits_begin() { return std::begin(mask_bits); }
const MaskBit* mask_bits_end() { return std::end(mask_bits); }

const char* op_name(Op op) {
  const OpInfo* info = find_op(uint16_t(op));
  return info ? info->name : "?";
}

std::span<const std::string_view> accepted_extensions() { return extensions; }

std::vector<std::uint32_t> accepted_capabilities() {
  std::vector<std::uint32_t> accepted;
  for (const CapabilityInfo& one : capabilities)
    if (one.accepted) accepted.push_back(one.number);
  return accepted;
}

bool extension_accepted(std::string_view name) {
  return std::ranges::binary_search(extensions, name) || name.starts_with("SPV_KHR_non_semantic");
}

} // namespace zeroth::spirv
