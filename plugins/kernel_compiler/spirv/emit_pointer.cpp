// Addresses: access chains, casts between address spaces and integers, comparison and difference of pointers.
#include "../dialect.hpp"
#include "emitter.hpp"

namespace zeroth::spirv {
namespace {

using llvm::Value;

// Indices of a chain as LLVM wants them, checked along the SPIR-V types.
class Chain {
public:
  Chain(Emitter& e, const Instruction& inst) : e_(e), inst_(inst) {}

  void add_element(size_t operand) {
    Value* index = e_.int_operand(inst_, operand);
    if (index->getType()->isVectorTy()) inst_.fail("has an index that is no scalar");
    indices_.push_back(e_.ir.CreateSExtOrTrunc(index, e_.ir.getInt64Ty()));
  }

  // Walks from `type` along the operands from `first` on.
  void walk(const Instruction& type, size_t first) {
    const Instruction* at = &type;
    for (size_t i = first; i < inst_.size(); ++i) {
      if (at->op == Op::TypeStruct)
        at = &enter_struct(*at, i);
      else if (at->op == Op::TypeArray || at->op == Op::TypeVector) {
        add_element(i);
        at = &e_.reader.layout.type(at->operand(0));
      } else
        inst_.fail("has more indices than its type has levels");
    }
  }

  Value* finish(llvm::Type* source, Value* base, bool in_bounds) {
    if (indices_.empty()) return base;
    return e_.ir.CreateGEP(source, base, indices_, "",
                           in_bounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none());
  }

  void start() { indices_.push_back(e_.ir.getInt64(0)); }

private:
  const Instruction& enter_struct(const Instruction& structure, size_t operand) {
    const uint32_t index = e_.constant_operand(inst_, operand);
    const std::vector<uint32_t> members = all_members(e_.reader.index.module, structure, 0);
    if (index >= members.size()) inst_.fail("names a member that its structure does not have");
    indices_.push_back(e_.ir.getInt32(index));
    return e_.reader.layout.type(members[index]);
  }

  Emitter& e_;
  const Instruction& inst_;
  llvm::SmallVector<Value*, 8> indices_;
};

llvm::Type* sized(Emitter& e, const Instruction& inst, uint32_t type_id) {
  llvm::Type* type = e.reader.type(type_id);
  if (type->isVoidTy() || type->isFunctionTy()) inst.fail("addresses a type without a size");
  e.reader.layout.of(type_id);
  return type;
}

// `element`: the first index steps over whole objects. The untyped forms bring their base type as operand 0.
template <bool InBounds, bool Element, bool Untyped> void chain(Emitter& e, const Instruction& inst) {
  const size_t base_index = Untyped ? 1 : 0;
  Value* base = e.pointer_operand(inst, base_index);
  const uint32_t source = Untyped ? inst.operand(0) : e.pointee(inst, base_index).result;
  llvm::Type* type = sized(e, inst, source);
  Chain walker(e, inst);
  if (Element)
    walker.add_element(base_index + 1);
  else
    walker.start();
  walker.walk(e.reader.layout.type(source), base_index + 1 + Element);
  Value* result = walker.finish(type, base, InBounds);
  // Producers index through a pointer of one space and name another for the result only by mistake; define() refuses
  // it.
  e.define(inst, result);
}

void cast_space(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  if (!type->isPointerTy()) inst.fail("has a result that is no pointer");
  e.define(inst, type == pointer->getType() ? pointer : e.ir.CreateAddrSpaceCast(pointer, type));
}

std::string_view test_function(const Instruction& inst, unsigned space) {
  switch (space) {
  case dialect::Local:
    return dialect::ToLocal;
  case dialect::Global:
    return dialect::ToGlobal;
  case dialect::Private:
    return dialect::ToPrivate;
  default:
    inst.fail("casts to an address space that generic pointers do not cover");
  }
}

void cast_explicit(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  if (!type->isPointerTy()) inst.fail("has a result that is no pointer");
  if (pointer->getType() == type) return e.define(inst, pointer);
  if (pointer->getType()->getPointerAddressSpace() != dialect::Generic)
    inst.fail("casts from a pointer that is not generic");
  const std::string_view name = test_function(inst, type->getPointerAddressSpace());
  e.define(inst, e.call({name.data(), name.size()}, type, {pointer}));
}

// CrossWorkgroup 0x200, Workgroup 0x100, nothing for private memory.
void memory_semantics(Emitter& e, const Instruction& inst) {
  Value* pointer = e.pointer_operand(inst, 0);
  const auto is_in = [&](std::string_view name, unsigned space) {
    Value* cast = e.call({name.data(), name.size()}, llvm::PointerType::get(e.context, space), {pointer});
    return e.ir.CreateICmpNE(cast, llvm::Constant::getNullValue(cast->getType()));
  };
  if (pointer->getType()->getPointerAddressSpace() != dialect::Generic) inst.fail("has a pointer that is not generic");
  Value* local = is_in(dialect::ToLocal, dialect::Local);
  Value* global = is_in(dialect::ToGlobal, dialect::Global);
  Value* bits =
      e.ir.CreateSelect(local, e.ir.getInt32(0x100), e.ir.CreateSelect(global, e.ir.getInt32(0x200), e.ir.getInt32(0)));
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntegerTy()) inst.fail("has a result that is no integer");
  e.define(inst, e.ir.CreateZExtOrTrunc(bits, type));
}

void to_integer(Emitter& e, const Instruction& inst) {
  Value* pointer = e.operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  if (!pointer->getType()->isPtrOrPtrVectorTy() || !type->isIntOrIntVectorTy() || !same_shape(pointer->getType(), type))
    inst.fail("needs a pointer and an integer");
  e.define(inst, e.ir.CreatePtrToInt(pointer, type));
}

void from_integer(Emitter& e, const Instruction& inst) {
  Value* number = e.int_operand(inst, 0);
  llvm::Type* type = e.result_type(inst);
  if (!type->isPtrOrPtrVectorTy() || !same_shape(number->getType(), type)) inst.fail("needs an integer and a pointer");
  e.define(inst, e.ir.CreateIntToPtr(number, type));
}

template <llvm::CmpInst::Predicate Predicate> void compare(Emitter& e, const Instruction& inst) {
  Value* a = e.pointer_operand(inst, 0);
  e.define(inst, e.ir.CreateICmp(Predicate, a, e.operand_of(inst, 1, a->getType())));
}

void difference(Emitter& e, const Instruction& inst) {
  Value* a = e.pointer_operand(inst, 0);
  Value* b = e.operand_of(inst, 1, a->getType());
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntegerTy()) inst.fail("has a result that is no integer");
  const uint64_t size = e.reader.layout.of(e.pointee(inst, 0).result).size;
  llvm::Type* word = e.ir.getInt64Ty();
  Value* bytes = e.ir.CreateSub(e.ir.CreatePtrToInt(a, word), e.ir.CreatePtrToInt(b, word));
  e.define(inst, e.ir.CreateSExtOrTrunc(e.ir.CreateSDiv(bytes, e.ir.getInt64(std::max<uint64_t>(size, 1))), type));
}

void size_of(Emitter& e, const Instruction& inst) {
  llvm::Type* type = e.result_type(inst);
  if (!type->isIntegerTy()) inst.fail("has a result that is no integer");
  e.define(inst, llvm::ConstantInt::get(type, llvm::APInt(64, e.reader.layout.of(e.pointee(inst, 0).result).size)
                                                  .zextOrTrunc(type->getIntegerBitWidth())));
}

constexpr EmitterEntry table[] = {
    {Op::AccessChain, chain<false, false, false>},
    {Op::InBoundsAccessChain, chain<true, false, false>},
    {Op::PtrAccessChain, chain<false, true, false>},
    {Op::InBoundsPtrAccessChain, chain<true, true, false>},
    {Op::UntypedAccessChainKHR, chain<false, false, true>},
    {Op::UntypedInBoundsAccessChainKHR, chain<true, false, true>},
    {Op::UntypedPtrAccessChainKHR, chain<false, true, true>},
    {Op::UntypedInBoundsPtrAccessChainKHR, chain<true, true, true>},
    {Op::PtrCastToGeneric, cast_space},
    {Op::GenericCastToPtr, cast_space},
    {Op::PtrCastToCrossWorkgroupALTERA, cast_space},
    {Op::CrossWorkgroupCastToPtrALTERA, cast_space},
    {Op::GenericCastToPtrExplicit, cast_explicit},
    {Op::GenericPtrMemSemantics, memory_semantics},
    {Op::ConvertPtrToU, to_integer},
    {Op::ConvertUToPtr, from_integer},
    {Op::PtrEqual, compare<llvm::CmpInst::ICMP_EQ>},
    {Op::PtrNotEqual, compare<llvm::CmpInst::ICMP_NE>},
    {Op::PtrDiff, difference},
    {Op::SizeOf, size_of},
};

} // namespace

EmitterTable pointer_emitters() { return table; }

} // namespace zeroth::spirv
