// What a SPIR-V module offers, without building any code: kernels with their arguments as they lie in the argument
// block, specialisation constants, linkage. Plain values. Safe from any thread; never throws on malformed input.
#pragma once

#include "layout.hpp"

#include <array>

namespace zeroth::spirv {

struct Argument {
  enum class Kind : uint8_t { Value, Pointer, Local, Image, Sampler };
  enum class Access : uint8_t { None, ReadOnly, WriteOnly, ReadWrite };
  Kind kind = Kind::Value;
  Access access = Access::None;
  uint32_t address_space = 0; // dialect::AddressSpace of pointers
  uint64_t size = 0;          // in the block; a local argument is an 8-byte offset
  uint64_t alignment = 1;
  uint64_t offset = 0;
  std::string name;
  std::string type_name;
  std::string qualifiers; // "const", "restrict", "volatile", blank-separated
};

struct Kernel {
  std::string name;
  std::vector<Argument> arguments;
  uint64_t argument_block_size = 0;
  std::array<uint32_t, 3> required_group_size{}; // zeros: none
  std::array<uint32_t, 3> group_size_hint{};
  std::array<uint32_t, 3> max_group_size{};
  uint32_t required_sub_group_size = 0;
  std::string attributes; // as the source would write them, blank-separated
};

struct SpecConstantInfo {
  uint32_t id = 0;   // SpecId
  uint32_t size = 0; // bytes; a bool has 1
  std::string name;
};

struct Symbol {
  std::string name;
  bool is_function = false;
  uint64_t size = 0;       // of variables
  bool is_offered = false; // a function of ModuleIndex::is_offered()
};

struct Inspection {
  std::vector<Kernel> kernels;
  std::vector<SpecConstantInfo> spec_constants; // in order of appearance
  std::vector<Symbol> exports;
  std::vector<Symbol> imports; // without built-in variables and LLVM intrinsics
};

struct InspectResult {
  bool ok = false;
  Inspection info;
  std::string log; // why it is not ok; may hold notes when it is
};

InspectResult inspect(std::span<const uint32_t> words, std::span<const SpecConstantValue> constants = {});

// The same from an indexed module; throws ReadError.
Inspection inspect(const ModuleIndex& index, Layout& layout);

// The built-in that a variable stands for (decoration or name), or nothing.
std::optional<uint32_t> builtin_of(const ModuleIndex& index, uint32_t variable);
// Whether an imported function is an LLVM intrinsic that the reader resolves itself.
bool is_known_intrinsic(std::string_view name);

} // namespace zeroth::spirv
