#include "emitter.hpp"

#include "error.hpp"

#include <array>

namespace zeroth::spirv {
namespace {

using Dispatch = std::array<EmitFunction, 8192>;

Dispatch make_dispatch() {
  Dispatch table{};
  for (const EmitterTable& topic :
       {arithmetic_emitters(), bit_emitters(), comparison_emitters(), conversion_emitters(), composite_emitters(),
        memory_emitters(), pointer_emitters(), control_emitters(), atomic_emitters(), group_emitters(),
        sub_group_emitters(), image_emitters(), intel_image_emitters(), extended_emitters(), intel_emitters()})
    for (const EmitterEntry& entry : topic) table[size_t(entry.op)] = entry.emit;
  return table;
}

constexpr uint32_t FastMathContract = 0x10000, FastMathReassoc = 0x20000, FastMathTransform = 0x40000;

llvm::FastMathFlags fast_math_flags(uint32_t mask) {
  llvm::FastMathFlags flags;
  if (mask & 1) flags.setNoNaNs();
  if (mask & 2) flags.setNoInfs();
  if (mask & 4) flags.setNoSignedZeros();
  if (mask & 8) flags.setAllowReciprocal();
  if (mask & FastMathContract) flags.setAllowContract();
  if (mask & FastMathReassoc) flags.setAllowReassoc();
  if (mask & FastMathTransform) flags.setAllowReassoc(), flags.setAllowContract(), flags.setApproxFunc();
  if (mask & 16) flags.setFast();
  return flags;
}

} // namespace

EmitFunction find_emitter(Op op) {
  static const Dispatch table = make_dispatch();
  return size_t(op) < table.size() ? table[size_t(op)] : nullptr;
}

std::string type_suffix(llvm::Type* type) {
  if (type->isIntegerTy()) return "i" + std::to_string(type->getIntegerBitWidth());
  if (type->isHalfTy()) return "f16";
  if (type->isBFloatTy()) return "bf16";
  if (type->isFloatTy()) return "f32";
  if (type->isDoubleTy()) return "f64";
  throw ReadError("an operation is used on a type that it does not have");
}

bool same_shape(llvm::Type* a, llvm::Type* b) {
  const auto* left = llvm::dyn_cast<llvm::FixedVectorType>(a);
  const auto* right = llvm::dyn_cast<llvm::FixedVectorType>(b);
  if (!left || !right) return !left && !right;
  return left->getNumElements() == right->getNumElements();
}

Emitter::Emitter(ModuleReader& reader, llvm::Function& function)
    : reader(reader), context(reader.context), function(function), ir(reader.context) {}

llvm::Value* Emitter::value(uint32_t id) {
  if (const auto found = locals_.find(id); found != locals_.end()) return found->second;
  if (llvm::Constant* constant = reader.constant(id)) return constant;
  const Instruction* inst = reader.index.module.definition(id);
  if (!inst) throw ReadError("id " + std::to_string(id) + " is used but not defined");
  if (inst->op == Op::Variable || inst->op == Op::UntypedVariableKHR)
    if (const std::optional<uint32_t> builtin = builtin_of(reader.index, id)) return local_builtin(id, *builtin);
  inst->fail("is used before it is defined, or in another function");
}

// A built-in whose address is taken: a private copy, filled on entry.
llvm::Value* Emitter::local_builtin(uint32_t id, uint32_t builtin) {
  const Instruction& variable = *reader.index.module.definition(id);
  if (!entry_) variable.fail("is a built-in where only constants can be");
  const Instruction& pointer = reader.layout.type(variable.type);
  if (pointer.op != Op::TypePointer) variable.fail("is a built-in without a type");
  llvm::Type* type = reader.value_type(pointer.operand(1));
  const llvm::IRBuilder<>::InsertPointGuard guard(ir);
  llvm::AllocaInst* copy = entry_alloca(type, reader.module().getDataLayout().getPrefTypeAlign(type));
  ir.SetInsertPoint(entry_);
  ir.CreateStore(builtin_value(builtin, type, variable), copy);
  return locals_[id] = ir.CreateAddrSpaceCast(copy, reader.type(variable.type));
}

llvm::AllocaInst* Emitter::entry_alloca(llvm::Type* type, llvm::Align alignment) {
  llvm::BasicBlock* home = entry_ ? entry_ : ir.GetInsertBlock();
  auto* result = new llvm::AllocaInst(type, 0, nullptr, alignment, "", home->begin());
  return result;
}

void Emitter::define(const Instruction& inst, llvm::Value* value) {
  if (inst.result == 0) return;
  if (value->getType() != reader.type(inst.type)) inst.fail("yields another type than it says");
  locals_[inst.result] = value;
  if (llvm::isa<llvm::Instruction>(value) && !value->hasName()) {
    const std::string_view name = reader.index.name(inst.result);
    if (!name.empty()) value->setName(llvm::StringRef(name.data(), name.size()));
  }
}

llvm::Value* Emitter::operand_of(const Instruction& inst, size_t index, llvm::Type* type) {
  llvm::Value* v = operand(inst, index);
  if (v->getType() != type) inst.fail("has an operand " + std::to_string(index + 1) + " of the wrong type");
  return v;
}

llvm::Value* Emitter::int_operand(const Instruction& inst, size_t index) {
  llvm::Value* v = operand(inst, index);
  if (!v->getType()->isIntOrIntVectorTy())
    inst.fail("has an operand " + std::to_string(index + 1) + " that is no integer");
  return v;
}

llvm::Value* Emitter::float_operand(const Instruction& inst, size_t index) {
  llvm::Value* v = operand(inst, index);
  if (!v->getType()->isFPOrFPVectorTy())
    inst.fail("has an operand " + std::to_string(index + 1) + " that is no floating-point value");
  return v;
}

llvm::Value* Emitter::pointer_operand(const Instruction& inst, size_t index) {
  llvm::Value* v = operand(inst, index);
  if (!v->getType()->isPointerTy()) inst.fail("has an operand " + std::to_string(index + 1) + " that is no pointer");
  return v;
}

llvm::Value* Emitter::bool_operand(const Instruction& inst, size_t index) {
  return operand_of(inst, index, ir.getInt1Ty());
}

llvm::Value* Emitter::i32_operand(const Instruction& inst, size_t index) {
  llvm::Value* v = int_operand(inst, index);
  if (v->getType()->isVectorTy()) inst.fail("has an operand " + std::to_string(index + 1) + " that is no scalar");
  return ir.CreateZExtOrTrunc(v, ir.getInt32Ty());
}

uint32_t Emitter::constant_operand(const Instruction& inst, size_t index) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand(inst, index));
  if (!constant || constant->getBitWidth() > 64)
    inst.fail("has an operand " + std::to_string(index + 1) + " that is no integer constant");
  return uint32_t(constant->getZExtValue());
}

const Instruction& Emitter::pointee(const Instruction& inst, size_t index) {
  const Instruction& pointer = reader.type_of(inst.operand(index));
  if (pointer.op != Op::TypePointer)
    inst.fail("has an operand " + std::to_string(index + 1) + " that is no typed pointer");
  return reader.layout.type(pointer.operand(1));
}

llvm::CallInst* Emitter::call(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                              bool convergent, bool pure) {
  llvm::SmallVector<llvm::Type*, 8> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  return ir.CreateCall(reader.dialect_function(name, result, types, convergent, pure), arguments);
}

void Emitter::apply_fast_math(const Instruction& inst) {
  llvm::FastMathFlags flags;
  if (inst.result != 0) {
    const std::optional<uint32_t> defaults = reader.float_defaults(function_id, inst.type);
    if (const DecorationUse* use = reader.index.decoration(inst.result, Decoration::FPFastMathMode);
        use && !use->operands.empty())
      flags = fast_math_flags(use->operands[0]);
    else if (defaults)
      flags = fast_math_flags(*defaults);
    const bool contract = // without defaults, OpenCL's rules
        !defaults &&
        function_id != 0 && reader.contraction_allowed(function_id) && !decorated(inst, Decoration::NoContraction);
    if (contract) flags.setAllowContract();
  }
  ir.setFastMathFlags(flags);
}

} // namespace zeroth::spirv
