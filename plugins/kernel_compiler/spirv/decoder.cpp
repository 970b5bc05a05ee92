#include "decoder.hpp"

#include "error.hpp"

#include <cstring>
#include <string>

namespace zeroth::spirv {
namespace {

constexpr uint32_t Magic = 0x07230203;
constexpr uint32_t MaxBound = 0x3FFFFF; // the specification's limit
constexpr size_t HeaderWords = 5;

// Walks one instruction's operand words along its pattern.
class OperandChecker {
public:
  OperandChecker(std::span<const uint32_t> words, Instruction& instruction, uint32_t bound)
      : words_(words), instruction_(instruction), bound_(bound) {}

  void check(const char* pattern) {
    walk(pattern);
    // LLVM's SPIR-V back end gives a null event an operand that nobody needs.
    if (at_ != words_.size() && instruction_.op != Op::ConstantNull)
      instruction_.fail("has more words than its operands need");
  }

  size_t first_operand() const { return first_operand_; }

private:
  bool done() const { return at_ >= words_.size(); }

  uint32_t take() {
    if (done()) instruction_.fail("ends before its last operand");
    return words_[at_++];
  }

  uint32_t take_id() {
    const uint32_t id = take();
    if (id == 0 || id >= bound_) instruction_.fail("refers to id " + std::to_string(id) + ", outside the bound");
    return id;
  }

  void take_string() {
    for (;;) {
      const uint32_t word = take();
      if ((word & 0xFF) == 0 || (word & 0xFF00) == 0 || (word & 0xFF0000) == 0 || (word & 0xFF000000) == 0) return;
    }
  }

  void take_rest() { at_ = words_.size(); }

  void walk(const char* pattern) {
    while (*pattern) {
      const char letter = *pattern++;
      const char quantifier = *pattern == '?' || *pattern == '*' ? *pattern++ : ' ';
      if (quantifier == ' ') {
        operand(letter);
      } else {
        while (!done()) {
          operand(letter);
          if (quantifier == '?') break;
        }
      }
    }
  }

  void known_or_rest(const char* pattern) {
    if (pattern)
      walk(pattern);
    else
      take_rest();
  }

  void mask(char kind) {
    const uint32_t mask = take();
    for (const MaskBit* bit = mask_bits_begin(); bit != mask_bits_end(); ++bit)
      if (bit->kind == kind && (mask & bit->bit)) walk(bit->operands);
  }

  void operand(char letter) {
    switch (letter) {
    case 'T':
      instruction_.type = take_id(), first_operand_ = at_;
      break;
    case 'R':
      instruction_.result = take_id(), first_operand_ = at_;
      break;
    case 'I':
      // Extended instructions mix literals with ids; which is which only the set knows.
      if (instruction_.op == Op::ExtInst && at_ >= 4)
        take();
      else
        take_id();
      break;
    case 'L':
    case 'C':
      take();
      break;
    case 'S':
      take_string();
      break;
    case 'N':
    case 'O':
      take(), take_rest();
      break;
    case 'D':
      known_or_rest(decoration_operands(take()));
      break;
    case 'X':
      known_or_rest(execution_mode_operands(take()));
      break;
    case 'U':
      mask(letter), take_rest(); // hints: newer bits may bring words that nobody here knows
      break;
    case 'M':
    case 'G':
      mask(letter);
      break;
    case 'P':
      take_id(), take_id();
      break;
    case 'Q':
      take_rest();
      break; // the literals' width is known only with the selector's type
    case 'V':
      take_id(), take();
      break;
    }
  }

  std::span<const uint32_t> words_;
  Instruction& instruction_;
  uint32_t bound_;
  size_t at_ = 0;
  size_t first_operand_ = 0;
};

void read_header(Module& module) {
  const std::vector<uint32_t>& words = module.words;
  if (words.size() < HeaderWords) throw ReadError("the module is shorter than a SPIR-V header");
  if (words[0] != Magic) throw ReadError("this is not SPIR-V: the magic number is missing");
  const uint32_t major = words[1] >> 16 & 0xFF;
  module.minor_version = words[1] >> 8 & 0xFF;
  if (major != 1 || module.minor_version > 6 || (words[1] & 0xFF0000FF) != 0)
    throw ReadError("SPIR-V version " + std::to_string(major) + "." + std::to_string(module.minor_version) +
                    " is not one of 1.0 to 1.6");
  module.generator = words[2];
  module.bound = words[3];
  if (module.bound == 0 || module.bound > MaxBound)
    throw ReadError("the id bound " + std::to_string(module.bound) + " is outside 1 to 4194303");
}

void define(Module& module, const Instruction& instruction) {
  uint32_t& slot = module.definitions[instruction.result];
  if (slot != 0) instruction.fail("defines id " + std::to_string(instruction.result) + " a second time");
  slot = uint32_t(module.instructions.size()); // the index after the push is this minus 1
}

void read_instruction(Module& module, size_t at) {
  const uint32_t first = module.words[at];
  const size_t count = first >> 16;
  const uint16_t number = uint16_t(first & 0xFFFF);
  Instruction instruction;
  instruction.op = Op(number);
  instruction.offset = uint32_t(at);
  const OpInfo* info = find_op(number);
  if (!info) throw ReadError("unknown instruction " + std::to_string(number) + " at word " + std::to_string(at));
  if (count == 0 || count > module.words.size() - at) instruction.fail("reaches past the end of the module");
  const std::span<const uint32_t> words{module.words.data() + at + 1, count - 1};
  OperandChecker checker(words, instruction, module.bound);
  checker.check(info->operands);
  instruction.operands = words.subspan(checker.first_operand());
  module.instructions.push_back(instruction);
  if (instruction.result != 0) define(module, instruction);
}

} // namespace

uint32_t Instruction::operand(size_t index) const {
  if (index >= operands.size()) fail("lacks operand " + std::to_string(index + 1));
  return operands[index];
}

std::string_view Instruction::string(size_t index, size_t* next) const {
  operand(index);
  const std::span<const uint32_t> rest = operands.subspan(index);
  const char* text = reinterpret_cast<const char*>(rest.data());
  const size_t length = strnlen(text, rest.size() * 4);
  if (length == rest.size() * 4) fail("has a string without end");
  if (next) *next = index + length / 4 + 1;
  return {text, length};
}

void Instruction::fail(const std::string& text) const { throw ReadError(text, op_name(op), offset); }

const Instruction* Module::definition(uint32_t id) const {
  if (id >= definitions.size() || definitions[id] == 0) return nullptr;
  return &instructions[definitions[id] - 1];
}

Module decode(std::span<const uint32_t> words) {
  Module module;
  module.words.assign(words.begin(), words.end());
  if (!module.words.empty() && module.words[0] == __builtin_bswap32(Magic))
    for (uint32_t& word : module.words) word = __builtin_bswap32(word);
  read_header(module);
  module.definitions.assign(module.bound, 0);
  module.instructions.reserve(module.words.size() / 4);
  for (size_t at = HeaderWords; at < module.words.size(); at += module.words[at] >> 16) read_instruction(module, at);
  return module;
}

} // namespace zeroth::spirv
