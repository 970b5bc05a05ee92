// The SPIR-V grammar as data: instructions with operand patterns, and the operands that follow a decoration, an
// execution mode or a mask bit. Decoding is driven by these tables alone. Constant data, safe from any thread.
//
// Letters of an operand pattern, each optionally followed by ? (may be absent) or * (any number):
//   T result type id   R result id   I id   L literal word   S string   N literal of the result type's width
//   O opcode with its operands   D decoration   X execution mode   C capability   M memory access mask
//   G image operands mask   U loop control mask   P pair of ids   Q (literal, id) pair of OpSwitch   V (id, literal)
#pragma once

#include <cstdint>
#include <string_view>

namespace zeroth::spirv {

enum class Op : uint16_t {
#define SPIRV_OP(number, name, operands, capabilities, version) name = number,
#include "grammar/opcodes_core.inc"
#include "grammar/opcodes_core_late.inc"
#include "grammar/opcodes_extension.inc"
#undef SPIRV_OP
};

enum class Decoration : uint32_t {
#define SPIRV_DECORATION(number, name, operands) name = number,
#include "grammar/decorations.inc"
#undef SPIRV_DECORATION
};

enum class ExecutionMode : uint32_t {
#define SPIRV_EXECUTION_MODE(number, name, operands) name = number,
#include "grammar/execution_modes.inc"
#undef SPIRV_EXECUTION_MODE
};

struct OpInfo {
  uint16_t number;
  const char* name;
  const char* operands;
  const char* capabilities; // any of them, separated by |; "": none needed
  uint8_t minor_version;    // of 1.x that has it in the core; 0: from the start, or by extension only
};

struct CapabilityInfo {
  uint32_t number;
  const char* name;
  bool accepted;
};

// Null when the number is not in the tables.
const OpInfo* find_op(uint16_t number);
const CapabilityInfo* find_capability(uint32_t number);
// Operand pattern of what follows the number; null when unknown.
const char* decoration_operands(uint32_t number);
const char* execution_mode_operands(uint32_t number);
// The bits of masks of kind M, G and U that bring operands, in the order in which the operands come.
struct MaskBit {
  char kind;
  uint32_t bit;
  const char* operands;
};
const MaskBit* mask_bits_begin();
const MaskBit* mask_bits_end();

// "IAdd"; "?" when unknown.
const char* op_name(Op op);
bool extension_accepted(std::string_view name);

} // namespace zeroth::spirv
