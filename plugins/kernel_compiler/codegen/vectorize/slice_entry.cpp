#include "slice_entry.hpp"

#include "../dialect_calls.hpp"

#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

// lane < left, with `left` at most W in a 64-bit value.
llvm::Value* first_lanes(WideState& state, llvm::Value* left) {
  Builder& builder = state.builder;
  llvm::Value* lanes = builder.getInt64(state.lanes());
  llvm::Value* capped =
      builder.CreateTrunc(builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, lanes), builder.getInt32Ty());
  return builder.CreateICmpULT(state.steps(builder.getInt32Ty(), 1), state.splat(capped));
}

void emit_rows(WideState& state, const Position& extent, Mask& mask) {
  Builder& builder = state.builder;
  Position at = {state.target.getArg(slice_argument::X), state.target.getArg(slice_argument::Y),
                 state.target.getArg(slice_argument::Z)};
  if (const auto* row = llvm::dyn_cast<llvm::ConstantInt>(extent[0]); row && row->getZExtValue() <= state.lanes())
    at[0] = builder.getInt64(0);
  for (unsigned part = 0; part < state.parts(); ++part) {
    state.positions.push_back(at);
    llvm::Value* row = builder.CreateAdd(builder.CreateMul(at[2], extent[1]), at[1]);
    state.linear_bases.push_back(builder.CreateAdd(builder.CreateMul(row, extent[0]), at[0]));
    if (state.shape.masked()) {
      llvm::Value* left = builder.CreateSub(extent[0], at[0]);
      llvm::Value* exists =
          state.shape.whole_rows ? builder.CreateICmpULT(at[0], extent[0]) : builder.CreateICmpULT(at[2], extent[2]);
      mask.push_back(first_lanes(state, builder.CreateSelect(exists, left, builder.getInt64(0))));
    }
    if (state.shape.whole_rows || part + 1 < state.parts()) at = behind_parts(state, at, extent, 1);
  }
}

// x = n % Lx and so on for 32-bit n: quotients by doubles are exact.
void emit_linear_ids(WideState& state, const Position& extent, llvm::Value* first) {
  Builder& builder = state.builder;
  llvm::Type* ints = state.vector_type(builder.getInt32Ty());
  llvm::Type* doubles = state.vector_type(builder.getDoubleTy());
  auto narrow = [&](llvm::Value* value) { return builder.CreateTrunc(value, builder.getInt32Ty()); };
  auto divide = [&](llvm::Value* value, llvm::Value* by) {
    llvm::Value* quotient = builder.CreateFDiv(builder.CreateUIToFP(value, doubles),
                                               state.splat(builder.CreateUIToFP(by, builder.getDoubleTy())));
    return builder.CreateFPToUI(quotient, ints);
  };
  auto rest = [&](llvm::Value* value, llvm::Value* quotient, llvm::Value* by) {
    return builder.CreateSub(value, builder.CreateMul(quotient, state.splat(by)));
  };
  llvm::Value* linear = state.spread(narrow(first), 1);
  llvm::Value* row = divide(linear, narrow(extent[0]));
  llvm::Value* plane = divide(row, narrow(extent[1]));
  llvm::Type* wide = state.vector_type(builder.getInt64Ty());
  state.linear_ids.push_back({builder.CreateZExt(rest(linear, row, narrow(extent[0])), wide),
                              builder.CreateZExt(rest(row, plane, narrow(extent[1])), wide),
                              builder.CreateZExt(plane, wide)});
}

void emit_linear(WideState& state, const Position& extent, Mask& mask) {
  Builder& builder = state.builder;
  llvm::Value* items = builder.CreateMul(builder.CreateMul(extent[0], extent[1]), extent[2]);
  llvm::Value* slice = builder.CreateMul(state.target.getArg(slice_argument::Index),
                                         builder.getInt64(state.shape.width()), "", true, true);
  for (unsigned part = 0; part < state.parts(); ++part) {
    llvm::Value* first = builder.CreateAdd(slice, builder.getInt64(part * state.lanes()), "", true, true);
    state.linear_bases.push_back(first);
    emit_linear_ids(state, extent, first);
    llvm::Value* left = builder.CreateSub(items, first);
    llvm::Value* exists = builder.CreateICmpULT(first, items);
    mask.push_back(first_lanes(state, builder.CreateSelect(exists, left, builder.getInt64(0))));
  }
}

} // namespace

Position slice_extents(WideState& state) {
  Builder& builder = state.builder;
  auto* type = llvm::FunctionType::get(builder.getInt64Ty(), {builder.getInt32Ty()}, false);
  llvm::FunctionCallee query = declare_query(*state.target.getParent(), dialect::EnqueuedLocalSize, type);
  Position extent;
  for (unsigned d = 0; d < 3; ++d)
    extent[d] = state.shape.known_size[0] ? static_cast<llvm::Value*>(builder.getInt64(state.shape.known_size[d]))
                                          : builder.CreateCall(query, builder.getInt32(d));
  if (state.shape.spans_groups()) extent[0] = state.target.getArg(slice_argument::Row);
  return extent;
}

Position behind_parts(WideState& state, Position at, const Position& extent, unsigned parts) {
  const uint32_t lanes = state.lanes();
  if (state.shape.whole_rows) {
    at[0] = state.builder.CreateAdd(at[0], state.builder.getInt64(uint64_t(lanes) * parts), "", true, true);
    return at;
  }
  for (unsigned part = 0; part < parts; ++part) at = advance(state.builder, at, extent, lanes);
  return at;
}

Mask emit_slice_entry(WideState& state) {
  Mask mask;
  Position extent = slice_extents(state);
  if (state.shape.cut == Cut::MaskedLinear)
    emit_linear(state, extent, mask);
  else
    emit_rows(state, extent, mask);
  return mask;
}

} // namespace zeroth::codegen
