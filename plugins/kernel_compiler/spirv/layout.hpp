// Sizes, alignments and OpenCL names of types, and values of integer constants, without LLVM. Structures follow C rules
// (CPacked: no padding), three-component vectors take the place of four: the same as LLVM's x86-64 layout gives.
// Not thread-safe (it remembers what it computed); throws ReadError on types that have no layout or no end.
#pragma once

#include "module_index.hpp"

#include <optional>

namespace zeroth::spirv {

struct SpecConstantValue {
  uint32_t id = 0; // SpecId
  uint64_t bits = 0;
};

struct TypeLayout {
  uint64_t size = 0;
  uint64_t alignment = 1;
};

class Layout {
public:
  Layout(const ModuleIndex& index, std::span<const SpecConstantValue> constants)
      : index_(index), constants_(constants.begin(), constants.end()) {}

  TypeLayout of(uint32_t type, uint32_t depth = 0);

  // Value of an integer constant, specialised; sign-extended when its type is signed. Throws when it is none.
  uint64_t integer(uint32_t id, uint32_t depth = 0);

  // The value given for a specialisation constant, if any.
  std::optional<uint64_t> specialised(uint32_t id) const;

  // "float4", "uint*", "struct name".
  std::string type_name(uint32_t type, uint32_t depth = 0) const;

  const Instruction& type(uint32_t id) const;
  uint64_t array_length(const Instruction& array, uint32_t depth = 0);

private:
  TypeLayout of_struct(const Instruction& type, uint32_t depth);
  TypeLayout of_array(const Instruction& type, uint32_t depth);
  uint64_t integer_operation(const Instruction& inst, uint32_t depth);
  uint64_t integer_element(const Instruction& extract, uint32_t depth);
  int64_t signed_integer(uint32_t id, uint32_t depth);

  const ModuleIndex& index_;
  std::vector<SpecConstantValue> constants_;
  std::unordered_map<uint32_t, TypeLayout> known_;
};

// The operands of a composite (from the first'th on) together with those of its INTEL continuations.
std::vector<uint32_t> all_members(const Module& module, const Instruction& composite, size_t first);

} // namespace zeroth::spirv
