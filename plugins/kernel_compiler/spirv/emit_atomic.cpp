// Atomic instructions. All scopes are served by the strongest one: threads of one process.
#include "emitter.hpp"
#include "ordering.hpp"

namespace zeroth::spirv {
namespace {

using llvm::AtomicRMWInst;
using llvm::Value;

void check_type(const Instruction& inst, llvm::Type* type) {
  const unsigned bits = type->isPointerTy() ? 64 : unsigned(type->getPrimitiveSizeInBits().getFixedValue());
  const bool scalar = type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
  if (!scalar || (bits != 8 && bits != 16 && bits != 32 && bits != 64)) inst.fail("is atomic on a type that cannot be");
}

llvm::Align alignment(llvm::Type* type) {
  return llvm::Align(type->isPointerTy() ? 8 : type->getPrimitiveSizeInBits().getFixedValue() / 8);
}

uint32_t semantics(Emitter& e, const Instruction& inst, size_t index) { return e.constant_operand(inst, index); }

void atomic_load(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  check_type(inst, type);
  llvm::LoadInst* made = e.ir.CreateAlignedLoad(type, e.pointer_operand(inst, 0), alignment(type));
  made->setAtomic(load_ordering(semantics(e, inst, 2)));
  e.define(inst, made);
}

void atomic_store(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  Value* v = e.operand(inst, 3);
  check_type(inst, v->getType());
  e.ir.CreateAlignedStore(v, pointer, alignment(v->getType()))->setAtomic(store_ordering(semantics(e, inst, 2)));
}

Value* modify(Emitter& e, const Instruction& inst, AtomicRMWInst::BinOp operation, Value* pointer, Value* v) {
  check_type(inst, v->getType());
  return e.ir.CreateAtomicRMW(operation, pointer, v, alignment(v->getType()), ordering(semantics(e, inst, 2)));
}

template <AtomicRMWInst::BinOp Operation> void read_modify_write(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  Value* v = e.operand_of(inst, 3, e.result_type(inst));
  const bool floating = AtomicRMWInst::isFPOperation(Operation);
  const bool exchange = Operation == AtomicRMWInst::Xchg;
  if (!exchange && !(floating ? v->getType()->isFloatingPointTy() : v->getType()->isIntegerTy()))
    inst.fail("has a value of the wrong kind");
  e.define(inst, modify(e, inst, Operation, pointer, v));
}

template <AtomicRMWInst::BinOp Operation> void by_one(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntegerTy()) inst.fail("has a result that is no integer");
  e.define(inst, modify(e, inst, Operation, e.pointer_operand(inst, 0), llvm::ConstantInt::get(type, 1)));
}

void compare_exchange(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  check_type(inst, type);
  Value* desired = e.operand_of(inst, 4, type);
  Value* expected = e.operand_of(inst, 5, type);
  // Floating-point values are compared by their bits.
  llvm::Type* bits = type->isFloatingPointTy() ? e.ir.getIntNTy(unsigned(type->getPrimitiveSizeInBits())) : type;
  if (bits != type) desired = e.ir.CreateBitCast(desired, bits), expected = e.ir.CreateBitCast(expected, bits);
  Value* both = e.ir.CreateAtomicCmpXchg(pointer, expected, desired, alignment(type), ordering(semantics(e, inst, 2)),
                                         load_ordering(semantics(e, inst, 3)));
  Value* old = e.ir.CreateExtractValue(both, 0);
  e.define(inst, bits == type ? old : e.ir.CreateBitCast(old, type));
}

void flag_test_and_set(Emitter& e, const Instruction& inst) {
  Value* old = modify(e, inst, AtomicRMWInst::Xchg, e.pointer_operand(inst, 0), e.ir.getInt32(1));
  e.define(inst, e.ir.CreateICmpNE(old, e.ir.getInt32(0)));
}

void flag_clear(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  e.ir.CreateAlignedStore(e.ir.getInt32(0), pointer, llvm::Align(4))->setAtomic(store_ordering(semantics(e, inst, 2)));
}

constexpr EmitterEntry table[] = {
    {Op::AtomicLoad, atomic_load},
    {Op::AtomicStore, atomic_store},
    {Op::AtomicExchange, read_modify_write<AtomicRMWInst::Xchg>},
    {Op::AtomicCompareExchange, compare_exchange},
    {Op::AtomicCompareExchangeWeak, compare_exchange},
    {Op::AtomicIIncrement, by_one<AtomicRMWInst::Add>},
    {Op::AtomicIDecrement, by_one<AtomicRMWInst::Sub>},
    {Op::AtomicIAdd, read_modify_write<AtomicRMWInst::Add>},
    {Op::AtomicISub, read_modify_write<AtomicRMWInst::Sub>},
    {Op::AtomicSMin, read_modify_write<AtomicRMWInst::Min>},
    {Op::AtomicUMin, read_modify_write<AtomicRMWInst::UMin>},
    {Op::AtomicSMax, read_modify_write<AtomicRMWInst::Max>},
    {Op::AtomicUMax, read_modify_write<AtomicRMWInst::UMax>},
    {Op::AtomicAnd, read_modify_write<AtomicRMWInst::And>},
    {Op::AtomicOr, read_modify_write<AtomicRMWInst::Or>},
    {Op::AtomicXor, read_modify_write<AtomicRMWInst::Xor>},
    {Op::AtomicFAddEXT, read_modify_write<AtomicRMWInst::FAdd>},
    {Op::AtomicFMinEXT, read_modify_write<AtomicRMWInst::FMin>},
    {Op::AtomicFMaxEXT, read_modify_write<AtomicRMWInst::FMax>},
    {Op::AtomicFlagTestAndSet, flag_test_and_set},
    {Op::AtomicFlagClear, flag_clear},
};

} // namespace

EmitterTable atomic_emitters() { return table; }

} // namespace zeroth::spirv
