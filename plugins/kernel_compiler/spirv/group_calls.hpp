// Calls of the dialect's group primitives, component by component for vectors.
#pragma once

#include "emitter.hpp"

namespace zeroth::spirv {

enum class Scope : uint32_t { WorkGroup = 2, SubGroup = 3 };

// The scope operand of a group instruction; only these two exist.
Scope group_scope(Emitter& e, const Instruction& inst, size_t index);
// "zeroth.sub_group." + operation
std::string group_name(Scope scope, std::string_view operation);
// T operation.T(T value, extra...) per component of the value; the extra operands are scalars.
llvm::Value* group_call(Emitter& e, Scope scope, std::string_view operation, llvm::Value* value,
                        llvm::ArrayRef<llvm::Value*> extra = {});
llvm::Value* group_vote(Emitter& e, Scope scope, std::string_view operation, llvm::Value* condition);

llvm::Value* lane_id(Emitter& e);                        // i32
llvm::Value* sub_group_size(Emitter& e);                 // i32, of this sub-group
llvm::Value* ballot(Emitter& e, llvm::Value* condition); // i64
// The value of `lane` (i32), or of the first one.
llvm::Value* shuffle(Emitter& e, llvm::Value* value, llvm::Value* lane);

} // namespace zeroth::spirv
