// Variables, loads, stores, copies.
#include "../dialect.hpp"
#include "emitter.hpp"
#include "memory_access.hpp"

#include <bit>

namespace zeroth::spirv {
namespace {

using llvm::Value;

void variable(Emitter& e, const Instruction& inst) {
  if (StorageClass(inst.operand(0)) != StorageClass::Function)
    inst.fail("a variable in a function must be of storage class Function");
  const Instruction& pointer = e.reader.layout.type(inst.type);
  const bool untyped = inst.op == Op::UntypedVariableKHR;
  if (pointer.op != (untyped ? Op::TypeUntypedPointerKHR : Op::TypePointer) ||
      address_space(pointer) != dialect::Private)
    inst.fail("has a type that is no pointer to Function storage");
  if (untyped && inst.size() < 2) inst.fail("has no data type");
  const uint32_t pointee = untyped ? inst.operand(1) : pointer.operand(1);
  llvm::Type* type = e.reader.type(pointee);
  const TypeLayout place = e.reader.layout.of(pointee);
  if (place.size > MaxPrivateBytes) inst.fail("the variable of " + std::to_string(place.size) + " bytes is too large");
  uint64_t alignment = place.alignment;
  if (const DecorationUse* use = e.reader.index.decoration(inst.result, Decoration::Alignment);
      use && !use->operands.empty())
    if (std::has_single_bit(use->operands[0]) && use->operands[0] <= 4096)
      alignment = std::max<uint64_t>(alignment, use->operands[0]);
  llvm::AllocaInst* made = e.entry_alloca(type, llvm::Align(std::min<uint64_t>(std::bit_ceil(alignment), 4096)));
  e.define(inst, made);
  const size_t initializer = untyped ? 2 : 1;
  if (inst.size() > initializer) e.ir.CreateStore(e.operand_of(inst, initializer, type), made);
}

// A variable that is a sampler or stands for a built-in: what it holds is known without loading.
Value* known_content(Emitter& e, const Instruction& inst) {
  const Instruction* variable = e.reader.index.module.definition(inst.operand(0));
  if (!variable || variable->op != Op::Variable) return nullptr;
  if (const std::optional<uint32_t> builtin = builtin_of(e.reader.index, variable->result))
    return e.builtin_value(*builtin, e.result_type(inst), inst);
  if (variable->size() > 1 && e.reader.is_constant_sampler(variable->operand(1))) return e.value(variable->operand(1));
  return nullptr;
}

void load_value(Emitter& e, const Instruction& inst) {
  if (Value* known = known_content(e, inst)) return e.define(inst, known);
  Value* pointer = e.pointer_operand(inst, 0);
  e.define(inst, load(e, e.result_type(inst), pointer, memory_access(inst, 1)));
}

void store_value(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  store(e, e.operand(inst, 1), pointer, memory_access(inst, 2));
}

void copy_bytes(Emitter& e, const Instruction& inst, Value* bytes, uint64_t natural, size_t access_index) {
  Value* target = e.pointer_operand(inst, 0);
  Value* source = e.pointer_operand(inst, 1);
  const MemoryAccess to = memory_access(inst, access_index);
  const MemoryAccess from = to.next < inst.size() ? memory_access(inst, to.next) : to;
  llvm::CallInst* made = e.ir.CreateMemCpy(target, alignment_of(to, natural), source, alignment_of(from, natural),
                                           bytes, to.is_volatile || from.is_volatile);
  MemoryAccess notes = to;
  notes.nontemporal = false;
  annotate(e, made, notes);
}

void copy_memory(Emitter& e, const Instruction& inst) {
  e.pointee(inst, 0);
  const TypeLayout place = e.reader.layout.of(e.pointee(inst, 0).result);
  copy_bytes(e, inst, e.ir.getInt64(place.size), std::min<uint64_t>(place.alignment, 256), 2);
}

void copy_memory_sized(Emitter& e, const Instruction& inst) {
  Value* size = e.int_operand(inst, 2);
  if (size->getType()->isVectorTy()) inst.fail("has a size that is no scalar");
  copy_bytes(e, inst, e.ir.CreateZExtOrTrunc(size, e.ir.getInt64Ty()), 1, 3);
}

// Only variables have a lifetime that LLVM can use.
template <bool Start> void lifetime(Emitter& e, const Instruction& inst) {
  auto* variable = llvm::dyn_cast<llvm::AllocaInst>(e.pointer_operand(inst, 0)->stripPointerCasts());
  if (!variable || variable->isArrayAllocation()) return;
  if (Start)
    e.ir.CreateLifetimeStart(variable);
  else
    e.ir.CreateLifetimeEnd(variable);
}

// Reads through a null or wild pointer must not happen when the predicate is false: the pointer is replaced, not the
// load.
void predicated_load(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  Value* predicate = e.bool_operand(inst, 1);
  llvm::Type* type = e.result_type(inst);
  Value* otherwise = e.operand_of(inst, 2, type);
  const uint64_t natural = natural_alignment(e, type);
  llvm::AllocaInst* spare = e.entry_alloca(type, llvm::Align(natural));
  e.ir.CreateStore(otherwise, spare);
  MemoryAccess access = memory_access(inst, 3);
  access.alignment = std::min(access.alignment ? access.alignment : natural, natural);
  Value* from = e.ir.CreateSelect(predicate, pointer, e.ir.CreateAddrSpaceCast(spare, pointer->getType()));
  e.define(inst, load(e, type, from, access));
}

void predicated_store(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  Value* value = e.operand(inst, 1);
  Value* predicate = e.bool_operand(inst, 2);
  const uint64_t natural = natural_alignment(e, value->getType());
  llvm::AllocaInst* spare = e.entry_alloca(value->getType(), llvm::Align(natural));
  MemoryAccess access = memory_access(inst, 3);
  access.alignment = std::min(access.alignment ? access.alignment : natural, natural);
  Value* to = e.ir.CreateSelect(predicate, pointer, e.ir.CreateAddrSpaceCast(spare, pointer->getType()));
  store(e, value, to, access);
}

Value* variable_length(Emitter& e, const Instruction& inst, llvm::Type* element, size_t count_index) {
  Value* count = e.int_operand(inst, count_index);
  if (count->getType()->isVectorTy()) inst.fail("has a length that is no scalar");
  return e.ir.CreateAlloca(element, e.ir.CreateZExtOrTrunc(count, e.ir.getInt64Ty()));
}

void variable_length_array(Emitter& e, const Instruction& inst) {
  const Instruction& pointer = e.reader.layout.type(inst.type);
  if (pointer.op != Op::TypePointer || address_space(pointer) != dialect::Private)
    inst.fail("has a type that is no pointer to Function storage");
  e.reader.layout.of(pointer.operand(1));
  e.define(inst, variable_length(e, inst, e.reader.type(pointer.operand(1)), 0));
}

void untyped_variable_length_array(Emitter& e, const Instruction& inst) {
  e.reader.layout.of(inst.operand(0));
  e.define(inst, variable_length(e, inst, e.reader.type(inst.operand(0)), 1));
}

void save_memory(Emitter& e, const Instruction& inst) { e.define(inst, e.ir.CreateStackSave()); }

void restore_memory(Emitter& e, const Instruction& inst) {
  e.ir.CreateStackRestore(e.operand_of(inst, 0, llvm::PointerType::get(e.context, 0)));
}

void hint(Emitter&, const Instruction&) {}

constexpr EmitterEntry table[] = {
    {Op::Variable, variable},
    {Op::UntypedVariableKHR, variable},
    {Op::Load, load_value},
    {Op::Store, store_value},
    {Op::CopyMemory, copy_memory},
    {Op::CopyMemorySized, copy_memory_sized},
    {Op::LifetimeStart, lifetime<true>},
    {Op::LifetimeStop, lifetime<false>},
    {Op::PredicatedLoadINTEL, predicated_load},
    {Op::PredicatedStoreINTEL, predicated_store},
    {Op::VariableLengthArrayINTEL, variable_length_array},
    {Op::UntypedVariableLengthArrayINTEL, untyped_variable_length_array},
    {Op::SaveMemoryINTEL, save_memory},
    {Op::RestoreMemoryINTEL, restore_memory},
    {Op::UntypedPrefetchKHR, hint},
    {Op::SubgroupBlockPrefetchINTEL, hint},
};

} // namespace

EmitterTable memory_emitters() { return table; }

} // namespace zeroth::spirv
