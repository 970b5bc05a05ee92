// The tables of grammar/ against the grammar files of the SPIRV-Headers that are installed.
#include "grammar.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>

namespace zeroth::spirv {
namespace {

using Json = nlohmann::json;

Json load(const std::string& name) {
  std::ifstream file(std::string(ZEROTH_SPIRV_HEADERS) + "/" + name);
  return Json::parse(file);
}

std::string letter(const std::string& kind) {
  static const std::map<std::string, std::string> letters = {{"IdResultType", "T"},
                                                             {"IdResult", "R"},
                                                             {"IdRef", "I"},
                                                             {"IdScope", "I"},
                                                             {"IdMemorySemantics", "I"},
                                                             {"LiteralString", "S"},
                                                             {"LiteralContextDependentNumber", "N"},
                                                             {"Decoration", "D"},
                                                             {"ExecutionMode", "X"},
                                                             {"Capability", "C"},
                                                             {"MemoryAccess", "M"},
                                                             {"ImageOperands", "G"},
                                                             {"LoopControl", "U"},
                                                             {"LiteralSpecConstantOpInteger", "O"},
                                                             {"PairIdRefIdRef", "P"},
                                                             {"PairLiteralIntegerIdRef", "Q"},
                                                             {"PairIdRefLiteralInteger", "V"}};
  const auto found = letters.find(kind);
  return found == letters.end() ? "L" : found->second;
}

std::string pattern(const Json& operands) {
  std::string text;
  for (const Json& operand : operands) text += letter(operand["kind"]) + operand.value("quantifier", "");
  return text;
}

const Json& enumerants(const Json& grammar, std::string_view kind) {
  for (const Json& entry : grammar["operand_kinds"])
    if (entry["kind"].get_ref<const std::string&>() == kind) return entry["enumerants"];
  throw std::runtime_error(std::string(kind));
}

// Newer headers gave some instructions optional operands more; those are ours.
bool agrees(std::string ours, std::string theirs) {
  std::erase(ours, '?');
  std::erase(theirs, '?');
  return ours == theirs ||
         (ours.starts_with(theirs) && ours.substr(theirs.size()).find_first_not_of("LIM?*") == std::string::npos);
}

TEST(Grammar, InstructionsHaveTheOperandsThatTheHeadersSay) {
  const Json grammar = load("spirv.core.grammar.json");
  size_t compared = 0;
  for (const Json& inst : grammar["instructions"]) {
    const OpInfo* info = find_op(inst["opcode"].get<uint16_t>());
    if (!info) continue;
    ++compared;
    // Headers from 2024 on give this one a type and a result, which the producers of long composites do not write.
    if (inst["opname"] == "OpCompositeConstructContinuedINTEL") continue;
    const std::string theirs = inst.contains("operands") ? pattern(inst["operands"]) : "";
    EXPECT_TRUE(agrees(info->operands, theirs)) << inst["opname"] << ": " << info->operands << " or " << theirs;
  }
  EXPECT_GT(compared, 330u);
}

TEST(Grammar, EveryInstructionThatKernelsCanUseIsKnown) {
  const Json grammar = load("spirv.core.grammar.json");
  for (const Json& inst : grammar["instructions"]) {
    bool kernel = !inst.contains("capabilities");
    for (const Json& capability : inst.value("capabilities", Json::array()))
      for (const Json& known : enumerants(grammar, "Capability")) {
        const CapabilityInfo* info =
            known["enumerant"] == capability ? find_capability(known["value"].get<uint32_t>()) : nullptr;
        kernel |= info && info->accepted;
      }
    const std::string name = inst["opname"];
    // Instructions without a capability that are none of a kernel's: terminators and types of ray tracing, vendor
    // strings.
    const bool other =
        name.ends_with("NV") || name.ends_with("AMD") || name.ends_with("GOOGLE") || name.find("Ray") != name.npos;
    if (kernel && !other) {
      EXPECT_TRUE(find_op(inst["opcode"].get<uint16_t>())) << name;
    }
  }
}

TEST(Grammar, CapabilitiesHaveTheirNumbers) {
  const Json grammar = load("spirv.core.grammar.json");
  size_t compared = 0;
  for (const Json& known : enumerants(grammar, "Capability"))
    compared += find_capability(known["value"].get<uint32_t>()) != nullptr;
  EXPECT_GT(compared, 150u);
  EXPECT_STREQ(find_capability(6)->name, "Kernel");
  EXPECT_FALSE(find_capability(1)->accepted);
}

TEST(Grammar, DecorationsAndModesHaveTheirOperands) {
  const Json grammar = load("spirv.core.grammar.json");
  const auto check = [&](const char* kind, const char* (*ours)(uint32_t)) {
    for (const Json& known : enumerants(grammar, kind)) {
      const char* operands = ours(known["value"].get<uint32_t>());
      if (!operands) continue;
      std::string theirs;
      for (const Json& parameter : known.value("parameters", Json::array())) theirs += letter(parameter["kind"]);
      std::string plain = operands;
      std::erase(plain, '*');
      EXPECT_EQ(plain, theirs) << known["enumerant"];
    }
  };
  check("Decoration", decoration_operands);
  check("ExecutionMode", execution_mode_operands);
}

TEST(Grammar, OpenCLInstructionsHaveTheirNumbersAndOperands) {
  struct Std {
    const char* name;
    int operands;
  };
  const std::map<uint32_t, Std> ours = {
#define OPENCL_STD(number, name, operands, function) {number, {#name, operands}},
#include "grammar/opencl_std.inc"
#undef OPENCL_STD
  };
  const Json grammar = load("extinst.opencl.std.100.grammar.json");
  EXPECT_EQ(ours.size(), grammar["instructions"].size());
  for (const Json& inst : grammar["instructions"]) {
    const auto found = ours.find(inst["opcode"].get<uint32_t>());
    ASSERT_TRUE(found != ours.end()) << inst["opname"];
    EXPECT_EQ(found->second.name, inst["opname"].get<std::string>());
    if (found->second.operands >= 0) {
      EXPECT_EQ(size_t(found->second.operands), inst["operands"].size()) << inst["opname"];
    }
  }
}

} // namespace
} // namespace zeroth::spirv
