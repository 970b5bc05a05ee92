// Builds the body of one function. Emitters of the single instructions (emit_*.cpp) get it as their only context:
// values by id, types by id, the LLVM builder, and checks that hold before LLVM sees anything (LLVM's own asserts are
// not compiled in, so a wrong operand type must be refused here).
#pragma once

#include "module_reader.hpp"

#include <llvm/IR/IRBuilder.h>

namespace zeroth::spirv {

class Emitter {
public:
  Emitter(ModuleReader& reader, llvm::Function& function);

  // Reads all blocks of a function body.
  void emit_body(const FunctionRange& range);
  // Runs one instruction outside any body; its value, folded where LLVM can.
  llvm::Value* emit_constant(const Instruction& inst);
  // Runs one instruction where the builder stands; its value, or null.
  llvm::Value* run(const Instruction& inst);
  // Makes an id mean a value in this function.
  void bind(uint32_t id, llvm::Value* value) { locals_[id] = value; }

  // --- values
  llvm::Value* value(uint32_t id);
  llvm::Value* operand(const Instruction& inst, size_t index) { return value(inst.operand(index)); }
  // Binds the result id; the value must have the type that the instruction says.
  void define(const Instruction& inst, llvm::Value* value);
  llvm::Type* result_type(const Instruction& inst) { return reader.value_type(inst.type); }
  // Operand whose type must be the given one.
  llvm::Value* operand_of(const Instruction& inst, size_t index, llvm::Type* type);
  llvm::Value* int_operand(const Instruction& inst, size_t index);     // integer or vector of them
  llvm::Value* float_operand(const Instruction& inst, size_t index);   // float or vector of them
  llvm::Value* pointer_operand(const Instruction& inst, size_t index); // one pointer
  llvm::Value* bool_operand(const Instruction& inst, size_t index);    // i1
  // Operand as an i32 (integers are converted, as unsigned).
  llvm::Value* i32_operand(const Instruction& inst, size_t index);
  // Integer constant (scopes, semantics, counts): of 32 bits at most; throws when it is none.
  uint32_t constant_operand(const Instruction& inst, size_t index);
  // Type instruction that a pointer value points to; throws when its pointer type has none.
  const Instruction& pointee(const Instruction& inst, size_t index);
  bool decorated(const Instruction& inst, Decoration decoration) const {
    return reader.index.decoration(inst.result, decoration) != nullptr;
  }

  // --- building
  llvm::CallInst* call(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                       bool convergent = false, bool pure = true);
  // Applies a scalar function to each component of same-length vectors (or to scalars).
  template <class Fn> llvm::Value* per_component(llvm::ArrayRef<llvm::Value*> operands, Fn&& fn) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(operands[0]->getType());
    if (!vector) return fn(operands);
    llvm::Value* result = nullptr;
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      llvm::SmallVector<llvm::Value*, 4> parts;
      for (llvm::Value* v : operands) parts.push_back(v->getType()->isVectorTy() ? ir.CreateExtractElement(v, i) : v);
      llvm::Value* part = fn(parts);
      if (!result)
        result = llvm::PoisonValue::get(llvm::FixedVectorType::get(part->getType(), vector->getNumElements()));
      result = ir.CreateInsertElement(result, part, i);
    }
    return result;
  }
  llvm::AllocaInst* entry_alloca(llvm::Type* type, llvm::Align alignment);
  // Value of a built-in variable (storage.cpp names them) as the type asked for.
  llvm::Value* builtin_value(uint32_t builtin, llvm::Type* type, const Instruction& inst);
  // Fast-math flags of an instruction, set on the builder until the next one.
  void apply_fast_math(const Instruction& inst);

  llvm::BasicBlock* block(uint32_t label, const Instruction& inst);
  // Targets of a branch or switch by label.
  std::vector<uint32_t> successors(const Instruction& terminator);
  // (literal, label) pairs of OpSwitch.
  std::vector<std::pair<uint64_t, uint32_t>> switch_cases(const Instruction& inst);

  ModuleReader& reader;
  llvm::LLVMContext& context;
  llvm::Function& function;
  llvm::IRBuilder<> ir;
  uint32_t function_id = 0;
  // Loop hints by header label, attached when the body is complete.
  struct LoopHint {
    uint32_t header = 0;
    uint32_t continue_target = 0;
    uint32_t control = 0;
    uint32_t partial_count = 0;
  };
  std::vector<LoopHint> loop_hints;
  uint32_t current_label = 0;

private:
  struct Block {
    uint32_t label = 0;
    size_t first = 0; // instruction index after OpLabel
    size_t terminator = 0;
    llvm::BasicBlock* llvm = nullptr;
  };
  void split_blocks(const FunctionRange& range);
  std::vector<size_t> block_order();
  void bind_parameters(const FunctionRange& range);
  void emit_block(const Block& block);
  void dispatch(const Instruction& inst);
  void make_phi(const Instruction& inst);
  void complete_phis();
  void attach_loop_hints();
  llvm::Value* local_builtin(uint32_t id, uint32_t builtin);

  std::vector<Block> blocks_;
  std::unordered_map<uint32_t, size_t> block_by_label_;
  std::unordered_map<uint32_t, llvm::Value*> locals_;
  std::vector<std::pair<const Instruction*, llvm::PHINode*>> phis_;
  llvm::BasicBlock* entry_ = nullptr;
};

using EmitFunction = void (*)(Emitter&, const Instruction&);

struct EmitterEntry {
  Op op;
  EmitFunction emit;
};

// The emitters by topic; find_emitter() looks through all of them. Null: the instruction has no place in a body.
using EmitterTable = llvm::ArrayRef<EmitterEntry>;
EmitterTable arithmetic_emitters();
EmitterTable bit_emitters();
EmitterTable comparison_emitters();
EmitterTable conversion_emitters();
EmitterTable composite_emitters();
EmitterTable memory_emitters();
EmitterTable pointer_emitters();
EmitterTable control_emitters();
EmitterTable atomic_emitters();
EmitterTable group_emitters();
EmitterTable sub_group_emitters();
EmitterTable image_emitters();
EmitterTable intel_image_emitters();
EmitterTable extended_emitters();
EmitterTable intel_emitters();
EmitFunction find_emitter(Op op);

// "f32", "i64": how dialect names mangle a scalar type.
std::string type_suffix(llvm::Type* type);
bool same_shape(llvm::Type* a, llvm::Type* b); // both scalar, or vectors of the same length

} // namespace zeroth::spirv
