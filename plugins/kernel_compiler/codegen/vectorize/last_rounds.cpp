#include "last_rounds.hpp"

#include "../dialect_calls.hpp"
#include "full_slices.hpp"
#include "guarded_loop.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace zeroth::codegen {

namespace {

using namespace llvm::PatternMatch;

// A number that each work-item has of the loop: what it is at first, in this round and in the next one.
struct Induction {
  llvm::PHINode* phi;
  llvm::Value *first, *next;
  unsigned bits; // that anybody sees of it, counted from the lowest
};

struct StrideLoop {
  GuardedLoop loop;
  llvm::SmallVector<Induction> inductions;
  llvm::Value* groups; // of the launch along x
  llvm::BasicBlock* end;
};

// How many of the low bits of `number` are all that is left of it; 0: more, or not of it.
unsigned low_bits(const llvm::Value* value, const llvm::Value* number) {
  const llvm::APInt* mask = nullptr;
  if (match(value, m_And(m_Specific(number), m_APInt(mask))) && mask->isMask()) return mask->popcount();
  return match(value, m_Trunc(m_Specific(number))) ? value->getType()->getScalarSizeInBits() : 0;
}

// What `value` has its low `bits` from.
const llvm::Value* origin(const llvm::Value* value, unsigned bits) {
  const llvm::Value* inner = nullptr;
  const llvm::APInt* mask = nullptr;
  while (match(value, m_CombineOr(m_Trunc(m_Value(inner)), m_ZExtOrSExt(m_Value(inner)))) ||
         (match(value, m_And(m_Value(inner), m_APInt(mask))) && mask->countr_one() >= bits)) {
    if (inner->getType()->getScalarSizeInBits() < bits) break;
    value = inner;
  }
  return value;
}

bool is_same_number(const llvm::Value* a, const llvm::Value* b, unsigned bits) {
  return origin(a, bits) == origin(b, bits);
}

class Finder {
public:
  Finder(llvm::Function& body, const FunctionLayout& layout, const Divergence& divergence, uint32_t size)
      : body_(body), layout_(layout), divergence_(divergence), size_(size) {}

  std::optional<StrideLoop> find() {
    const auto loops = layout_.loops().getLoopsInPreorder();
    if (loops.size() != 1) return std::nullopt;
    auto loop = find_guarded_loop(*loops[0], divergence_);
    llvm::BasicBlock* end = find_end();
    if (!loop || !end) return std::nullopt;
    in_loop_.insert(loops[0]->block_begin(), loops[0]->block_end());
    StrideLoop found{std::move(*loop), {}, nullptr, end};
    if (!all_is_done_in(found) || !find_inductions(found) || !asks_the_same(found) || !knows_group_by_numbers(found))
      return std::nullopt;
    return found;
  }

private:
  llvm::BasicBlock* find_end() {
    for (llvm::BasicBlock& block : body_)
      if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) return block.size() == 1 ? &block : nullptr;
    return nullptr;
  }

  static bool leads_to(const llvm::BasicBlock* block, const llvm::BasicBlock* end) {
    for (unsigned depth = 0; block && depth < 4; ++depth, block = block->getSingleSuccessor()) {
      if (block == end) return true;
      if (block->size() != 1) return false;
    }
    return false;
  }

  // What comes before may be done again, and does not depend on what the loop writes; nothing comes behind.
  bool all_is_done_in(const StrideLoop& found) {
    const GuardedLoop& loop = found.loop;
    const unsigned other = loop.guard->getSuccessor(0) == loop.preheader ? 1 : 0;
    if (!leads_to(loop.exit, found.end) || !leads_to(loop.guard->getSuccessor(other), found.end)) return false;
    for (const llvm::BasicBlock& block : body_) {
      const bool is_inside = in_loop_.contains(&block);
      if (!is_inside && llvm::succ_size(&block) > 1 && &block != loop.guard->getParent()) return false;
      for (const llvm::Instruction& i : block)
        if (is_inside ? is_used_outside(i) : !may_run_twice(i)) return false;
    }
    return true;
  }

  static bool may_run_twice(const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    const bool reads = i.mayReadFromMemory() && !i.hasMetadata(llvm::LLVMContext::MD_invariant_load);
    return !i.mayHaveSideEffects() && !reads && !llvm::isa<llvm::AllocaInst>(i) && !(call && call->isConvergent());
  }

  bool is_used_outside(const llvm::Instruction& i) const {
    return llvm::any_of(i.users(), [&](const llvm::User* user) {
      return !in_loop_.contains(llvm::cast<llvm::Instruction>(user)->getParent());
    });
  }

  // Where the low part of `value` is that of a query, along x, times the group's size: the query's call.
  llvm::Value* times_group_size(const llvm::Value* value, std::string_view query, unsigned bits) const {
    value = origin(value, bits);
    if (size_ == 1) return of_x(value, query, bits);
    const llvm::Value *a = nullptr, *b = nullptr;
    uint64_t factor = 0;
    if (size_ && llvm::isPowerOf2_32(size_) && match(value, m_Shl(m_Value(a), m_ConstantInt(factor))))
      return factor == llvm::Log2_32(size_) ? of_x(a, query, bits) : nullptr;
    if (size_ && match(value, m_Mul(m_Value(a), m_ConstantInt(factor))))
      return factor == size_ ? of_x(a, query, bits) : nullptr;
    if (!match(value, m_Mul(m_Value(a), m_Value(b)))) return nullptr;
    if (of_x(a, dialect::EnqueuedLocalSize, bits)) std::swap(a, b);
    return of_x(b, dialect::EnqueuedLocalSize, bits) ? of_x(a, query, bits) : nullptr;
  }

  static llvm::Value* of_x(const llvm::Value* value, std::string_view query, unsigned bits) {
    const llvm::Value* call = origin(value, bits);
    if (!is_dialect_call(call, query) || !match(llvm::cast<llvm::CallBase>(call)->getArgOperand(0), m_Zero()))
      return nullptr;
    return const_cast<llvm::Value*>(call);
  }

  // Is the low part of `first` group * size and what is the same in all groups?
  bool begins_with_group(const llvm::Value* first, unsigned bits, unsigned depth = 0) const {
    const llvm::Value *a = nullptr, *b = nullptr;
    if (times_group_size(first, dialect::GroupId, bits)) return true;
    if (depth > 6 || !match(origin(first, bits), m_Add(m_Value(a), m_Value(b)))) return false;
    return (is_same_in_groups(a) && begins_with_group(b, bits, depth + 1)) ||
           (is_same_in_groups(b) && begins_with_group(a, bits, depth + 1));
  }

  bool is_same_in_groups(const llvm::Value* value, unsigned depth = 0) const {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i) return true;
    if (depth > 6 || llvm::isa<llvm::PHINode>(i) || in_loop_.contains(i->getParent())) return false;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(i))
      return !dialect_name(call).empty() && dialect_name(call) != dialect::GroupId;
    return llvm::all_of(i->operands(), [&](const llvm::Use& use) { return is_same_in_groups(use.get(), depth + 1); });
  }

  bool find_inductions(StrideLoop& found) {
    for (llvm::PHINode& phi : found.loop.header->phis()) {
      Induction one{&phi, phi.getIncomingValueForBlock(found.loop.preheader),
                    phi.getIncomingValueForBlock(found.loop.latch), 0};
      llvm::Value *from = nullptr, *step = nullptr;
      if (!phi.getType()->isIntegerTy() || !match(one.next, m_Add(m_Value(from), m_Value(step)))) return false;
      one.bits = seen_bits(one, from, step);
      if (!is_same_number(from, &phi, one.bits)) std::swap(from, step);
      if (!is_same_number(from, &phi, one.bits)) return false;
      found.groups = times_group_size(step, dialect::NumGroups, one.bits);
      if (!found.groups || !begins_with_group(one.first, one.bits)) return false;
      found.inductions.push_back(one);
    }
    return !found.inductions.empty();
  }

  // All bits, or the most that others than the number's next value see.
  static unsigned seen_bits(const Induction& one, const llvm::Value* a, const llvm::Value* b) {
    const unsigned all = one.phi->getType()->getIntegerBitWidth();
    unsigned most = 1;
    for (const llvm::Value* number :
         {static_cast<const llvm::Value*>(one.phi), static_cast<const llvm::Value*>(one.next)})
      for (const llvm::User* user : number->users()) {
        if (user == one.phi || (user == one.next && (a == number || b == number))) continue;
        const unsigned seen = low_bits(user, number);
        most = std::max(most, seen ? seen : all);
      }
    return most;
  }

  // Does a work-item begin for the reason for which it goes on?
  bool asks_the_same(const StrideLoop& found) const {
    const GuardedLoop& loop = found.loop;
    const bool first_begins = loop.guard->getSuccessor(0) == loop.preheader,
               first_goes_on = loop.check->getSuccessor(0) == loop.latch;
    return first_begins == first_goes_on && is_same(loop.guard->getCondition(), loop.check->getCondition(), found);
  }

  bool is_same(const llvm::Value* begins, const llvm::Value* goes_on, const StrideLoop& found,
               unsigned depth = 0) const {
    const auto* a = llvm::dyn_cast<llvm::Instruction>(begins);
    const auto* b = llvm::dyn_cast<llvm::Instruction>(goes_on);
    if (begins == goes_on && is_same_in_groups(begins)) return true;
    if (depth > 4 || begins->getType() != goes_on->getType()) return false;
    for (const Induction& one : found.inductions)
      if (is_low_part(begins, one.first, one.bits) && is_low_part(goes_on, one.next, one.bits)) return true;
    if (!a || !b || !llvm::isa<llvm::ICmpInst, llvm::CastInst, llvm::BinaryOperator>(a) || !a->isSameOperationAs(b) ||
        a->isIntDivRem())
      return false;
    for (unsigned i = 0; i < a->getNumOperands(); ++i)
      if (!is_same(a->getOperand(i), b->getOperand(i), found, depth + 1)) return false;
    return true;
  }

  // Just the seen bits of the number: all of it where all are seen.
  static bool is_low_part(const llvm::Value* value, const llvm::Value* number, unsigned bits) {
    return value->getType()->getScalarSizeInBits() == bits && is_same_number(value, number, bits);
  }

  // Nobody else may see which group it is.
  bool knows_group_by_numbers(const StrideLoop& found) const {
    llvm::SmallPtrSet<const llvm::Value*, 16> of_group;
    llvm::SmallVector<const llvm::Value*> left;
    for (const llvm::Instruction& i : llvm::instructions(body_))
      if (is_dialect_call(&i, dialect::GroupId)) left.push_back(&i);
    while (!left.empty()) {
      const llvm::Value* value = left.pop_back_val();
      if (!of_group.insert(value).second) continue;
      const auto* i = llvm::cast<llvm::Instruction>(value);
      if (in_loop_.contains(i->getParent()) || llvm::isa<llvm::CallBase>(i) != is_dialect_call(i, dialect::GroupId))
        return false;
      for (const llvm::User* user : value->users()) {
        if (user == found.loop.guard) continue;
        if (llvm::any_of(found.inductions, [&](const Induction& one) { return user == one.phi && value == one.first; }))
          continue;
        left.push_back(user);
      }
    }
    return true;
  }

  llvm::Function& body_;
  const FunctionLayout& layout_;
  const Divergence& divergence_;
  uint32_t size_; // of groups along x; 0: any
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> in_loop_;
};

class Leaver {
public:
  explicit Leaver(const StrideLoop& found)
      : loop_(found.loop), end_(found.end), function_(*end_->getParent()), builder_(end_->getContext()) {
    rest_ = block("last.rounds");
    builder_.SetInsertPoint(rest_);
    further_ = builder_.CreatePHI(builder_.getInt64Ty(), 2, "groups.further");
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getInt64Ty()}, false);
    builder_.CreateCall(function_.getParent()->getOrInsertFunction(llvm::StringRef(slice_query::Further), type),
                        further_);
    builder_.CreateBr(end_);
  }

  void leave(llvm::Value* groups) {
    builder_.SetInsertPoint(loop_.header, loop_.header->begin());
    llvm::PHINode* gone = builder_.CreatePHI(builder_.getInt64Ty(), 2, "groups.gone");
    builder_.SetInsertPoint(loop_.check);
    llvm::Value* next = builder_.CreateAdd(gone, groups);
    gone->addIncoming(builder_.getInt64(0), loop_.preheader);
    gone->addIncoming(next, loop_.latch);
    ask_before();
    ask_each_round(next);
    llvm::removeUnreachableBlocks(function_);
  }

private:
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(function_.getContext(), name, &function_, end_);
  }

  llvm::Value* all(llvm::Value* condition) {
    auto* type = llvm::FunctionType::get(builder_.getInt1Ty(), {builder_.getInt1Ty()}, false);
    return builder_.CreateCall(declare_query(*function_.getParent(), slice_query::All, type), condition);
  }

  // Of the branch: does it lead to `wanted`?
  llvm::Value* goes_to(const llvm::BranchInst& branch, const llvm::BasicBlock* wanted) {
    llvm::Value* condition = branch.getCondition();
    return branch.getSuccessor(0) == wanted ? condition : builder_.CreateNot(condition);
  }

  void ask_before() {
    builder_.SetInsertPoint(loop_.guard);
    builder_.CreateCondBr(all(goes_to(*loop_.guard, loop_.preheader)), loop_.preheader, rest_);
    further_->addIncoming(builder_.getInt64(0), loop_.guard->getParent());
    loop_.guard->eraseFromParent();
  }

  void ask_each_round(llvm::Value* gone) {
    llvm::BasicBlock* not_all = block("not.all");
    builder_.SetInsertPoint(not_all);
    llvm::PHINode* groups = builder_.CreatePHI(builder_.getInt64Ty(), 1);
    groups->addIncoming(gone, loop_.check->getParent());
    llvm::Value* none = all(builder_.CreateNot(goes_to(*loop_.check, loop_.latch)));
    builder_.CreateCondBr(none, end_, rest_);
    further_->addIncoming(groups, not_all);
    builder_.SetInsertPoint(loop_.check);
    builder_.CreateCondBr(all(goes_to(*loop_.check, loop_.latch)), loop_.latch, not_all);
    loop_.check->eraseFromParent();
  }

  const GuardedLoop& loop_;
  llvm::BasicBlock *end_, *rest_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  llvm::PHINode* further_;
};

} // namespace

bool leave_last_rounds(llvm::Function& body, const Shape& shape) {
  std::optional<StrideLoop> found;
  {
    FunctionLayout layout(body);
    if (layout.loops().empty()) return false;
    const Divergence divergence(layout, shape);
    found = Finder(body, layout, divergence, shape.known_size[0]).find();
  }
  if (found) Leaver(*found).leave(found->groups);
  return found.has_value();
}

} // namespace zeroth::codegen
