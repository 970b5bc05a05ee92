// Calls: dialect queries, intrinsics with vector forms, everything else one work-item at a time.
#include "widen_instruction.hpp"

#include "../../llvm_versions.hpp"
#include "../dialect_calls.hpp"
#include "full_slices.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

bool is_dropped(const llvm::CallBase& call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
  case llvm::Intrinsic::invariant_start:
  case llvm::Intrinsic::invariant_end:
    return true;
  default:
    return llvm::isa<llvm::DbgInfoIntrinsic>(call);
  }
}

void widen_local_id(WideState& state, const llvm::CallBase& call) {
  unsigned d = unsigned(llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue());
  Values values;
  if (state.shape.cut == Cut::MaskedLinear) {
    for (unsigned part = 0; part < state.parts(); ++part) values.push_back(state.linear_ids[part][d]);
    return state.set_vectors(&call, std::move(values));
  }
  for (unsigned part = 0; part < state.parts(); ++part) values.push_back(state.positions[part][d]);
  if (state.divergence.shape(&call).is_uniform())
    state.set_scalar(&call, values[0]);
  else
    state.set_bases(&call, std::move(values));
}

void widen_item_query(WideState& state, const llvm::CallBase& call, std::string_view name) {
  Values bases;
  for (unsigned part = 0; part < state.parts(); ++part) {
    if (name == dialect::LocalLinearId) bases.push_back(state.linear_bases[part]);
    if (name == dialect::SubGroupLocalId) bases.push_back(state.builder.getInt32(0));
    if (name == dialect::SubGroupId) {
      llvm::Value* id = state.builder.CreateUDiv(state.linear_bases[part], state.builder.getInt64(state.lanes()));
      bases.push_back(state.builder.CreateTrunc(id, state.builder.getInt32Ty()));
    }
  }
  if (state.divergence.shape(&call).is_uniform())
    state.set_scalar(&call, bases[0]);
  else
    state.set_bases(&call, std::move(bases));
}

void widen_byte_fraction(WideState& state, const llvm::CallBase& call) {
  if (state.divergence.shape(&call).is_uniform()) return copy_once(state, call);
  llvm::Type *result = state.vector_type(call.getType()), *word = state.vector_type(call.getArgOperand(0)->getType());
  llvm::Value* byte = call.getArgOperand(1);
  const std::string name = std::string(dialect::ByteFraction) + "v" + std::to_string(state.lanes()) + "f32";
  llvm::FunctionCallee wide = state.target.getParent()->getOrInsertFunction(
      name, call.getCalledFunction()->getAttributes(), result, word, byte->getType());
  Values values;
  for (unsigned part = 0; part < state.parts(); ++part)
    values.push_back(state.builder.CreateCall(wide, {state.vector(call.getArgOperand(0), part), byte}));
  state.set_vectors(&call, std::move(values));
}

void widen_dialect_call(WideState& state, const llvm::CallBase& call, std::string_view name) {
  if (name == slice_query::All) return widen_question_to_all(state, call);
  if (name == slice_query::Smaller || name == slice_query::Further) return call_smaller_slices(state, call);
  if (name == dialect::LocalId) return widen_local_id(state, call);
  if (name == dialect::LocalLinearId || name == dialect::SubGroupLocalId || name == dialect::SubGroupId)
    return widen_item_query(state, call, name);
  if (name.starts_with(dialect::LoadWords) || name.starts_with(dialect::StoreWords)) return widen_words(state, call);
  if (name.starts_with(dialect::ByteFraction)) return widen_byte_fraction(state, call);
  if (name.starts_with(dialect::SubGroupPrefix)) return widen_sub_group_operation(state, call);
  if (name == dialect::Barrier || state.divergence.shape(&call).is_uniform()) return copy_once(state, call);
  copy_per_lane(state, call);
}

void widen_vector_intrinsic(WideState& state, const llvm::CallBase& call) {
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  Values result;
  for (unsigned part = 0; part < state.parts(); ++part)
    for (unsigned c = 0; c < WideState::components(call.getType()); ++c) {
      llvm::SmallVector<llvm::Value*> arguments;
      llvm::SmallVector<llvm::Type*> overloads;
      if (llvm_version::overloads_on(id, -1)) overloads.push_back(state.vector_type(call.getType()->getScalarType()));
      for (unsigned n = 0; n < call.arg_size(); ++n) {
        bool is_scalar = llvm_version::stays_scalar(id, n);
        arguments.push_back(is_scalar ? state.scalar(call.getArgOperand(n))
                                      : state.vector(call.getArgOperand(n), part, c));
        if (llvm_version::overloads_on(id, int(n))) overloads.push_back(arguments.back()->getType());
      }
      llvm::Function* intrinsic = llvm_version::declare_intrinsic(*state.target.getParent(), id, overloads);
      llvm::CallInst* wide = state.builder.CreateCall(intrinsic, arguments);
      if (llvm::isa<llvm::FPMathOperator>(wide)) wide->copyFastMathFlags(&call);
      result.push_back(wide);
    }
  state.set_vectors(&call, std::move(result));
}

bool has_vector_form(const WideState& state, const llvm::CallBase& call) {
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::not_intrinsic || !llvm::isTriviallyVectorizable(id) || call.getType()->isStructTy())
    return false;
  for (unsigned n = 0; n < call.arg_size(); ++n)
    if (llvm_version::stays_scalar(id, n) && !state.divergence.shape(call.getArgOperand(n)).is_uniform()) return false;
  return true;
}

} // namespace

void widen_call(WideState& state, const llvm::CallBase& call) {
  if (is_dropped(call)) return;
  if (!call.getCalledFunction()) throw NotVectorizable("a call through a pointer");
  if (std::string_view name = dialect_name(&call); !name.empty()) return widen_dialect_call(state, call, name);
  ValueShape shape = state.divergence.shape(&call);
  if (shape.kind == ValueShape::Unknown) return;
  if (shape.is_uniform()) return copy_once(state, call);
  if (shape.is_strided()) return copy_per_part(state, call);
  if (call.getIntrinsicID() == llvm::Intrinsic::expect) {
    Values same;
    for (unsigned part = 0; part < state.parts(); ++part) same.push_back(state.vector(call.getArgOperand(0), part));
    return state.set_vectors(&call, std::move(same));
  }
  if (has_vector_form(state, call)) return widen_vector_intrinsic(state, call);
  copy_per_lane(state, call);
}

} // namespace zeroth::codegen
