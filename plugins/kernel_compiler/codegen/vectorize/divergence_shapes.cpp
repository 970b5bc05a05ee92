// The rules of value shapes, one per kind of instruction.
#include "../dialect_calls.hpp"
#include "divergence.hpp"

#include "full_slices.hpp"
#include "interleave_private.hpp"
#include "wrap_proof.hpp"

#include <bit>

#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace zeroth::codegen {

namespace {

int64_t constant_or(const llvm::Value* value, int64_t otherwise) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant && constant->getBitWidth() <= 64 ? constant->getSExtValue() : otherwise;
}

constexpr int64_t NoConstant = INT64_MAX;

bool is_scalar_integer(const llvm::Value* value) {
  return value->getType()->isIntegerTy() && !value->getType()->isIntegerTy(1);
}

} // namespace

ValueShape Divergence::compute(const llvm::Instruction& instruction) const {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return compute_phi(*phi);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return compute_cast(*cast);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return compute_address(*address);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return compute_call(*call);
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Alloca:
    return compute_private(llvm::cast<llvm::AllocaInst>(instruction));
  case llvm::Instruction::Load: {
    if (llvm::cast<llvm::LoadInst>(instruction).isAtomic()) return ValueShape::varying();
    ValueShape address = shape(instruction.getOperand(0));
    return address.is_strided() && address.stride ? ValueShape::varying() : address;
  }
  case llvm::Instruction::AtomicRMW:
  case llvm::Instruction::AtomicCmpXchg:
    return ValueShape::varying();
  case llvm::Instruction::Freeze:
    return shape(instruction.getOperand(0));
  case llvm::Instruction::Select: {
    ValueShape condition = shape(instruction.getOperand(0));
    ValueShape either = join(shape(instruction.getOperand(1)), shape(instruction.getOperand(2)));
    if (condition.kind == ValueShape::Unknown) return {};
    if (condition.is_varying()) return ValueShape::varying();
    return condition.is_uniform() || !either.is_uniform() ? either : in_part();
  }
  case llvm::Instruction::ICmp:
    return compute_compare(llvm::cast<llvm::ICmpInst>(instruction));
  default:
    return compute_arithmetic(instruction);
  }
}

// A run of lanes that starts at a multiple of its length lies on one side of any multiple of it.
ValueShape Divergence::compute_compare(const llvm::ICmpInst& compare) const {
  ValueShape simple = mixed(compare);
  if (!simple.is_varying()) return simple;
  llvm::CmpInst::Predicate predicate = compare.getPredicate();
  const llvm::Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  if (shape(right).is_strided() && shape(right).stride) {
    std::swap(left, right);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  ValueShape run = shape(left);
  if (!run.is_strided() || run.stride <= 0 || !shape(right).same_in_part() || !is_scalar_integer(left)) return simple;
  bool splits_at_right = predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_UGE ||
                         predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_SGE;
  if (!splits_at_right || !lies_in_one_block(left, run.stride, shape_, llvm::CmpInst::isSigned(predicate)))
    return simple;
  const unsigned length_bits = unsigned(std::bit_width(uint64_t(run.stride) * shape_.lanes) - 1);
  return certain_low_zeros(right, shape_) >= length_bits ? in_part() : simple;
}

// Work-items' copies lie at distances that keep their alignment, or element by element.
ValueShape Divergence::compute_private(const llvm::AllocaInst& memory) const {
  if (const uint64_t element = interleaved_bytes(memory)) return ValueShape::strided(int64_t(element));
  const llvm::DataLayout& layout = layout_.function().getParent()->getDataLayout();
  return ValueShape::strided(
      int64_t(llvm::alignTo(layout.getTypeAllocSize(memory.getAllocatedType()), memory.getAlign())));
}

ValueShape Divergence::compute_phi(const llvm::PHINode& phi) const {
  ValueShape result;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    ValueShape incoming = shape(phi.getIncomingValue(i));
    if (incoming.kind != ValueShape::Unknown && leaves_divergent_loop(phi.getIncomingBlock(i), phi.getParent()))
      return ValueShape::varying();
    result = join(result, incoming);
  }
  if (is_divergent_join(phi.getParent()) && result.kind != ValueShape::Unknown) return ValueShape::varying();
  return result;
}

ValueShape Divergence::compute_arithmetic(const llvm::Instruction& i) const {
  ValueShape simple = mixed(i);
  if (!simple.is_varying() || !is_scalar_integer(&i) || i.getNumOperands() != 2) return simple;
  ValueShape a = shape(i.getOperand(0)), b = shape(i.getOperand(1));
  if (a.is_varying() || b.is_varying()) return ValueShape::varying();
  int64_t constant = constant_or(i.getOperand(1), NoConstant);
  bool is_power = constant != NoConstant && constant > 0 && std::has_single_bit(uint64_t(constant));
  // A run of lanes that starts at a multiple of its length stays within one block of `constant` values.
  auto stays_in_block = [&](uint64_t block) {
    return block >= uint64_t(a.stride) * shape_.lanes && lies_in_one_block(i.getOperand(0), a.stride, shape_, false);
  };
  switch (i.getOpcode()) {
  case llvm::Instruction::Add:
    return ValueShape::strided(a.stride + b.stride);
  case llvm::Instruction::Sub:
    return ValueShape::strided(a.stride - b.stride);
  case llvm::Instruction::Mul:
    return constant == NoConstant ? ValueShape::varying() : ValueShape::strided(a.stride * constant);
  case llvm::Instruction::Shl:
    return constant >= 0 && constant < 30 ? ValueShape::strided(a.stride << constant) : ValueShape::varying();
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    return constant >= 0 && constant < 63 && stays_in_block(uint64_t(1) << constant) ? in_part()
                                                                                     : ValueShape::varying();
  case llvm::Instruction::UDiv:
    return is_power && stays_in_block(uint64_t(constant)) ? in_part() : ValueShape::varying();
  case llvm::Instruction::URem:
    return is_power && stays_in_block(uint64_t(constant)) ? a : ValueShape::varying();
  case llvm::Instruction::And:
    return constant != NoConstant && std::has_single_bit(uint64_t(constant) + 1) &&
                   stays_in_block(uint64_t(constant) + 1)
               ? a
               : ValueShape::varying();
  default:
    return ValueShape::varying();
  }
}

ValueShape Divergence::compute_cast(const llvm::CastInst& cast) const {
  ValueShape source = shape(cast.getOperand(0));
  if (!source.is_strided() || source.stride == 0) return source;
  const llvm::DataLayout& layout = layout_.function().getParent()->getDataLayout();
  switch (cast.getOpcode()) {
  case llvm::Instruction::AddrSpaceCast:
    return source;
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
    return layout.getTypeSizeInBits(cast.getSrcTy()) == layout.getTypeSizeInBits(cast.getDestTy())
               ? source
               : ValueShape::varying();
  case llvm::Instruction::Trunc:
    return is_scalar_integer(&cast) ? source : ValueShape::varying();
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt: {
    const bool is_signed = cast.getOpcode() == llvm::Instruction::SExt;
    return lanes_do_not_wrap(cast.getOperand(0), is_signed, *this, shape_) ? source : ValueShape::varying();
  }
  default:
    return ValueShape::varying();
  }
}

ValueShape Divergence::compute_address(const llvm::GetElementPtrInst& address) const {
  ValueShape simple = mixed(address);
  if (!simple.is_varying()) return simple;
  const llvm::DataLayout& layout = layout_.function().getParent()->getDataLayout();
  if (address.getType()->isVectorTy()) return ValueShape::varying();
  ValueShape base = shape(address.getPointerOperand());
  if (base.is_varying()) return base;
  int64_t stride = base.stride;
  for (auto type = llvm::gep_type_begin(address); type != llvm::gep_type_end(address); ++type) {
    ValueShape index = shape(type.getOperand());
    if (index.is_varying() || type.getOperand()->getType()->getScalarSizeInBits() != 64) {
      if (index.same_in_part()) continue;
      return ValueShape::varying();
    }
    if (index.stride) stride += index.stride * int64_t(type.getSequentialElementStride(layout).getFixedValue());
  }
  return ValueShape::strided(stride);
}

ValueShape Divergence::compute_call(const llvm::CallBase& call) const {
  std::string_view name = dialect_name(&call);
  if (!name.empty()) return compute_query(name, call);
  if (call.getType()->isVoidTy()) return ValueShape::varying();
  if (!call.doesNotAccessMemory() &&
      !(call.onlyReadsMemory() && call.getIntrinsicID() != llvm::Intrinsic::not_intrinsic))
    return ValueShape::varying();
  ValueShape result = ValueShape::uniform();
  for (const llvm::Use& argument : call.args()) {
    ValueShape shape = this->shape(argument.get());
    if (shape.kind == ValueShape::Unknown && !llvm::isa<llvm::UndefValue>(argument.get())) return {};
    if (shape.kind != ValueShape::Unknown && !shape.same_in_part()) return ValueShape::varying();
    if (shape.is_strided()) result = ValueShape::strided(0);
  }
  return result;
}

ValueShape Divergence::compute_query(std::string_view name, const llvm::CallBase& call) const {
  using namespace dialect;
  bool linear = shape_.cut == Cut::MaskedLinear;
  if (name == LocalId) {
    if (linear) return ValueShape::varying();
    if (constant_or(call.getArgOperand(0), 0) == 0) return ValueShape::strided(1);
    return shape_.whole_rows ? ValueShape::uniform() : ValueShape::strided(0);
  }
  if (name == LocalLinearId || name == SubGroupLocalId) return ValueShape::strided(1);
  if (name == SubGroupId) return ValueShape::strided(0);
  if (name == ToGlobal || name == ToLocal || name == ToPrivate)
    return mixed(call).is_varying() ? ValueShape::varying() : mixed(call);
  if (name.starts_with(LoadWords) || name.starts_with(ByteFraction))
    return mixed(call).is_uniform() ? ValueShape::uniform() : ValueShape::varying();
  if (std::string_view(name).starts_with(SubGroupPrefix)) {
    std::string_view operation = name.substr(SubGroupPrefix.size());
    for (std::string_view same : {"reduce", "all", "any", "broadcast", "ballot"})
      if (operation.starts_with(same)) return ValueShape::strided(0);
    return ValueShape::varying();
  }
  for (std::string_view query : {GroupId, EnqueuedLocalSize, NumGroups, GlobalOffset, WorkDim, slice_query::All})
    if (name == query) return ValueShape::uniform();
  return ValueShape::varying();
}

} // namespace zeroth::codegen
