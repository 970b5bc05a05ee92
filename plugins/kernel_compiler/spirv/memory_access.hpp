// The optional operands of memory instructions: volatile, alignment, alias scopes.
#pragma once

#include "emitter.hpp"

namespace zeroth::spirv {

struct MemoryAccess {
  bool is_volatile = false;
  bool nontemporal = false;
  uint64_t alignment = 0; // 0: not said
  uint32_t alias_scopes = 0;
  uint32_t no_alias = 0;
  size_t next = 0; // operand index after it
};

// Reads the mask at `index` and what follows; all defaults when there is none.
MemoryAccess memory_access(const Instruction& inst, size_t index);
llvm::Align alignment_of(const MemoryAccess& access, uint64_t natural);
// Natural alignment of a type in memory.
uint64_t natural_alignment(Emitter& e, llvm::Type* type);
// Alias metadata and non-temporal hint.
void annotate(Emitter& e, llvm::Instruction* made, const MemoryAccess& access);

llvm::LoadInst* load(Emitter& e, llvm::Type* type, llvm::Value* pointer, const MemoryAccess& access);
llvm::StoreInst* store(Emitter& e, llvm::Value* value, llvm::Value* pointer, const MemoryAccess& access);

} // namespace zeroth::spirv
