#include "widen_instruction.hpp"

#include "../../llvm_versions.hpp"
#include "../dialect_calls.hpp"
#include "../remarks.hpp"

#include <cstdlib>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

namespace zeroth::codegen {

namespace {

// A copy of `instruction` whose operands are what `operand` says.
llvm::Instruction* copy_with(WideState& state, const llvm::Instruction& instruction,
                             const std::function<llvm::Value*(const llvm::Value*)>& operand) {
  llvm::Instruction* copy = instruction.clone();
  unsigned operands =
      llvm::isa<llvm::CallBase>(copy) ? llvm::cast<llvm::CallBase>(copy)->arg_size() : copy->getNumOperands();
  for (unsigned i = 0; i < operands; ++i) copy->setOperand(i, operand(instruction.getOperand(i)));
  copy->dropUnknownNonDebugMetadata({llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_invariant_load,
                                     llvm::LLVMContext::MD_dereferenceable, llvm::LLVMContext::MD_fpmath});
  state.builder.Insert(copy);
  return copy;
}

void widen_elementwise(WideState& state, const llvm::Instruction& i,
                       const std::function<llvm::Value*(unsigned part, unsigned component)>& make) {
  Values result;
  for (unsigned part = 0; part < state.parts(); ++part)
    for (unsigned c = 0; c < WideState::components(i.getType()); ++c) {
      llvm::Value* value = make(part, c);
      if (auto* made = llvm::dyn_cast<llvm::Instruction>(value); made && made->getOpcode() == i.getOpcode())
        made->copyIRFlags(&i);
      result.push_back(value);
    }
  state.set_vectors(&i, std::move(result));
}

bool divides_integers(unsigned opcode) {
  return opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::URem ||
         opcode == llvm::Instruction::SRem;
}

void widen_binary(WideState& state, const llvm::BinaryOperator& i) {
  widen_elementwise(state, i, [&](unsigned part, unsigned c) {
    llvm::Value* right = state.vector(i.getOperand(1), part, c);
    if (divides_integers(i.getOpcode()) && !state.is_full()) { // inactive work-items must not trap
      llvm::Value* one = llvm::ConstantInt::get(right->getType(), 1);
      right = state.builder.CreateSelect(state.mask[part], state.builder.CreateFreeze(right), one);
    }
    return state.builder.CreateBinOp(i.getOpcode(), state.vector(i.getOperand(0), part, c), right);
  });
}

void widen_select(WideState& state, const llvm::SelectInst& i) {
  const llvm::Value* condition = i.getCondition();
  bool per_component = condition->getType()->isVectorTy();
  widen_elementwise(state, i, [&](unsigned part, unsigned c) {
    llvm::Value* chooser = state.divergence.shape(condition).same_in_part() && !per_component
                               ? state.base(condition, part)
                               : state.vector(condition, part, per_component ? c : 0);
    return state.builder.CreateSelect(chooser, state.vector(i.getTrueValue(), part, c),
                                      state.vector(i.getFalseValue(), part, c));
  });
}

// The addresses of all lanes: one GEP on vectors where an operand varies, scalars as they are.
void widen_address(WideState& state, const llvm::GetElementPtrInst& i) {
  if (i.getType()->isVectorTy()) throw NotVectorizable("vectors of pointers");
  auto* type = state.vector_type(i.getType());
  widen_elementwise(state, i, [&](unsigned part, unsigned) -> llvm::Value* {
    auto operand = [&](const llvm::Value* value) {
      return state.divergence.shape(value).same_in_part() ? state.base(value, part) : state.vector(value, part);
    };
    llvm::Value* base = operand(i.getPointerOperand());
    llvm::SmallVector<llvm::Value*> indices;
    for (const llvm::Use& index : i.indices()) indices.push_back(operand(index.get()));
    llvm::Value* address = state.builder.CreateGEP(i.getSourceElementType(), base, indices);
    return address->getType() == type ? address : state.splat(address);
  });
}

void widen_cast(WideState& state, const llvm::CastInst& i) {
  if (WideState::components(i.getSrcTy()) != WideState::components(i.getDestTy())) return widen_bits(state, i);
  widen_elementwise(state, i, [&](unsigned part, unsigned c) -> llvm::Value* {
    return state.builder.CreateCast(i.getOpcode(), state.vector(i.getOperand(0), part, c),
                                    state.vector_type(WideState::component_type(i.getDestTy(), c)));
  });
}

// OpenCL vectors: component bookkeeping.
void widen_shuffle(WideState& state, const llvm::ShuffleVectorInst& i) {
  unsigned size = WideState::components(i.getOperand(0)->getType());
  widen_elementwise(state, i, [&](unsigned part, unsigned c) -> llvm::Value* {
    int source = i.getMaskValue(c);
    if (source < 0) return llvm::PoisonValue::get(state.vector_type(i.getType()->getScalarType()));
    return unsigned(source) < size ? state.vector(i.getOperand(0), part, unsigned(source))
                                   : state.vector(i.getOperand(1), part, unsigned(source) - size);
  });
}

void widen_insert(WideState& state, const llvm::Instruction& i, const llvm::Value* whole, const llvm::Value* element,
                  const llvm::Value* index) {
  widen_elementwise(state, i, [&](unsigned part, unsigned c) -> llvm::Value* {
    llvm::Value* old = state.vector(whole, part, c);
    llvm::Value* wide = state.vector(element, part);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index))
      return constant->getLimitedValue() == c ? wide : old;
    llvm::Value* here =
        state.builder.CreateICmpEQ(state.vector(index, part), state.splat(llvm::ConstantInt::get(index->getType(), c)));
    return state.builder.CreateSelect(here, wide, old);
  });
}

void widen_extract(WideState& state, const llvm::ExtractElementInst& i) {
  const llvm::Value* index = i.getIndexOperand();
  widen_elementwise(state, i, [&](unsigned part, unsigned) -> llvm::Value* {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index))
      return state.vector(i.getVectorOperand(), part,
                          unsigned(constant->getLimitedValue(WideState::components(i.getVectorOperandType()) - 1)));
    llvm::Value* result = state.vector(i.getVectorOperand(), part, 0);
    for (unsigned c = 1; c < WideState::components(i.getVectorOperandType()); ++c) {
      llvm::Value* here = state.builder.CreateICmpEQ(state.vector(index, part),
                                                     state.splat(llvm::ConstantInt::get(index->getType(), c)));
      result = state.builder.CreateSelect(here, state.vector(i.getVectorOperand(), part, c), result);
    }
    return result;
  });
}

void widen_field(WideState& state, const llvm::Instruction& i) {
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&i)) {
    if (extract->getNumIndices() != 1) throw NotVectorizable("a nested struct as a value");
    widen_elementwise(state, i, [&](unsigned part, unsigned) {
      return state.vector(extract->getAggregateOperand(), part, extract->getIndices()[0]);
    });
    return;
  }
  const auto& insert = llvm::cast<llvm::InsertValueInst>(i);
  if (insert.getNumIndices() != 1) throw NotVectorizable("a nested struct as a value");
  auto* index = llvm::ConstantInt::get(llvm::Type::getInt32Ty(i.getContext()), insert.getIndices()[0]);
  widen_insert(state, i, insert.getAggregateOperand(), insert.getInsertedValueOperand(), index);
}

void widen_varying(WideState& state, const llvm::Instruction& i) {
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return widen_binary(state, *binary);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) return widen_cast(state, *cast);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) return widen_select(state, *select);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) return widen_address(state, *address);
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i)) return widen_shuffle(state, *shuffle);
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&i)) return widen_extract(state, *extract);
  if (llvm::isa<llvm::InsertElementInst>(i))
    return widen_insert(state, i, i.getOperand(0), i.getOperand(1), i.getOperand(2));
  if (llvm::isa<llvm::ExtractValueInst, llvm::InsertValueInst>(i)) return widen_field(state, i);
  auto operand = [&](unsigned n, unsigned part, unsigned c) { return state.vector(i.getOperand(n), part, c); };
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&i))
    return widen_elementwise(state, i, [&](unsigned p, unsigned c) {
      return state.builder.CreateCmp(compare->getPredicate(), operand(0, p, c), operand(1, p, c));
    });
  if (i.getOpcode() == llvm::Instruction::FNeg)
    return widen_elementwise(state, i, [&](unsigned p, unsigned c) {
      return state.builder.CreateUnOp(llvm::Instruction::FNeg, operand(0, p, c));
    });
  if (i.getOpcode() == llvm::Instruction::Freeze)
    return widen_elementwise(state, i,
                             [&](unsigned p, unsigned c) { return state.builder.CreateFreeze(operand(0, p, c)); });
  throw NotVectorizable(std::string("instruction ") + i.getOpcodeName());
}

} // namespace

void copy_once(WideState& state, const llvm::Instruction& i) {
  state.set_scalar(&i, copy_with(state, i, [&](const llvm::Value* value) { return state.scalar(value); }));
}

void copy_per_part(WideState& state, const llvm::Instruction& i) {
  Values bases;
  for (unsigned part = 0; part < state.parts(); ++part) {
    const bool may_trap = divides_integers(i.getOpcode()) && !state.is_full(); // a part without active work-items
    llvm::Instruction* copy = copy_with(state, i, [&](const llvm::Value* value) {
      llvm::Value* base = state.base(value, part);
      if (!may_trap || value != i.getOperand(1)) return base;
      return state.builder.CreateSelect(state.any(state.mask[part]), state.builder.CreateFreeze(base),
                                        llvm::ConstantInt::get(base->getType(), 1));
    });
    if (state.divergence.shape(&i).stride) copy->dropPoisonGeneratingFlags(); // see expose_runs
    bases.push_back(copy);
  }
  state.set_bases(&i, std::move(bases));
}

void copy_per_lane(WideState& state, const llvm::Instruction& i, const LaneOperand& operand) {
  ++state.report.scalarised;
  remark_scalarised(state.report, i);
  llvm::SmallVector<llvm::Type*> types;
  llvm::Type* type = i.getType();
  bool composite = type->isVectorTy() || type->isStructTy();
  for (unsigned c = 0; !type->isVoidTy() && c < WideState::components(type); ++c)
    types.push_back(WideState::component_type(type, c));
  Values all;
  for (unsigned part = 0; part < state.parts(); ++part)
    all.append(state.for_each_lane(
        part, types,
        [&](llvm::Value* lane) {
          llvm::Instruction* copy = copy_with(state, i, [&](const llvm::Value* value) {
            return operand ? operand(value, part, lane) : state.lane(value, part, lane);
          });
          Values results;
          for (unsigned c = 0; c < types.size(); ++c)
            results.push_back(!composite           ? copy
                              : type->isVectorTy() ? state.builder.CreateExtractElement(copy, uint64_t(c))
                                                   : state.builder.CreateExtractValue(copy, c));
          return results;
        },
        !llvm::isa<llvm::CallBase>(i)));
  if (!type->isVoidTy()) state.set_vectors(&i, std::move(all));
}

namespace {

// Does "extended first + stride * lane" hold for so many lanes, i.e. does the narrow index not wrap around?
llvm::Value* extension_holds(WideState& state, const llvm::CastInst& cast, llvm::Value* narrow, unsigned lanes) {
  ValueShape form = state.divergence.shape(cast.getOperand(0));
  int64_t stride = form.is_varying() ? *state.divergence.hope(cast.getOperand(0)) : form.stride;
  int64_t reach = stride * int64_t(lanes - 1);
  if (!llvm::isUIntN(narrow->getType()->getScalarSizeInBits() - 1, uint64_t(std::abs(reach))))
    return state.builder.getFalse();
  bool is_signed = cast.getOpcode() == llvm::Instruction::SExt;
  llvm::Constant* distance = llvm_version::signed_constant(narrow->getType(), reach < 0 ? -reach : reach);
  llvm::Intrinsic::ID id =
      reach < 0 ? (is_signed ? llvm::Intrinsic::ssub_with_overflow : llvm::Intrinsic::usub_with_overflow)
                : (is_signed ? llvm::Intrinsic::sadd_with_overflow : llvm::Intrinsic::uadd_with_overflow);
  return state.builder.CreateNot(
      state.builder.CreateExtractValue(state.builder.CreateBinaryIntrinsic(id, narrow, distance), 1));
}

// The first lane's value of what hopes to be one of its operands, or of bits of an index.
llvm::Value* hoped_base(WideState& state, const llvm::Instruction& i, unsigned part) {
  if (const llvm::Value* arm = state.divergence.hoped_arm(i)) return state.hopeful(arm, part).base;
  return state.builder.CreateAnd(state.hopeful(i.getOperand(0), part).base, state.hopeful(i.getOperand(1), part).base);
}

// Hopes that no rule of arithmetic can tell: the active lanes are compared with what was hoped.
void hope_by_comparison(WideState& state, const llvm::Instruction& i) {
  llvm::SmallVector<WideState::Hope, 4> hopes;
  for (unsigned part = 0; part < state.parts(); ++part) {
    llvm::Value* base = hoped_base(state, i, part);
    llvm::Value* expected = state.spread(base, *state.divergence.hope(&i));
    llvm::Value* differs = state.builder.CreateICmpNE(state.vector(&i, part), expected);
    if (!state.is_full()) differs = state.builder.CreateAnd(differs, state.mask[part]);
    hopes.push_back({base, state.builder.CreateNot(state.any(differs))});
  }
  state.set_hopes(&i, std::move(hopes));
}

// An index that runs through the parts: one question for the whole slice, and one address for all of its parts.
void hope_for_slice(WideState& state, const llvm::CastInst& cast) {
  llvm::SmallVector<WideState::Hope, 4> hopes;
  const llvm::Value* operand = cast.getOperand(0);
  llvm::Value* narrow = state.base(operand, 0);
  llvm::Value* first = state.builder.CreateCast(cast.getOpcode(), narrow, cast.getType());
  llvm::Value* holds = extension_holds(state, cast, narrow, state.shape.width());
  for (unsigned part = 0; part < state.parts(); ++part) {
    const int64_t distance = state.divergence.shape(operand).stride * int64_t(state.lanes()) * part;
    llvm::Value* base = state.builder.CreateAdd(first, llvm_version::signed_constant(cast.getType(), distance));
    hopes.push_back({base, holds});
  }
  state.set_hopes(&cast, std::move(hopes));
}

void hope_for(WideState& state, const llvm::Instruction& i) {
  if (i.getOpcode() == llvm::Instruction::And || state.divergence.hoped_arm(i)) return hope_by_comparison(state, i);
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i);
  const bool extends = cast && cast->isIntegerCast();
  if (extends && state.parts() > 1 && state.divergence.runs_through_parts(i.getOperand(0)))
    return hope_for_slice(state, *cast);
  llvm::SmallVector<WideState::Hope, 4> hopes;
  for (unsigned part = 0; part < state.parts(); ++part) {
    WideState::Hope hope{nullptr, state.builder.getTrue()};
    llvm::Instruction* copy = copy_with(state, i, [&](const llvm::Value* operand) {
      WideState::Hope of_operand = state.hopeful(operand, part);
      hope.holds = state.builder.CreateAnd(hope.holds, of_operand.holds);
      return of_operand.base;
    });
    copy->dropPoisonGeneratingFlags();
    hope.base = copy;
    if (extends)
      hope.holds =
          state.builder.CreateAnd(hope.holds, extension_holds(state, *cast, copy->getOperand(0), state.lanes()));
    hopes.push_back(hope);
  }
  state.set_hopes(&i, std::move(hopes));
}

} // namespace

void widen_instruction(WideState& state, const llvm::Instruction& i) {
  state.builder.SetCurrentDebugLocation(i.getDebugLoc());
  ValueShape shape = state.divergence.shape(&i);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return widen_load(state, *load);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) return widen_store(state, *store);
  if (const auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&i)) return widen_alloca(state, *memory);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) {
    widen_call(state, *call);
    if (state.divergence.hope(&i)) hope_for(state, i);
    return;
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(i)) return widen_atomic(state, i);
  if (llvm::isa<llvm::FenceInst>(i)) return copy_once(state, i);
  if (shape.kind == ValueShape::Unknown) return; // only undefined values lead here: its users see poison
  if (shape.is_uniform()) return copy_once(state, i);
  if (shape.is_strided()) return copy_per_part(state, i);
  widen_varying(state, i);
  if (state.divergence.hope(&i)) hope_for(state, i);
}

bool needs_active_lane(const llvm::Instruction& i, const Divergence& divergence) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
    return divergence.shape(load->getPointerOperand()).is_uniform() || load->isAtomic();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
    return divergence.shape(store->getPointerOperand()).same_in_part() || store->isAtomic();
  if (divides_integers(i.getOpcode())) return true;
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&i))
    return branch->isConditional() && divergence.shape(branch->getCondition()).is_uniform();
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
    return !call->doesNotAccessMemory() || (call->getIntrinsicID() == llvm::Intrinsic::not_intrinsic &&
                                            !dialect_name(call).starts_with(dialect::ByteFraction));
  return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(i);
}

} // namespace zeroth::codegen
