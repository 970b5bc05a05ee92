// Finds a module's specialisation constants without reading the rest of it: a host needs their sizes before it can ask
// for a compile, because Level Zero passes values as bare pointers.
#include "kernel_compiler.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace zeroth::compiler {
namespace {

enum Opcode : uint16_t {
  TypeBool = 20,
  TypeInt = 21,
  TypeFloat = 22,
  SpecConstantTrue = 48,
  SpecConstantFalse = 49,
  SpecConstantScalar = 50,
  Decorate = 71,
};
constexpr uint32_t magic = 0x07230203;
constexpr size_t header_words = 5;
constexpr uint32_t spec_id_decoration = 1;

class Scan {
public:
  void instruction(uint16_t opcode, std::span<const uint32_t> operands) {
    switch (opcode) {
    case TypeBool:
      if (operands.size() >= 1) sizes_[operands[0]] = 1;
      break;
    case TypeInt:
    case TypeFloat:
      if (operands.size() >= 2) sizes_[operands[0]] = bytes_of(operands[1]);
      break;
    case Decorate:
      if (operands.size() >= 3 && operands[1] == spec_id_decoration) spec_ids_[operands[0]] = operands[2];
      break;
    case SpecConstantTrue:
    case SpecConstantFalse:
    case SpecConstantScalar:
      if (operands.size() >= 2) constants_.push_back({operands[1], operands[0]});
      break;
    default:
      break;
    }
  }

  std::vector<SpecConstantInfo> result() const {
    std::vector<SpecConstantInfo> infos;
    for (const auto& [id, type] : constants_) {
      auto spec_id = spec_ids_.find(id);
      auto size = sizes_.find(type);
      if (spec_id != spec_ids_.end() && size != sizes_.end()) infos.push_back({spec_id->second, size->second});
    }
    return infos;
  }

private:
  // Odd integer widths are stored in the next power of two.
  static uint32_t bytes_of(uint32_t bits) {
    uint32_t bytes = 1;
    while (bytes < 8 && bytes * 8 < bits) bytes *= 2;
    return bytes;
  }

  struct Constant {
    uint32_t id, type;
  };
  std::unordered_map<uint32_t, uint32_t> sizes_, spec_ids_;
  std::vector<Constant> constants_;
};

} // namespace

std::vector<SpecConstantInfo> spec_constants(Bytes spirv) {
  std::vector<uint32_t> words(spirv.size() / sizeof(uint32_t));
  if (words.size() < header_words) return {};
  std::memcpy(words.data(), spirv.data(), words.size() * sizeof(uint32_t));
  if (words[0] != magic) return {};
  Scan scan;
  for (size_t at = header_words; at < words.size();) {
    const size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) break;
    scan.instruction(static_cast<uint16_t>(words[at] & 0xffff), std::span(words).subspan(at + 1, count - 1));
    at += count;
  }
  return scan.result();
}

} // namespace zeroth::compiler
