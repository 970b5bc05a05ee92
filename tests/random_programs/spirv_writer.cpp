#include "spirv_writer.hpp"

namespace zeroth::random_programs {

void SpirvWriter::emit(Section section, uint16_t opcode, const Words& operands) {
  Words& words = sections_[size_t(section)];
  words.push_back(uint32_t(operands.size() + 1) << 16 | opcode);
  words.insert(words.end(), operands.begin(), operands.end());
}

SpirvWriter::Id SpirvWriter::result(uint16_t opcode, Id type, const Words& operands) {
  const Id id = new_id();
  Words words{type, id};
  words.insert(words.end(), operands.begin(), operands.end());
  emit(opcode, words);
  return id;
}

SpirvWriter::Id SpirvWriter::declare(uint16_t opcode, const Words& operands) {
  Words key{opcode};
  key.insert(key.end(), operands.begin(), operands.end());
  const auto [entry, added] = declared_.try_emplace(key, next_id_);
  if (!added) return entry->second;
  Words words{new_id()};
  words.insert(words.end(), operands.begin(), operands.end());
  emit(Section::Declarations, opcode, words);
  return entry->second;
}

SpirvWriter::Id SpirvWriter::declare_typed(uint16_t opcode, Id type, const Words& operands) {
  Words key{opcode, type};
  key.insert(key.end(), operands.begin(), operands.end());
  const auto [entry, added] = declared_.try_emplace(key, next_id_);
  if (!added) return entry->second;
  Words words{type, new_id()};
  words.insert(words.end(), operands.begin(), operands.end());
  emit(Section::Declarations, opcode, words);
  return entry->second;
}

SpirvWriter::Words SpirvWriter::text(std::string_view string) {
  Words words(string.size() / 4 + 1, 0);
  for (size_t i = 0; i < string.size(); ++i) words[i / 4] |= uint32_t(uint8_t(string[i])) << (i % 4 * 8);
  return words;
}

SpirvWriter::Words SpirvWriter::finish() const {
  Words module{0x07230203u, 0x00010400u, 0, next_id_, 0};
  for (const Words& section : sections_) module.insert(module.end(), section.begin(), section.end());
  return module;
}

} // namespace zeroth::random_programs
