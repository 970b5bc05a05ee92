// The wide form of single instructions (but phis and terminators, which belong to control flow).
#pragma once

#include "widen_state.hpp"

namespace zeroth::codegen {

// Emits the wide form of `instruction` at the state's insertion point and records it.
void widen_instruction(WideState& state, const llvm::Instruction& instruction);

// Its parts, by kind of instruction.
void widen_load(WideState& state, const llvm::LoadInst& load);
void widen_store(WideState& state, const llvm::StoreInst& store);
// The address of a load or store that is not known to access a run of memory but hopes to; null of all others.
const llvm::Value* hopeful_run_address(const WideState& state, const llvm::Instruction& access);
void widen_alloca(WideState& state, const llvm::AllocaInst& memory);
void widen_atomic(WideState& state, const llvm::Instruction& atomic);
void widen_call(WideState& state, const llvm::CallBase& call);
void widen_sub_group_operation(WideState& state, const llvm::CallBase& call);
void widen_bits(WideState& state, const llvm::CastInst& cast);
void widen_words(WideState& state, const llvm::CallBase& call);

// One scalar copy for the whole slice, one per part, or one per active work-item, whose operands `operand` finds (null:
// they are what they are in its lane).
using LaneOperand = std::function<llvm::Value*(const llvm::Value*, unsigned part, llvm::Value* lane)>;
void copy_once(WideState& state, const llvm::Instruction& instruction);
void copy_per_part(WideState& state, const llvm::Instruction& instruction);
void copy_per_lane(WideState& state, const llvm::Instruction& instruction, const LaneOperand& operand = nullptr);

// Must not run, or is better not run, when no work-item is active.
bool needs_active_lane(const llvm::Instruction& instruction, const Divergence& divergence);

} // namespace zeroth::codegen
