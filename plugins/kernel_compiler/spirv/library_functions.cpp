#include "library_functions.hpp"

#include "../dialect.hpp"
#include "library_names.hpp"
#include "rounding.hpp"

#include <unordered_map>

namespace zeroth::spirv {
namespace {

using llvm::Value;

// SPIR-V numbers.
enum : uint32_t { DeviceScope = 1, WorkGroupScope = 2, SubGroupScope = 3 };
enum : uint32_t { Relaxed = 0, Acquire = 2, Release = 4, AcquireRelease = 8, AllMemory = 0x100 | 0x200 | 0x800 };

// Builds one body: SPIR-V instructions on the parameters, whose ids the declaration has.
class Body {
public:
  Body(ModuleReader& reader, const FunctionRange& range, llvm::Function& function)
      : e_(reader, function), inst_(reader.index.module.instructions[range.first]) {
    e_.ir.SetInsertPoint(llvm::BasicBlock::Create(reader.context, "", &function));
    for (unsigned i = 0; i < range.parameters.size(); ++i) {
      e_.bind(range.parameters[i]->result, function.getArg(i));
      operands_.push_back(range.parameters[i]->result);
    }
  }

  Emitter& e() { return e_; }
  size_t parameters() const { return operands_.size(); }
  uint32_t parameter(size_t i) const {
    if (i >= operands_.size()) inst_.fail("imports a library function with too few parameters");
    return operands_[i];
  }

  // An id for a 32-bit constant; above the bound, so it is nobody else's.
  uint32_t constant(uint32_t value) {
    const uint32_t id = next_++;
    e_.bind(id, e_.ir.getInt32(value));
    return id;
  }

  Value* run(Op op, std::initializer_list<uint32_t> words) {
    const std::vector<uint32_t> storage(words);
    Instruction inst;
    inst.op = op;
    inst.offset = inst_.offset;
    const bool has_result = !e_.function.getReturnType()->isVoidTy();
    inst.type = has_result ? inst_.type : 0;
    inst.result = has_result ? next_++ : 0;
    inst.operands = storage;
    return e_.run(inst);
  }

  void finish(Value* result) {
    if (e_.function.getReturnType()->isVoidTy()) {
      e_.ir.CreateRetVoid();
      return;
    }
    if (!result || result->getType() != e_.function.getReturnType())
      inst_.fail("imports a library function with a result that it does not have");
    e_.ir.CreateRet(result);
  }

  [[noreturn]] void fail() { inst_.fail("imports a library function in a form that is not supported"); }

private:
  Emitter e_;
  const Instruction& inst_;
  std::vector<uint32_t> operands_;
  uint32_t next_ = 0x40000000;
};

struct Choice {
  Op of_unsigned, of_signed, of_float;
};

Value* atomic(Body& body, std::string_view operation, LibraryKind kind, uint32_t semantics) {
  static const std::unordered_map<std::string_view, Choice> ops = {
      {"add", {Op::AtomicIAdd, Op::AtomicIAdd, Op::AtomicFAddEXT}},
      {"sub", {Op::AtomicISub, Op::AtomicISub, Op::Nop}},
      {"and", {Op::AtomicAnd, Op::AtomicAnd, Op::Nop}},
      {"or", {Op::AtomicOr, Op::AtomicOr, Op::Nop}},
      {"xor", {Op::AtomicXor, Op::AtomicXor, Op::Nop}},
      {"min", {Op::AtomicUMin, Op::AtomicSMin, Op::AtomicFMinEXT}},
      {"max", {Op::AtomicUMax, Op::AtomicSMax, Op::AtomicFMaxEXT}},
      {"xchg", {Op::AtomicExchange, Op::AtomicExchange, Op::AtomicExchange}},
  };
  const uint32_t pointer = body.parameter(0);
  const uint32_t scope = body.constant(DeviceScope);
  const uint32_t order = body.constant(semantics);
  if (operation == "inc") return body.run(Op::AtomicIIncrement, {pointer, scope, order});
  if (operation == "dec") return body.run(Op::AtomicIDecrement, {pointer, scope, order});
  if (operation == "cmpxchg")
    return body.run(Op::AtomicCompareExchange, {pointer, scope, order, order, body.parameter(2), body.parameter(1)});
  const Choice& choice = ops.at(operation);
  const Op op = kind == LibraryKind::Float    ? choice.of_float
                : kind == LibraryKind::Signed ? choice.of_signed
                                              : choice.of_unsigned;
  if (op == Op::Nop) body.fail();
  return body.run(op, {pointer, scope, order, body.parameter(1)});
}

Value* collective(Body& body, std::string_view name, LibraryKind kind) {
  const bool sub_group = name.starts_with("sub_group_");
  const std::string_view rest = name.substr(sub_group ? 10 : 11);
  const uint32_t scope = body.constant(sub_group ? SubGroupScope : WorkGroupScope);
  Emitter& e = body.e();
  if (rest == "all" || rest == "any") { // int in, int out
    const std::string call =
        std::string(sub_group ? dialect::SubGroupPrefix : dialect::WorkGroupPrefix) + std::string(rest);
    Value* v = e.value(body.parameter(0));
    if (!v->getType()->isIntegerTy()) body.fail();
    Value* vote =
        e.call(call, e.ir.getInt1Ty(), {e.ir.CreateICmpNE(v, llvm::ConstantInt::get(v->getType(), 0))}, true, false);
    return e.ir.CreateZExtOrTrunc(vote, e.function.getReturnType());
  }
  if (rest == "shuffle") return body.run(Op::SubgroupShuffleINTEL, {body.parameter(0), body.parameter(1)});
  if (rest == "shuffle_xor") return body.run(Op::SubgroupShuffleXorINTEL, {body.parameter(0), body.parameter(1)});
  if (rest == "broadcast" && body.parameters() == 2)
    return body.run(Op::GroupBroadcast, {scope, body.parameter(0), body.parameter(1)});
  const uint32_t form = rest.starts_with("reduce_")           ? 0
                        : rest.starts_with("scan_inclusive_") ? 1
                        : rest.starts_with("scan_exclusive_") ? 2
                                                              : 3;
  if (form == 3) body.fail();
  static const std::unordered_map<std::string_view, Choice> ops = {
      {"add", {Op::GroupIAdd, Op::GroupIAdd, Op::GroupFAdd}},
      {"min", {Op::GroupUMin, Op::GroupSMin, Op::GroupFMin}},
      {"max", {Op::GroupUMax, Op::GroupSMax, Op::GroupFMax}},
  };
  const Choice& choice = ops.at(rest.substr(rest.size() - 3));
  const Op op = kind == LibraryKind::Float    ? choice.of_float
                : kind == LibraryKind::Signed ? choice.of_signed
                                              : choice.of_unsigned;
  return body.run(op, {scope, form, body.parameter(0)});
}

Value* intel_shuffle(Body& body, std::string_view name) {
  if (name.ends_with("_up"))
    return body.run(Op::SubgroupShuffleUpINTEL, {body.parameter(0), body.parameter(1), body.parameter(2)});
  if (name.ends_with("_down"))
    return body.run(Op::SubgroupShuffleDownINTEL, {body.parameter(0), body.parameter(1), body.parameter(2)});
  return body.run(name.ends_with("_xor") ? Op::SubgroupShuffleXorINTEL : Op::SubgroupShuffleINTEL,
                  {body.parameter(0), body.parameter(1)});
}

// The flags say which memory is ordered; ordering all of it is always right.
Value* synchronise(Body& body, std::string_view name) {
  const uint32_t scope = body.constant(name == "sub_group_barrier" ? SubGroupScope : WorkGroupScope);
  if (name.ends_with("barrier"))
    return body.run(Op::ControlBarrier, {scope, scope, body.constant(AcquireRelease | AllMemory)});
  const uint32_t order = name == "read_mem_fence" ? Acquire : name == "write_mem_fence" ? Release : AcquireRelease;
  return body.run(Op::MemoryBarrier, {body.constant(DeviceScope), body.constant(order | AllMemory)});
}

struct Query {
  std::string_view dialect_name;
  bool per_dimension;
  uint64_t outside; // what a dimension above 2 yields
};

Value* query(Body& body, std::string_view name) {
  static const std::unordered_map<std::string_view, Query> queries = {
      {"get_global_id", {dialect::GlobalId, true, 0}},
      {"get_global_size", {dialect::GlobalSize, true, 1}},
      {"get_global_offset", {dialect::GlobalOffset, true, 0}},
      {"get_local_id", {dialect::LocalId, true, 0}},
      {"get_local_size", {dialect::LocalSize, true, 1}},
      {"get_enqueued_local_size", {dialect::EnqueuedLocalSize, true, 1}},
      {"get_group_id", {dialect::GroupId, true, 0}},
      {"get_num_groups", {dialect::NumGroups, true, 1}},
      {"get_global_linear_id", {dialect::GlobalLinearId, false, 64}},
      {"get_local_linear_id", {dialect::LocalLinearId, false, 64}},
      {"get_work_dim", {dialect::WorkDim, false, 32}},
      {"get_sub_group_size", {dialect::SubGroupSize, false, 32}},
      {"get_max_sub_group_size", {dialect::SubGroupMaxSize, false, 32}},
      {"get_num_sub_groups", {dialect::NumSubGroups, false, 32}},
      {"get_enqueued_num_sub_groups", {dialect::NumEnqueuedSubGroups, false, 32}},
      {"get_sub_group_id", {dialect::SubGroupId, false, 32}},
      {"get_sub_group_local_id", {dialect::SubGroupLocalId, false, 32}},
  };
  const Query& q = queries.at(name);
  Emitter& e = body.e();
  const llvm::StringRef call(q.dialect_name.data(), q.dialect_name.size());
  llvm::Type* type = e.function.getReturnType();
  if (!type->isIntegerTy()) body.fail();
  if (!q.per_dimension) return e.ir.CreateZExtOrTrunc(e.call(call, e.ir.getIntNTy(unsigned(q.outside)), {}), type);
  Value* dimension = e.value(body.parameter(0));
  if (!dimension->getType()->isIntegerTy()) body.fail();
  dimension = e.ir.CreateZExtOrTrunc(dimension, e.ir.getInt32Ty());
  Value* inside = e.ir.CreateICmpULT(dimension, e.ir.getInt32(3));
  Value* v = e.call(call, e.ir.getInt64Ty(), {e.ir.CreateSelect(inside, dimension, e.ir.getInt32(0))});
  return e.ir.CreateZExtOrTrunc(e.ir.CreateSelect(inside, v, e.ir.getInt64(q.outside)), type);
}

// Whatever order is asked for, the strongest is right.
Value* fetch(Body& body, std::string_view operation, LibraryKind kind) {
  if (operation.ends_with("_explicit")) operation.remove_suffix(9);
  return atomic(body, operation, kind, AcquireRelease | AllMemory);
}

Value* get_fence(Body& body) {
  Emitter& e = body.e();
  Value* space = body.run(Op::GenericPtrMemSemantics, {body.parameter(0)});
  if (!space || !space->getType()->isIntegerTy()) body.fail();
  return e.ir.CreateLShr(space, 8); // 0x100 local, 0x200 global → 1, 2
}

Value* convert(Body& body, const ConversionName& to, LibraryKind from) {
  Emitter& e = body.e();
  Value* v = e.value(body.parameter(0));
  llvm::Type* type = e.function.getReturnType();
  const bool to_float = to.to == LibraryKind::Float, from_float = from == LibraryKind::Float;
  const bool fits = (to_float ? type->isFPOrFPVectorTy() : type->isIntOrIntVectorTy()) &&
                    same_shape(type, v->getType()) &&
                    (from_float ? v->getType()->isFPOrFPVectorTy() : v->getType()->isIntOrIntVectorTy());
  if (!fits) body.fail();
  const Rounding nearest = to.rounding < 0 ? Rounding::NearestEven : Rounding(to.rounding);
  if (to_float && from_float) return float_to_float(e, v, type, nearest);
  if (to_float) return int_to_float(e, v, type, from == LibraryKind::Signed, nearest);
  const bool to_signed = to.to == LibraryKind::Signed;
  const Rounding cut = to.rounding < 0 ? Rounding::TowardZero : Rounding(to.rounding);
  if (from_float) return float_to_int(e, v, type, to_signed, to.saturates, cut);
  if (to.saturates) return saturated(e, v, type, from == LibraryKind::Signed, to_signed);
  return e.ir.CreateIntCast(v, type, from == LibraryKind::Signed);
}

// OpenCL C numbers the orders as SPIR-V does, from CLK_R on.
Value* image_order(Body& body) {
  constexpr uint32_t FirstOrder = 0x10B0;
  return body.e().ir.CreateAdd(body.run(Op::ImageQueryOrder, {body.parameter(0)}), body.e().ir.getInt32(FirstOrder));
}

Value* build(Body& body, std::string_view name, LibraryKind kind) {
  if (const std::optional<ConversionName> to = conversion(name)) return convert(body, *to, kind);
  if (name.starts_with("to_")) return body.run(Op::GenericCastToPtrExplicit, {body.parameter(0)});
  if (name == "get_fence") return get_fence(body);
  if (name.ends_with("fence") || name.ends_with("barrier")) return synchronise(body, name);
  if (name.starts_with("atomic_fetch_")) return fetch(body, name.substr(13), kind);
  if (name.starts_with("atomic_")) return atomic(body, name.substr(7), kind, Relaxed);
  if (name.starts_with("atom_")) return atomic(body, name.substr(5), kind, Relaxed);
  if (name == "get_image_channel_order") return image_order(body);
  if (name.starts_with("get_")) return query(body, name);
  if (name.starts_with("intel_")) return intel_shuffle(body, name);
  return collective(body, name, kind);
}

} // namespace

bool is_library_function(std::string_view mangled) {
  const std::optional<MangledName> name = demangle(mangled);
  return name && is_library_name(name->name);
}

void define_library_function(ModuleReader& reader, const FunctionRange& range, std::string_view mangled,
                             llvm::Function& function) {
  const std::optional<MangledName> name = demangle(mangled);
  Body body(reader, range, function);
  body.finish(build(body, name->name, value_kind(name->parameters)));
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

} // namespace zeroth::spirv
