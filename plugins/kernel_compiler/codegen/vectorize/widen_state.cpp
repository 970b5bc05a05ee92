#include "widen_state.hpp"

#include "../../llvm_versions.hpp"

#include <llvm/IR/Constants.h>

namespace zeroth::codegen {

WideState::WideState(const FunctionLayout& layout, const Divergence& divergence, const Shape& shape,
                     KernelReport& report, llvm::Function& target)
    : layout(layout), divergence(divergence), shape(shape), report(report), target(target),
      builder(target.getContext(), llvm::InstSimplifyFolder(target.getParent()->getDataLayout())) {}

unsigned WideState::components(llvm::Type* type) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) return vector->getNumElements();
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) return record->getNumElements();
  if (type->isArrayTy()) throw NotVectorizable("an array as a value");
  return 1;
}

llvm::Type* WideState::component_type(llvm::Type* type, unsigned component) {
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    llvm::Type* element = record->getElementType(component);
    if (element->isAggregateType() || element->isVectorTy()) throw NotVectorizable("a nested struct as a value");
    return element;
  }
  return type->getScalarType();
}

llvm::Value* WideState::scalar(const llvm::Value* value) {
  if (llvm::isa<llvm::UndefValue>(value)) return llvm::PoisonValue::get(value->getType());
  if (llvm::isa<llvm::Constant>(value)) return const_cast<llvm::Value*>(value);
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return target.getArg(argument->getArgNo());
  llvm::Value* wide = scalars_.lookup(value);
  // With one part, what is the same within a part is uniform: its operands may be runs, told by their first lane.
  if (auto run = bases_.find(value); !wide && parts() == 1 && run != bases_.end()) wide = run->second[0];
  if (!wide) throw NotVectorizable("a value is used before it is made");
  return wide;
}

llvm::Value* WideState::base(const llvm::Value* value, unsigned part) {
  if (!divergence.shape(value).is_strided()) return scalar(value);
  auto found = bases_.find(value);
  if (found == bases_.end()) throw NotVectorizable("a value is used before it is made");
  return found->second[part];
}

WideState::Hope WideState::hopeful(const llvm::Value* value, unsigned part) {
  if (!divergence.shape(value).is_varying()) return {base(value, part), builder.getTrue()};
  return hopes_.find(value)->second[part];
}

std::optional<bool> WideState::judgement(const llvm::Value* address) const {
  auto found = judgements_.find(address);
  return found == judgements_.end() ? std::nullopt : std::optional(found->second);
}

WideState::Form WideState::form(const llvm::Value* value) const {
  Form form{{}, bases_.lookup(value), vectors_.lookup(value), hopes_.lookup(value)};
  if (llvm::Value* scalar = scalars_.lookup(value)) form.scalars.push_back(scalar);
  return form;
}

void WideState::join_forms(const llvm::Value* value, const Form& a, llvm::BasicBlock* from_a, const Form& b,
                           llvm::BasicBlock* from_b) {
  auto join = [&](llvm::Value* one, llvm::Value* other) {
    if (one == other) return one;
    llvm::PHINode* phi = builder.CreatePHI(one->getType(), 2);
    phi->addIncoming(one, from_a);
    phi->addIncoming(other, from_b);
    return static_cast<llvm::Value*>(phi);
  };
  auto join_all = [&](const Values& ones, const Values& others) {
    Values joined;
    for (size_t i = 0; i < ones.size(); ++i) joined.push_back(join(ones[i], others[i]));
    return joined;
  };
  if (!a.scalars.empty()) scalars_[value] = join(a.scalars[0], b.scalars[0]);
  if (!a.bases.empty()) bases_[value] = join_all(a.bases, b.bases);
  if (!a.vectors.empty()) vectors_[value] = join_all(a.vectors, b.vectors);
  if (a.hopes.empty()) return;
  llvm::SmallVector<Hope, 4> hopes;
  for (size_t i = 0; i < a.hopes.size(); ++i)
    hopes.push_back({join(a.hopes[i].base, b.hopes[i].base), join(a.hopes[i].holds, b.hopes[i].holds)});
  hopes_[value] = std::move(hopes);
}

llvm::Value* WideState::component_of(llvm::Value* scalar, unsigned component) {
  if (scalar->getType()->isVectorTy()) return builder.CreateExtractElement(scalar, uint64_t(component));
  if (scalar->getType()->isStructTy()) return builder.CreateExtractValue(scalar, component);
  return scalar;
}

llvm::Value* WideState::vector(const llvm::Value* value, unsigned part, unsigned component) {
  ValueShape form = divergence.shape(value);
  if (form.kind == ValueShape::Unknown)
    return llvm::PoisonValue::get(vector_type(component_type(value->getType(), component)));
  if (form.is_varying()) {
    auto found = vectors_.find(value);
    if (found == vectors_.end()) throw NotVectorizable("a value is used before it is made");
    return found->second[part * components(value->getType()) + component];
  }
  if (form.same_in_part()) return splat(component_of(base(value, part), component));
  return spread(base(value, part), form.stride);
}

llvm::Constant* WideState::steps(llvm::IntegerType* type, int64_t stride) const {
  llvm::SmallVector<llvm::Constant*> values;
  for (unsigned i = 0; i < lanes(); ++i) values.push_back(llvm_version::signed_constant(type, int64_t(i) * stride));
  return llvm::ConstantVector::get(values);
}

llvm::Value* WideState::spread(llvm::Value* base, int64_t stride) {
  if (base->getType()->isPointerTy())
    return builder.CreateGEP(builder.getInt8Ty(), base, steps(builder.getInt64Ty(), stride));
  return builder.CreateAdd(splat(base), steps(llvm::cast<llvm::IntegerType>(base->getType()), stride));
}

llvm::Value* WideState::any(llvm::Value* mask) {
  llvm::Type* bits = builder.getIntNTy(lanes());
  return builder.CreateICmpNE(builder.CreateBitCast(mask, bits), llvm::ConstantInt::get(bits, 0));
}

llvm::Value* WideState::any_of(const Mask& mask) {
  if (mask.empty()) return builder.getTrue();
  llvm::Value* all = mask[0];
  for (unsigned part = 1; part < mask.size(); ++part) all = builder.CreateOr(all, mask[part]);
  return any(all);
}

llvm::AllocaInst* WideState::variable(llvm::Type* type, llvm::Constant* initial, const llvm::Twine& name) {
  llvm::BasicBlock& entry = target.getEntryBlock();
  llvm::IRBuilder<> at(&entry, entry.begin());
  llvm::AllocaInst* memory = at.CreateAlloca(type, nullptr, name);
  if (!initial) return memory;
  at.SetInsertPoint(&entry, std::next(memory->getIterator()));
  at.CreateStore(initial, memory);
  return memory;
}

llvm::Value* WideState::scratch_address(llvm::Type* type, unsigned address_space) {
  llvm::AllocaInst*& memory = scratch_[type];
  if (!memory) memory = variable(type, llvm::Constant::getNullValue(type), "inactive");
  return builder.CreateAddrSpaceCast(memory, builder.getPtrTy(address_space));
}

llvm::Value* WideState::lane(const llvm::Value* value, unsigned part, llvm::Value* index) {
  ValueShape form = divergence.shape(value);
  if (form.kind == ValueShape::Unknown) return llvm::PoisonValue::get(value->getType());
  if (form.same_in_part()) return base(value, part);
  if (form.is_strided()) {
    llvm::Value* first = base(value, part);
    llvm::Type* type = first->getType()->isPointerTy() ? builder.getInt64Ty() : first->getType();
    llvm::Value* distance =
        builder.CreateMul(builder.CreateZExtOrTrunc(index, type), llvm_version::signed_constant(type, form.stride));
    if (first->getType()->isPointerTy()) return builder.CreateGEP(builder.getInt8Ty(), first, distance);
    return builder.CreateAdd(first, distance);
  }
  llvm::Type* type = value->getType();
  if (!type->isVectorTy() && !type->isStructTy()) return builder.CreateExtractElement(vector(value, part), index);
  llvm::Value* whole = llvm::PoisonValue::get(type);
  for (unsigned c = 0; c < components(type); ++c) {
    llvm::Value* element = builder.CreateExtractElement(vector(value, part, c), index);
    whole = type->isVectorTy() ? builder.CreateInsertElement(whole, element, uint64_t(c))
                               : builder.CreateInsertValue(whole, element, c);
  }
  return whole;
}

Values WideState::for_all_lanes(llvm::ArrayRef<llvm::Type*> types, const std::function<Values(llvm::Value*)>& body) {
  Values gathered;
  for (llvm::Type* type : types) gathered.push_back(llvm::PoisonValue::get(vector_type(type)));
  for (unsigned lane = 0; lane < lanes(); ++lane) {
    Values results = body(builder.getInt32(lane));
    for (size_t i = 0; i < types.size(); ++i)
      gathered[i] = builder.CreateInsertElement(gathered[i], results[i], uint64_t(lane));
  }
  return gathered;
}

// bits = mask; while (bits != 0) { lane = lowest bit; body(lane); bits &= bits - 1 }
Values WideState::for_each_lane(unsigned part, llvm::ArrayRef<llvm::Type*> types,
                                const std::function<Values(llvm::Value*)>& body, bool is_cheap) {
  constexpr unsigned MostStraight = 16;
  if (is_cheap && is_full() && lanes() <= MostStraight) return for_all_lanes(types, body);
  llvm::Type* bits_type = builder.getIntNTy(std::max(8u, lanes()));
  llvm::Value* bits =
      builder.CreateZExtOrTrunc(builder.CreateBitCast(part_mask(part), builder.getIntNTy(lanes())), bits_type);
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(target.getContext(), "lane", &target);
  auto* after = llvm::BasicBlock::Create(target.getContext(), "lanes.done", &target);
  llvm::Constant* zero = llvm::ConstantInt::get(bits_type, 0);
  builder.CreateCondBr(builder.CreateICmpNE(bits, zero), loop, after);
  builder.SetInsertPoint(loop);
  llvm::PHINode* left = builder.CreatePHI(bits_type, 2, "lanes.left");
  llvm::SmallVector<llvm::PHINode*> gathered;
  for (llvm::Type* type : types) gathered.push_back(builder.CreatePHI(vector_type(type), 2));
  llvm::Value* lane = builder.CreateZExtOrTrunc(
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder.getTrue()), builder.getInt32Ty());
  Values results = body(lane);
  for (size_t i = 0; i < types.size(); ++i) results[i] = builder.CreateInsertElement(gathered[i], results[i], lane);
  llvm::Value* rest = builder.CreateAnd(left, builder.CreateSub(left, llvm::ConstantInt::get(bits_type, 1)));
  llvm::BasicBlock* end = builder.GetInsertBlock();
  builder.CreateCondBr(builder.CreateICmpNE(rest, zero), loop, after);
  left->addIncoming(bits, before);
  left->addIncoming(rest, end);
  builder.SetInsertPoint(after);
  Values out;
  for (size_t i = 0; i < types.size(); ++i) {
    llvm::Constant* none = llvm::PoisonValue::get(gathered[i]->getType());
    gathered[i]->addIncoming(none, before);
    gathered[i]->addIncoming(results[i], end);
    llvm::PHINode* joined = builder.CreatePHI(gathered[i]->getType(), 2);
    joined->addIncoming(none, before);
    joined->addIncoming(results[i], end);
    out.push_back(joined);
  }
  return out;
}

} // namespace zeroth::codegen
