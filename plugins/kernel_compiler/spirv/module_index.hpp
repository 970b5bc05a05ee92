// What a module says about its ids, gathered in one pass without LLVM: names, decorations, entry points, execution
// modes, functions, imported instruction sets. Borrows the Module it was made from.
#pragma once

#include "decoder.hpp"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace zeroth::spirv {

enum class InstructionSet : uint8_t { OpenCLStd, OpenCLDebugInfo, ShaderDebugInfo, NonSemantic };
enum class Linkage : uint32_t { Export = 0, Import = 1, LinkOnceOdr = 2, Weak = 3, None = ~0u };

// One decoration of an id or (member >= 0) of a structure's member.
struct DecorationUse {
  Decoration decoration;
  int32_t member = -1;
  std::span<const uint32_t> operands;
  const Instruction* instruction = nullptr;
};

struct EntryPoint {
  uint32_t function = 0;
  std::string name;
  const Instruction* instruction = nullptr;
};

struct ModeUse {
  ExecutionMode mode;
  std::span<const uint32_t> operands;
};

struct FunctionRange {
  uint32_t id = 0;
  size_t first = 0; // instruction index of OpFunction
  size_t end = 0;   // index of OpFunctionEnd
  std::vector<const Instruction*> parameters;
  size_t body = 0; // index of the first instruction after the parameters; == end: no body
};

struct ModuleIndex {
  const Module& module;
  std::unordered_map<uint32_t, std::string_view> names;
  std::unordered_map<uint32_t, std::string_view> strings;
  std::unordered_map<uint32_t, std::vector<DecorationUse>> decorations;
  std::unordered_map<uint32_t, std::vector<ModeUse>> modes;
  bool has_float_defaults = false; // an FPFastMathDefault is among them
  std::unordered_map<uint32_t, InstructionSet> instruction_sets;
  std::vector<EntryPoint> entry_points;
  std::vector<FunctionRange> functions;
  std::unordered_map<uint32_t, size_t> function_by_id; // index in `functions`
  // "kernel.type" and "kernel.qual" → comma lists that producers leave in OpString.
  std::map<std::string, std::vector<std::string>, std::less<>> argument_texts;
  std::vector<std::string> notes; // oddities that were tolerated

  const DecorationUse* decoration(uint32_t id, Decoration decoration, int32_t member = -1) const;
  const std::vector<DecorationUse>& decorations_of(uint32_t id) const;
  const ModeUse* mode(uint32_t function, ExecutionMode mode) const;
  // Any entry point with this mode.
  bool any_mode(ExecutionMode mode) const;
  std::string_view name(uint32_t id) const;
  Linkage linkage(uint32_t id, std::string_view* name = nullptr) const;
  // Do the module's users reach this function by name? Front ends export every function of the source; what only
  // repeats a kernel's body is none, nor what each module of a program has a copy of (inline functions).
  bool is_offered(const FunctionRange& function) const;
};

// Throws ReadError for what the OpenCL environment or this reader does not know: memory and addressing models,
// capabilities, extensions, instruction sets.
ModuleIndex index_module(const Module& module);

} // namespace zeroth::spirv
