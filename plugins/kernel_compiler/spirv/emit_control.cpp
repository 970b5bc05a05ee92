// Branches, calls, returns, barriers and fences, hints.
#include "../dialect.hpp"
#include "emitter.hpp"
#include "ordering.hpp"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

namespace zeroth::spirv {
namespace {

using llvm::Value;

void branch(Emitter& e, const Instruction& inst) { e.ir.CreateBr(e.block(inst.operand(0), inst)); }

void branch_conditional(Emitter& e, const Instruction& inst) {
  Value* condition = e.bool_operand(inst, 0);
  llvm::BasicBlock* yes = e.block(inst.operand(1), inst);
  llvm::BranchInst* made = e.ir.CreateCondBr(condition, yes, e.block(inst.operand(2), inst));
  if (inst.size() >= 5 && (inst.operand(3) || inst.operand(4)))
    made->setMetadata(llvm::LLVMContext::MD_prof,
                      llvm::MDBuilder(e.context).createBranchWeights(inst.operand(3), inst.operand(4)));
}

void switch_branch(Emitter& e, const Instruction& inst) {
  Value* selector = e.int_operand(inst, 0);
  auto* type = llvm::dyn_cast<llvm::IntegerType>(selector->getType());
  if (!type) inst.fail("has a selector that is no scalar");
  const auto cases = e.switch_cases(inst);
  llvm::SwitchInst* made = e.ir.CreateSwitch(selector, e.block(inst.operand(1), inst), unsigned(cases.size()));
  std::unordered_map<uint64_t, bool> seen;
  for (const auto& [literal, label] : cases) {
    const llvm::APInt value = llvm::APInt(64, literal).zextOrTrunc(type->getBitWidth());
    if (!seen.emplace(value.getZExtValue(), true).second) inst.fail("has the same case twice");
    made->addCase(llvm::ConstantInt::get(type->getContext(), value), e.block(label, inst));
  }
}

void return_nothing(Emitter& e, const Instruction& inst) {
  if (!e.function.getReturnType()->isVoidTy()) inst.fail("returns nothing from a function that has a result");
  e.ir.CreateRetVoid();
}

void return_value(Emitter& e, const Instruction& inst) {
  e.ir.CreateRet(e.operand_of(inst, 0, e.function.getReturnType()));
}
void unreachable(Emitter& e, const Instruction&) { e.ir.CreateUnreachable(); }

void emit_call(Emitter& e, const Instruction& inst, llvm::FunctionType* type, Value* callee, llvm::Function* known) {
  if (inst.size() - 1 != type->getNumParams()) inst.fail("passes not as many arguments as the function has parameters");
  llvm::SmallVector<Value*, 8> arguments;
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    arguments.push_back(e.operand_of(inst, i + 1, type->getParamType(i)));
  llvm::CallInst* made = e.ir.CreateCall(type, callee, arguments);
  if (!known || !known->isIntrinsic()) made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  for (unsigned i = 0; known && i < type->getNumParams(); ++i)
    if (llvm::Type* by_value = known->getParamByValType(i)) {
      made->addParamAttr(i, llvm::Attribute::getWithByValType(e.context, by_value));
      if (const llvm::MaybeAlign align = known->getParamAlign(i))
        made->addParamAttr(i, llvm::Attribute::getWithAlignment(e.context, *align));
    }
  if (!type->getReturnType()->isVoidTy())
    e.define(inst, made);
  else if (e.reader.type(inst.type) != type->getReturnType())
    inst.fail("yields another type than the function");
}

void call(Emitter& e, const Instruction& inst) {
  llvm::Function* callee = e.reader.function(inst.operand(0));
  emit_call(e, inst, callee->getFunctionType(), callee, callee);
}

void call_pointer(Emitter& e, const Instruction& inst) {
  const Instruction& type = e.pointee(inst, 0);
  if (type.op != Op::TypeFunction) inst.fail("calls through a pointer to something that is no function");
  emit_call(e, inst, llvm::cast<llvm::FunctionType>(e.reader.type(type.result)), e.pointer_operand(inst, 0), nullptr);
}

void loop_merge(Emitter& e, const Instruction& inst) {
  Emitter::LoopHint hint{e.current_label, inst.operand(1), inst.operand(2), 0};
  // The words after the mask belong to its bits in order; the partial count is the last one known here.
  size_t at = 3;
  for (uint32_t bit = 8; bit <= 0x100; bit <<= 1)
    if (hint.control & bit) {
      if (bit == 0x100 && at < inst.size()) hint.partial_count = inst.operand(at);
      ++at;
    }
  e.loop_hints.push_back(hint);
}

void nothing(Emitter&, const Instruction&) {}

// Others write what only a restrict pointer of this work-item reaches: calls leave that alone, fences nothing.
void emit_barrier(Emitter& e, uint32_t execution, uint32_t memory, uint32_t semantics) {
  e.ir.CreateFence(llvm::AtomicOrdering::AcquireRelease, llvm::SyncScope::SingleThread);
  Value* arguments[] = {e.ir.getInt32(execution), e.ir.getInt32(memory), e.ir.getInt32(semantics)};
  const std::string_view name = dialect::Barrier;
  e.call({name.data(), name.size()}, e.ir.getVoidTy(), arguments, true, false);
}

void control_barrier(Emitter& e, const Instruction& inst) {
  const uint32_t scope = e.constant_operand(inst, 0);
  if (scope != 2 && scope != 3 && scope != 4)
    inst.fail("is a barrier of scope " + std::to_string(scope) + ", which does not exist");
  if (scope == 4) return; // a work-item waits for itself
  emit_barrier(e, scope, e.constant_operand(inst, 1), e.constant_operand(inst, 2));
}

// Waiting for all to arrive at the second half as well is always allowed; so the first half only orders memory.
void barrier_arrive(Emitter& e, const Instruction& inst) {
  e.constant_operand(inst, 0);
  e.ir.CreateFence(llvm::AtomicOrdering::Release);
}

void memory_barrier(Emitter& e, const Instruction& inst) {
  const llvm::AtomicOrdering order = fence_ordering(e.constant_operand(inst, 1));
  if (order != llvm::AtomicOrdering::Monotonic) e.ir.CreateFence(order);
}

void assume(Emitter& e, const Instruction& inst) { e.ir.CreateAssumption(e.bool_operand(inst, 0)); }

void expect(Emitter& e, const Instruction& inst) {
  Value* v = e.int_operand(inst, 0);
  Value* expected = e.operand_of(inst, 1, v->getType());
  if (v->getType()->isVectorTy() || !llvm::isa<llvm::Constant>(expected)) return e.define(inst, v);
  e.define(inst, e.ir.CreateIntrinsic(llvm::Intrinsic::expect, {v->getType()}, {v, expected}));
}

void arithmetic_fence(Emitter& e, const Instruction& inst) {
  Value* v = e.operand(inst, 0);
  if (!v->getType()->isFPOrFPVectorTy()) return e.define(inst, v);
  e.define(inst, e.ir.CreateArithmeticFence(v, v->getType()));
}

void read_clock(Emitter& e, const Instruction& inst) {
  const std::string_view name = dialect::ReadClock;
  Value* now =
      e.call({name.data(), name.size()}, e.ir.getInt64Ty(), {e.ir.getInt32(e.constant_operand(inst, 0))}, false, false);
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntOrIntVectorTy() || type->getPrimitiveSizeInBits() != 64)
    inst.fail("has a result that is not of 64 bits");
  e.define(inst, e.ir.CreateBitCast(now, type));
}

constexpr EmitterEntry table[] = {
    {Op::Branch, branch},
    {Op::BranchConditional, branch_conditional},
    {Op::Switch, switch_branch},
    {Op::Return, return_nothing},
    {Op::ReturnValue, return_value},
    {Op::Unreachable, unreachable},
    {Op::FunctionCall, call},
    {Op::FunctionPointerCallINTEL, call_pointer},
    {Op::LoopMerge, loop_merge},
    {Op::SelectionMerge, nothing},
    {Op::LoopControlINTEL, nothing},
    {Op::Line, nothing},
    {Op::NoLine, nothing},
    {Op::ModuleProcessed, nothing},
    {Op::ControlBarrier, control_barrier},
    {Op::ControlBarrierArriveEXT, barrier_arrive},
    {Op::ControlBarrierWaitEXT, control_barrier},
    {Op::MemoryBarrier, memory_barrier},
    {Op::AssumeTrueKHR, assume},
    {Op::ExpectKHR, expect},
    {Op::ArithmeticFenceEXT, arithmetic_fence},
    {Op::ReadClockKHR, read_clock},
};

} // namespace

EmitterTable control_emitters() { return table; }

} // namespace zeroth::spirv
