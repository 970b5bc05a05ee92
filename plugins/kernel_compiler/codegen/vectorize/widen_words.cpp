// zeroth.load_words and zeroth.store_words (dialect.hpp): texels of images.
#include "widen_instruction.hpp"

#include "../dialect_calls.hpp"

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>

namespace zeroth::codegen {

namespace {

class WordWidener {
public:
  WordWidener(WideState& state, const llvm::CallBase& call)
      : state_(state), builder_(state.builder), call_(call), base_(call.getArgOperand(0)),
        index_(call.getArgOperand(1)), stores_(call.getType()->isVoidTy()),
        value_type_(stores_ ? call.getArgOperand(2)->getType() : call.getType()),
        words_(WideState::components(value_type_)), type_(state.vector_type(builder_.getInt32Ty())) {}

  void widen() {
    ValueShape index = state_.divergence.shape(index_);
    bool one_image = state_.divergence.shape(base_).is_uniform();
    bool certain = index.is_strided() && index.stride == words_;
    if (!one_image || (index.is_strided() && !certain) || index.is_uniform()) return finish(scattered());
    split_index();
    llvm::Value* in_line = find_lines(certain);
    finish(certain ? in_lines() : choose(in_line));
  }

private:
  void finish(Values values) {
    if (!stores_) state_.set_vectors(&call_, std::move(values));
  }

  // "start + column" with the same start for all: only the columns are asked about, which many accesses share; of
  // "start + column * words" those of one word, too.
  void split_index() {
    using namespace llvm::PatternMatch;
    llvm::Value *a = nullptr, *b = nullptr, *column = nullptr;
    if (match(index_, m_Add(m_Value(a), m_Value(b)))) {
      if (state_.divergence.shape(a).is_uniform())
        start_ = a, running_ = b;
      else if (state_.divergence.shape(b).is_uniform())
        start_ = b, running_ = a;
    }
    if (words_ == 4 && match(running_, m_Shl(m_Value(column), m_SpecificInt(2)))) running_ = column, step_ = 1;
  }

  // The index that each part's first work-item has or would have; whether all the others follow it word by word.
  llvm::Value* find_lines(bool certain) {
    llvm::Value* differs = nullptr;
    for (unsigned part = 0; part < state_.parts(); ++part) {
      if (certain) {
        first_.push_back(state_.base(index_, part));
        continue;
      }
      llvm::Value* indices = state_.vector(running_, part);
      llvm::Value* first = first_index(indices, part);
      llvm::Value* other = builder_.CreateICmpNE(indices, state_.spread(first, step_));
      if (step_ != words_) first = builder_.CreateMul(first, builder_.getInt32(words_));
      first_.push_back(start_ ? builder_.CreateAdd(state_.scalar(start_), first) : first);
      if (!state_.is_full()) other = builder_.CreateAnd(other, state_.mask[part]);
      differs = differs ? builder_.CreateOr(differs, other) : other;
    }
    return differs ? builder_.CreateNot(state_.any(differs)) : builder_.getTrue();
  }

  llvm::Value* first_index(llvm::Value* indices, unsigned part) {
    if (state_.is_led_by_first()) return builder_.CreateExtractElement(indices, uint64_t(0));
    llvm::Type* bits = builder_.getIntNTy(state_.lanes());
    llvm::Value* lane = builder_.CreateZExtOrTrunc(
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, builder_.CreateBitCast(state_.mask[part], bits),
                                       builder_.getFalse()),
        builder_.getInt32Ty());
    llvm::Value* last = builder_.getInt32(state_.lanes() - 1);
    lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, lane, last); // none active: any lane
    return builder_.CreateSub(builder_.CreateExtractElement(indices, lane),
                              builder_.CreateMul(lane, builder_.getInt32(step_)));
  }

  // Both ways, chosen at run time.
  Values choose(llvm::Value* in_line) {
    ++state_.report.contiguous;
    auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(state_.target.getContext(), name, &state_.target);
    };
    llvm::BasicBlock *line = block("words.line"), *scatter = block("words.scattered"), *after = block("words");
    builder_.CreateCondBr(builder_.CreateFreeze(in_line), line, scatter,
                          llvm::MDBuilder(state_.target.getContext()).createLikelyBranchWeights());
    builder_.SetInsertPoint(line);
    Values a = in_lines();
    builder_.CreateBr(after);
    line = builder_.GetInsertBlock();
    builder_.SetInsertPoint(scatter);
    Values b = scattered();
    builder_.CreateBr(after);
    scatter = builder_.GetInsertBlock();
    builder_.SetInsertPoint(after);
    for (size_t i = 0; i < a.size(); ++i) {
      llvm::PHINode* phi = builder_.CreatePHI(a[i]->getType(), 2);
      phi->addIncoming(a[i], line);
      phi->addIncoming(b[i], scatter);
      a[i] = phi;
    }
    return a;
  }

  // Where every slot of a part's line belongs to: work-item slot / words, word slot % words.
  llvm::Value* line_mask(unsigned part) {
    llvm::SmallVector<int> repeat;
    for (unsigned i = 0; i < state_.lanes() * words_; ++i) repeat.push_back(int(i / words_));
    return builder_.CreateShuffleVector(state_.part_mask(part), repeat);
  }

  llvm::Value* line_address(unsigned part) {
    llvm::Value* first = builder_.CreateSExt(first_[part], builder_.getInt64Ty());
    return builder_.CreateGEP(builder_.getInt32Ty(), state_.scalar(base_), first);
  }

  Values in_lines() {
    Values result;
    for (unsigned part = 0; part < state_.parts(); ++part)
      if (stores_)
        store_line(part);
      else
        load_line(part, result);
    return result;
  }

  void load_line(unsigned part, Values& out) {
    auto* type = llvm::FixedVectorType::get(builder_.getInt32Ty(), state_.lanes() * words_);
    llvm::Value* line =
        state_.is_full()
            ? static_cast<llvm::Value*>(builder_.CreateAlignedLoad(type, line_address(part), Align))
            : builder_.CreateMaskedLoad(type, line_address(part), Align, line_mask(part), llvm::PoisonValue::get(type));
    for (unsigned word = 0; word < words_; ++word) {
      llvm::SmallVector<int> pick;
      for (unsigned lane = 0; lane < state_.lanes(); ++lane) pick.push_back(int(lane * words_ + word));
      out.push_back(words_ == 1 ? line : builder_.CreateShuffleVector(line, pick));
    }
  }

  void store_line(unsigned part) {
    llvm::Value* line = state_.vector(call_.getArgOperand(2), part, 0);
    if (words_ == 4) {
      auto both = [&](llvm::Value* a, llvm::Value* b, unsigned length) {
        llvm::SmallVector<int> all;
        for (unsigned i = 0; i < 2 * length; ++i) all.push_back(int(i));
        return builder_.CreateShuffleVector(a, b, all);
      };
      auto word = [&](unsigned w) { return state_.vector(call_.getArgOperand(2), part, w); };
      line = both(both(word(0), word(1), state_.lanes()), both(word(2), word(3), state_.lanes()), 2 * state_.lanes());
      llvm::SmallVector<int> interleave;
      for (unsigned i = 0; i < state_.lanes() * 4; ++i) interleave.push_back(int(i % 4 * state_.lanes() + i / 4));
      line = builder_.CreateShuffleVector(line, interleave);
    }
    if (state_.is_full())
      builder_.CreateAlignedStore(line, line_address(part), Align);
    else
      builder_.CreateMaskedStore(line, line_address(part), Align, line_mask(part));
  }

  // A scalar base and 32-bit indices stay visible: that is the form the machine gathers in.
  llvm::Value* addresses(unsigned part, unsigned word) {
    llvm::Value* base = state_.divergence.shape(base_).is_uniform() ? state_.scalar(base_) : state_.vector(base_, part);
    if (word) base = builder_.CreateGEP(builder_.getInt32Ty(), base, builder_.getInt64(word));
    return builder_.CreateGEP(builder_.getInt32Ty(), base, state_.vector(index_, part));
  }

  Values scattered() {
    ++state_.report.gathers;
    Values result;
    for (unsigned part = 0; part < state_.parts(); ++part)
      for (unsigned word = 0; word < words_; ++word)
        if (stores_)
          builder_.CreateMaskedScatter(state_.vector(call_.getArgOperand(2), part, word), addresses(part, word), Align,
                                       state_.part_mask(part));
        else
          result.push_back(builder_.CreateMaskedGather(type_, addresses(part, word), Align, state_.part_mask(part),
                                                       llvm::PoisonValue::get(type_)));
    return result;
  }

  static constexpr llvm::Align Align = llvm::Align::Constant<4>();
  WideState& state_;
  Builder& builder_;
  const llvm::CallBase& call_;
  const llvm::Value *base_, *index_;
  const llvm::Value *start_ = nullptr, *running_ = index_; // index = start + running
  const bool stores_;
  llvm::Type* value_type_;
  const unsigned words_;
  unsigned step_ = words_; // between two work-items' running_, in a line
  llvm::FixedVectorType* type_;
  Values first_;
};

} // namespace

void widen_words(WideState& state, const llvm::CallBase& call) {
  if (state.divergence.shape(&call).is_uniform()) return copy_once(state, call);
  WordWidener(state, call).widen();
}

} // namespace zeroth::codegen
