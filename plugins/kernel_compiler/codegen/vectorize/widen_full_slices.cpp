// The questions and calls of full_slices.hpp.
#include "../../llvm_versions.hpp"
#include "full_slices.hpp"
#include "slice_entry.hpp"
#include "widen_instruction.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

namespace zeroth::codegen {

namespace {

class QuestionToAll {
public:
  explicit QuestionToAll(WideState& state) : state_(state), builder_(state.builder) {}

  // Is `value` what is `wanted` in all work-items? May say no where the answer is yes.
  llvm::Value* ask(const llvm::Value* value, bool wanted, unsigned depth = 0) {
    using namespace llvm::PatternMatch;
    constexpr unsigned MaxDepth = 8;
    const llvm::Value *a = nullptr, *b = nullptr;
    if (match(value, m_Not(m_Value(a)))) return ask(a, !wanted, depth);
    const bool both =
        wanted ? match(value, m_LogicalAnd(m_Value(a), m_Value(b))) : match(value, m_LogicalOr(m_Value(a), m_Value(b)));
    if (both && depth < MaxDepth)
      return builder_.CreateLogicalAnd(ask(a, wanted, depth + 1), ask(b, wanted, depth + 1));
    if (state_.divergence.shape(value).is_uniform()) return as_wanted(state_.scalar(value), wanted);
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(value))
      if (llvm::Value* ends = ask_ends(*compare, wanted)) return ends;
    return ask_lanes(value, wanted);
  }

private:
  llvm::Value* as_wanted(llvm::Value* value, bool wanted) { return wanted ? value : builder_.CreateNot(value); }

  llvm::Value* ask_lanes(const llvm::Value* value, bool wanted) {
    llvm::Value* all = as_wanted(state_.vector(value, 0), wanted);
    for (unsigned part = 1; part < state_.parts(); ++part)
      all = builder_.CreateAnd(all, as_wanted(state_.vector(value, part), wanted));
    return builder_.CreateNot(state_.any(builder_.CreateNot(all)));
  }

  // A run of numbers that does not wrap around lies on one side of a bound when both of its ends do.
  llvm::Value* ask_ends(const llvm::ICmpInst& compare, bool wanted) {
    llvm::CmpInst::Predicate predicate = compare.getPredicate();
    const llvm::Value *run = compare.getOperand(0), *bound = compare.getOperand(1);
    if (state_.divergence.shape(run).is_uniform()) {
      std::swap(run, bound);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    ValueShape shape = state_.divergence.shape(run);
    if (!llvm::CmpInst::isRelational(predicate) || !state_.divergence.shape(bound).is_uniform() ||
        !shape.is_strided() || shape.stride <= 0 || !run->getType()->isIntegerTy())
      return nullptr;
    if (!wanted) predicate = llvm::CmpInst::getInversePredicate(predicate);
    const bool is_one_run = state_.divergence.runs_through_parts(run);
    const unsigned length = is_one_run ? state_.shape.width() : state_.lanes();
    const uint64_t reach = uint64_t(shape.stride) * (length - 1);
    if (!llvm::isUIntN(run->getType()->getIntegerBitWidth(), reach)) return nullptr; // more than once around
    llvm::Value* all = builder_.getTrue();
    for (unsigned part = 0; part < (is_one_run ? 1 : state_.parts()); ++part)
      all = builder_.CreateAnd(all, ends_meet(predicate, state_.base(run, part), reach, state_.scalar(bound)));
    return all;
  }

  llvm::Value* ends_meet(llvm::CmpInst::Predicate predicate, llvm::Value* first, uint64_t reach, llvm::Value* limit) {
    llvm::Value* last = builder_.CreateAdd(first, llvm_version::signed_constant(first->getType(), int64_t(reach)));
    llvm::Value* runs_on =
        llvm::CmpInst::isSigned(predicate) ? builder_.CreateICmpSLE(first, last) : builder_.CreateICmpULE(first, last);
    const bool last_decides = predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_ULE ||
                              predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_SLE;
    return builder_.CreateAnd(runs_on, builder_.CreateICmp(predicate, last_decides ? last : first, limit));
  }

  WideState& state_;
  Builder& builder_;
};

} // namespace

void widen_question_to_all(WideState& state, const llvm::CallBase& call) {
  state.set_scalar(&call, state.builder.CreateFreeze(QuestionToAll(state).ask(call.getArgOperand(0), true)));
}

void call_smaller_slices(WideState& state, const llvm::CallBase& call) {
  if (!state.smaller.function) throw NotVectorizable("no smaller form");
  llvm::SmallVector<llvm::Value*> arguments;
  for (llvm::Argument& argument : state.target.args()) arguments.push_back(&argument);
  if (call.arg_size())
    arguments[slice_argument::GroupX] =
        state.builder.CreateAdd(arguments[slice_argument::GroupX], state.scalar(call.getArgOperand(0)));
  Builder& builder = state.builder;
  auto call_at = [&](const Position& at) {
    std::copy(at.begin(), at.end(), &arguments[slice_argument::X]);
    builder.CreateCall(state.smaller.function, arguments);
  };
  const unsigned calls = state.parts() / state.smaller.parts;
  if (calls == 1) return call_at(state.positions[0]);
  const Position extent = slice_extents(state);
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(builder.getContext(), "smaller", &state.target);
  auto* after = llvm::BasicBlock::Create(builder.getContext(), "smaller.done", &state.target);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* left = builder.CreatePHI(builder.getInt32Ty(), 2);
  Position at;
  for (llvm::Value*& x : at) x = builder.CreatePHI(builder.getInt64Ty(), 2);
  call_at(at);
  const Position next = behind_parts(state, at, extent, state.smaller.parts);
  llvm::Value* now_left = builder.CreateSub(left, builder.getInt32(1));
  builder.CreateCondBr(builder.CreateICmpNE(now_left, builder.getInt32(0)), loop, after);
  left->addIncoming(builder.getInt32(calls), before);
  left->addIncoming(now_left, loop);
  for (unsigned d = 0; d < 3; ++d) {
    llvm::cast<llvm::PHINode>(at[d])->addIncoming(state.positions[0][d], before);
    llvm::cast<llvm::PHINode>(at[d])->addIncoming(next[d], loop);
  }
  builder.SetInsertPoint(after);
}

} // namespace zeroth::codegen
