// Types, files and scopes of debug information, from either instruction set. Missing or odd parts become null, never an
// error; types that contain themselves are allowed.
#pragma once

#include "module_reader.hpp"

#include <llvm/IR/DIBuilder.h>

namespace zeroth::spirv {

// An OpExtInst of a debug set: operands after set and number; numbers are literals in one set, constants in the other.
class DebugRecord {
public:
  DebugRecord(const ModuleIndex& index, Layout& layout, const Instruction& inst)
      : index_(index), layout_(layout), inst_(inst) {}
  // Null when the id is no debug instruction.
  static const Instruction* find(const ModuleIndex& index, uint32_t id);

  uint32_t number() const { return inst_.operand(1); }
  size_t size() const { return inst_.size() - 2; }
  uint32_t id(size_t i) const { return i < size() ? inst_.operand(i + 2) : 0; }
  uint64_t value(size_t i) const;       // 0 when it is not there
  uint64_t constant(size_t i) const;    // of an operand that is a constant in both sets: sizes, offsets, counts
  llvm::StringRef text(size_t i) const; // "" when it is not there
  bool is_shader() const;

private:
  const ModuleIndex& index_;
  Layout& layout_;
  const Instruction& inst_;
};

class DebugTypes {
public:
  DebugTypes(ModuleReader& reader, llvm::DIBuilder& builder, llvm::DIFile* file)
      : reader_(reader), builder_(builder), default_file_(file) {}

  llvm::DIType* type(uint32_t id, unsigned depth = 0);
  llvm::DISubroutineType* function_type(uint32_t id, unsigned depth = 0);
  llvm::DIFile* file(uint32_t source_id); // a DebugSource
  llvm::DIFile* file_named(llvm::StringRef path);

private:
  llvm::DIType* make_type(uint32_t id, const DebugRecord& record, unsigned depth);
  llvm::DIType* make_composite(uint32_t id, const DebugRecord& record, unsigned depth);
  llvm::DIType* make_array(const DebugRecord& record, unsigned depth);
  llvm::DIType* make_enum(const DebugRecord& record);

  ModuleReader& reader_;
  llvm::DIBuilder& builder_;
  llvm::DIFile* default_file_;
  std::unordered_map<uint32_t, llvm::DIType*> types_;
  std::unordered_map<std::string, llvm::DIFile*> files_;
};

} // namespace zeroth::spirv
