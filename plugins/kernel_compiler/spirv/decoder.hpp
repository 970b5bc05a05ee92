// Words of a SPIR-V module → instructions whose operands are known to be there. After decode() every operand that the
// grammar demands exists, every id is in range, every string ends inside its instruction and every result id is defined
// once; nothing is known yet about what ids refer to. Plain values; a Module owns its words.
#pragma once

#include "grammar.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace zeroth::spirv {

// Operands exclude result type and result id. The span points into Module::words.
struct Instruction {
  Op op = Op::Nop;
  uint32_t offset = 0; // of the first word in the module
  uint32_t type = 0;   // result type id, 0 when there is none
  uint32_t result = 0; // result id, 0 when there is none
  std::span<const uint32_t> operands;

  // Throws ReadError when there is no such operand.
  uint32_t operand(size_t index) const;
  // The string that starts at an operand; `*next` is the index after it.
  std::string_view string(size_t index, size_t* next = nullptr) const;
  size_t size() const { return operands.size(); }
  [[noreturn]] void fail(const std::string& text) const;
};

struct Module {
  std::vector<uint32_t> words;
  uint32_t minor_version = 0; // of 1.x
  uint32_t generator = 0;
  uint32_t bound = 0;
  std::vector<Instruction> instructions;
  std::vector<uint32_t> definitions; // by id: index of the instruction with that result, plus 1; 0: none

  // Null when the id has no definition or is out of range.
  const Instruction* definition(uint32_t id) const;
};

// Throws ReadError. A module in the other byte order is swapped.
Module decode(std::span<const uint32_t> words);

} // namespace zeroth::spirv
