#include "group_calls.hpp"

#include "../dialect.hpp"

namespace zeroth::spirv {
namespace {

using llvm::Value;

llvm::StringRef text(std::string_view name) { return {name.data(), name.size()}; }

// Pointers travel as integers.
Value* as_plain(Emitter& e, Value* v) {
  if (!v->getType()->isPtrOrPtrVectorTy()) return v;
  return e.ir.CreatePtrToInt(v, v->getType()->getWithNewType(e.ir.getInt64Ty()));
}

} // namespace

Scope group_scope(Emitter& e, const Instruction& inst, size_t index) {
  const uint32_t scope = e.constant_operand(inst, index);
  if (scope != 2 && scope != 3)
    inst.fail("is a group operation of scope " + std::to_string(scope) + ", which does not exist");
  return Scope(scope);
}

std::string group_name(Scope scope, std::string_view operation) {
  return std::string(scope == Scope::SubGroup ? dialect::SubGroupPrefix : dialect::WorkGroupPrefix) +
         std::string(operation);
}

Value* group_call(Emitter& e, Scope scope, std::string_view operation, Value* value, llvm::ArrayRef<Value*> extra) {
  llvm::Type* type = value->getType();
  Value* plain = as_plain(e, value);
  Value* result = e.per_component({plain}, [&](llvm::ArrayRef<Value*> parts) -> Value* {
    llvm::SmallVector<Value*, 4> arguments{parts[0]};
    arguments.append(extra.begin(), extra.end());
    llvm::Type* scalar = parts[0]->getType();
    return e.call(group_name(scope, operation) + "." + type_suffix(scalar), scalar, arguments, true, false);
  });
  return type->isPtrOrPtrVectorTy() ? e.ir.CreateIntToPtr(result, type) : result;
}

Value* group_vote(Emitter& e, Scope scope, std::string_view operation, Value* condition) {
  return e.call(group_name(scope, operation), e.ir.getInt1Ty(), {condition}, true, false);
}

Value* lane_id(Emitter& e) { return e.call(text(dialect::SubGroupLocalId), e.ir.getInt32Ty(), {}); }
Value* sub_group_size(Emitter& e) { return e.call(text(dialect::SubGroupSize), e.ir.getInt32Ty(), {}); }

Value* ballot(Emitter& e, Value* condition) {
  return e.call(group_name(Scope::SubGroup, "ballot"), e.ir.getInt64Ty(), {condition}, true, false);
}

Value* shuffle(Emitter& e, Value* value, Value* lane) {
  return group_call(e, Scope::SubGroup, "shuffle", value, {lane});
}

} // namespace zeroth::spirv
