// Writes SPIR-V words: sections in order, types and constants once each. Knows nothing of programs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace zeroth::random_programs {

class SpirvWriter {
public:
  using Id = uint32_t;
  using Words = std::vector<uint32_t>;

  enum class Section { Capabilities, Imports, Memory, EntryPoints, Modes, Names, Decorations, Declarations, Functions };

  Id new_id() { return next_id_++; }

  void emit(Section section, uint16_t opcode, const Words& operands);
  // An instruction of the function section; with a result of the type.
  void emit(uint16_t opcode, const Words& operands) { emit(Section::Functions, opcode, operands); }
  Id result(uint16_t opcode, Id type, const Words& operands);

  // A type or constant: the same words give the same id.
  Id declare(uint16_t opcode, const Words& operands);                // OpType…
  Id declare_typed(uint16_t opcode, Id type, const Words& operands); // OpConstant…

  static Words text(std::string_view string);
  Words finish() const; // the whole module

private:
  static constexpr size_t SectionCount = size_t(Section::Functions) + 1;
  std::array<Words, SectionCount> sections_;
  std::map<Words, Id> declared_;
  Id next_id_ = 1;
};

} // namespace zeroth::random_programs
