// Vectors, structures and arrays as values.
#include "emitter.hpp"

namespace zeroth::spirv {
namespace {

using llvm::Value;

unsigned member_count(llvm::Type* type) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return unsigned(array->getNumElements());
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) return structure->getNumElements();
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) return vector->getNumElements();
  return 0;
}

llvm::Type* member_type(llvm::Type* type, unsigned index) {
  return type->isStructTy() ? type->getStructElementType(index) : type->getContainedType(0);
}

// A path of literal indices, checked against the types on its way: aggregate part, then perhaps one vector component.
struct Path {
  llvm::SmallVector<unsigned, 4> aggregate;
  std::optional<unsigned> component;
  llvm::Type* end = nullptr;
};

Path walk(const Instruction& inst, llvm::Type* type, size_t first) {
  Path path;
  for (size_t i = first; i < inst.size(); ++i) {
    const uint32_t index = inst.operand(i);
    if (index >= member_count(type)) inst.fail("has an index outside its composite");
    if (type->isVectorTy())
      path.component = index;
    else
      path.aggregate.push_back(index);
    type = member_type(type, index);
  }
  path.end = type;
  return path;
}

void extract(Emitter& e, const Instruction& inst) {
  Value* v = e.operand(inst, 0);
  const Path path = walk(inst, v->getType(), 1);
  if (!path.aggregate.empty()) v = e.ir.CreateExtractValue(v, path.aggregate);
  if (path.component) v = e.ir.CreateExtractElement(v, uint64_t{*path.component});
  e.define(inst, v);
}

void insert(Emitter& e, const Instruction& inst) {
  Value* part = e.operand(inst, 0);
  Value* whole = e.operand(inst, 1);
  const Path path = walk(inst, whole->getType(), 2);
  if (part->getType() != path.end) inst.fail("inserts a value of another type than the member has");
  if (path.component) {
    Value* vector = path.aggregate.empty() ? whole : e.ir.CreateExtractValue(whole, path.aggregate);
    part = e.ir.CreateInsertElement(vector, part, uint64_t{*path.component});
  }
  e.define(inst, path.aggregate.empty() ? part : e.ir.CreateInsertValue(whole, part, path.aggregate));
}

// A vector may be put together from scalars and shorter vectors.
Value* construct_vector(Emitter& e, const Instruction& inst, llvm::FixedVectorType* type,
                        const std::vector<uint32_t>& ids) {
  Value* result = llvm::PoisonValue::get(type);
  unsigned at = 0;
  const auto add = [&](Value* component) {
    if (at == type->getNumElements() || component->getType() != type->getElementType())
      inst.fail("has members that do not fit its vector");
    result = e.ir.CreateInsertElement(result, component, uint64_t{at++});
  };
  for (uint32_t id : ids) {
    Value* v = e.value(id);
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
    if (!vector)
      add(v);
    else
      for (unsigned i = 0; i < vector->getNumElements(); ++i) add(e.ir.CreateExtractElement(v, uint64_t{i}));
  }
  if (at != type->getNumElements()) inst.fail("has fewer members than its vector");
  return result;
}

Value* construct(Emitter& e, const Instruction& inst, const std::vector<uint32_t>& ids) {
  llvm::Type* type = e.result_type(inst);
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) return construct_vector(e, inst, vector, ids);
  if (!type->isAggregateType() || ids.size() != member_count(type)) inst.fail("has not as many members as its type");
  Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < ids.size(); ++i) {
    Value* member = e.value(ids[i]);
    if (member->getType() != member_type(type, i)) inst.fail("has a member of the wrong type");
    result = e.ir.CreateInsertValue(result, member, i);
  }
  return result;
}

// What OpSpecConstantOp hands in is no instruction of the list and has no continuations.
std::vector<uint32_t> members(Emitter& e, const Instruction& inst) {
  const std::vector<Instruction>& list = e.reader.index.module.instructions;
  if (&inst >= list.data() && &inst < list.data() + list.size()) return all_members(e.reader.index.module, inst, 0);
  return {inst.operands.begin(), inst.operands.end()};
}

void composite(Emitter& e, const Instruction& inst) { e.define(inst, construct(e, inst, members(e, inst))); }

void replicate(Emitter& e, const Instruction& inst) {
  const std::vector<uint32_t> ids(member_count(e.result_type(inst)), inst.operand(0));
  e.define(inst, construct(e, inst, ids));
}

void extract_dynamic(Emitter& e, const Instruction& inst) {
  Value* vector = e.operand(inst, 0);
  Value* index = e.int_operand(inst, 1);
  if (!vector->getType()->isVectorTy() || index->getType()->isVectorTy())
    inst.fail("needs a vector and a scalar index");
  e.define(inst, e.ir.CreateExtractElement(vector, index));
}

void insert_dynamic(Emitter& e, const Instruction& inst) {
  Value* vector = e.operand(inst, 0);
  Value* index = e.int_operand(inst, 2);
  if (!vector->getType()->isVectorTy() || index->getType()->isVectorTy())
    inst.fail("needs a vector and a scalar index");
  Value* part = e.operand_of(inst, 1, vector->getType()->getScalarType());
  e.define(inst, e.ir.CreateInsertElement(vector, part, index));
}

Value* widen(Emitter& e, Value* v, unsigned length) {
  const unsigned have = llvm::cast<llvm::FixedVectorType>(v->getType())->getNumElements();
  if (have == length) return v;
  llvm::SmallVector<int, 16> mask;
  for (unsigned i = 0; i < length; ++i) mask.push_back(i < have ? int(i) : -1);
  return e.ir.CreateShuffleVector(v, mask);
}

void shuffle(Emitter& e, const Instruction& inst) {
  Value* a = e.operand(inst, 0);
  Value* b = e.operand(inst, 1);
  auto* left = llvm::dyn_cast<llvm::FixedVectorType>(a->getType());
  auto* right = llvm::dyn_cast<llvm::FixedVectorType>(b->getType());
  if (!left || !right || left->getElementType() != right->getElementType())
    inst.fail("needs two vectors of the same component type");
  const unsigned length = std::max(left->getNumElements(), right->getNumElements());
  llvm::SmallVector<int, 16> mask;
  for (uint32_t index : inst.operands.subspan(2)) {
    if (index == ~0u)
      mask.push_back(-1);
    else if (index < left->getNumElements())
      mask.push_back(int(index));
    else if (index - left->getNumElements() < right->getNumElements())
      mask.push_back(int(index - left->getNumElements() + length));
    else
      inst.fail("picks a component outside both vectors");
  }
  if (mask.empty() || mask.size() > MaxVectorLength) inst.fail("picks no components, or too many");
  e.define(inst, e.ir.CreateShuffleVector(widen(e, a, length), widen(e, b, length), mask));
}

void copy(Emitter& e, const Instruction& inst) { e.define(inst, e.operand(inst, 0)); }

// The same members in another type: structures with other names or decorations.
Value* copy_as(Emitter& e, const Instruction& inst, Value* v, llvm::Type* type) {
  if (v->getType() == type) return v;
  if (!type->isAggregateType() || !v->getType()->isAggregateType() || member_count(type) != member_count(v->getType()))
    inst.fail("copies to a type that does not match");
  Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < member_count(type); ++i)
    result = e.ir.CreateInsertValue(result, copy_as(e, inst, e.ir.CreateExtractValue(v, i), member_type(type, i)), i);
  return result;
}

void copy_logical(Emitter& e, const Instruction& inst) {
  e.define(inst, copy_as(e, inst, e.operand(inst, 0), e.result_type(inst)));
}

void freeze(Emitter& e, const Instruction& inst) { e.define(inst, e.ir.CreateFreeze(e.operand(inst, 0))); }
void undefined(Emitter& e, const Instruction& inst) { e.define(inst, llvm::UndefValue::get(e.result_type(inst))); }
void nothing(Emitter&, const Instruction&) {}

constexpr EmitterEntry table[] = {
    {Op::CompositeExtract, extract},
    {Op::CompositeInsert, insert},
    {Op::CompositeConstruct, composite},
    {Op::CompositeConstructContinuedINTEL, nothing},
    {Op::CompositeConstructReplicateEXT, replicate},
    {Op::VectorExtractDynamic, extract_dynamic},
    {Op::VectorInsertDynamic, insert_dynamic},
    {Op::VectorShuffle, shuffle},
    {Op::CopyObject, copy},
    {Op::CopyLogical, copy_logical},
    {Op::FreezeKHR, freeze},
    {Op::Undef, undefined},
    {Op::Nop, nothing},
};

} // namespace

EmitterTable composite_emitters() { return table; }

} // namespace zeroth::spirv
