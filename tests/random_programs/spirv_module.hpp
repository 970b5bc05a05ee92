// The module that a program becomes: its capabilities, types, constants, built-in variables and local arrays.
#pragma once

#include "program.hpp"
#include "spirv_writer.hpp"

#include <spirv/unified1/spirv.hpp>

namespace zeroth::random_programs {

using Id = SpirvWriter::Id;
using Words = SpirvWriter::Words;
using Section = SpirvWriter::Section;

// Names and types that the whole module shares.
class Module {
public:
  explicit Module(const Program& program) : program(program) {
    for (spv::Capability c : {spv::CapabilityAddresses, spv::CapabilityKernel, spv::CapabilityInt64,
                              spv::CapabilityInt8, spv::CapabilityInt16})
      w.emit(Section::Capabilities, spv::OpCapability, {c});
    if (program.uses_sub_groups)
      for (spv::Capability c : {spv::CapabilitySubgroupDispatch, spv::CapabilityGroupNonUniform,
                                spv::CapabilityGroupNonUniformArithmetic, spv::CapabilityGroupNonUniformVote,
                                spv::CapabilityGroupNonUniformBallot, spv::CapabilityGroupNonUniformShuffle})
        w.emit(Section::Capabilities, spv::OpCapability, {c});
    extended = w.new_id();
    Words import{extended};
    append(import, SpirvWriter::text("OpenCL.std"));
    w.emit(Section::Imports, spv::OpExtInstImport, import);
    w.emit(Section::Memory, spv::OpMemoryModel, {spv::AddressingModelPhysical64, spv::MemoryModelOpenCL});
    declare_types();
  }

  static void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

  Id type(Type t) {
    if (is_vector(t)) return w.declare(spv::OpTypeVector, {component_type(t), component_count(t)});
    return t == Type::Bool ? boolean : t == Type::U64 ? u64 : t == Type::F32 ? f32 : u32;
  }
  Id component_type(Type t) const { return t == Type::U16x4 ? u16 : u32; }
  Id conditions(Type t) { return w.declare(spv::OpTypeVector, {boolean, component_count(t)}); }
  Id pointer(spv::StorageClass storage, Id to) { return w.declare(spv::OpTypePointer, {storage, to}); }
  Id constant(uint32_t value) { return w.declare_typed(spv::OpConstant, u32, {value}); }
  Id constant(Type t, uint64_t bits) {
    if (t == Type::Bool) return w.declare_typed(bits ? spv::OpConstantTrue : spv::OpConstantFalse, boolean, {});
    if (is_vector(t)) return constant_vector(t, bits);
    if (t == Type::U64) return w.declare_typed(spv::OpConstant, u64, {uint32_t(bits), uint32_t(bits >> 32)});
    return w.declare_typed(spv::OpConstant, type(t), {uint32_t(bits)});
  }

  Id constant_vector(Type t, uint64_t bits) {
    Words components;
    for (uint32_t c = 0; c < component_count(t); ++c, bits >>= component_bits(t))
      components.push_back(
          w.declare_typed(spv::OpConstant, component_type(t), {uint32_t(t == Type::U16x4 ? bits & 0xffff : bits)}));
    return w.declare_typed(spv::OpConstantComposite, type(t), components);
  }

  Id builtin(spv::BuiltIn which) {
    auto [entry, added] = builtins_.try_emplace(which, 0);
    if (!added) return entry->second;
    const bool scalar = which == spv::BuiltInSubgroupSize || which == spv::BuiltInSubgroupLocalInvocationId ||
                        which == spv::BuiltInSubgroupId;
    const Id of = pointer(spv::StorageClassInput, scalar ? u32 : vector);
    entry->second = w.new_id();
    w.emit(Section::Declarations, spv::OpVariable, {of, entry->second, spv::StorageClassInput});
    w.emit(Section::Decorations, spv::OpDecorate, {entry->second, spv::DecorationBuiltIn, which});
    w.emit(Section::Decorations, spv::OpDecorate, {entry->second, spv::DecorationConstant});
    interface.push_back(entry->second);
    return entry->second;
  }

  const Program& program;
  SpirvWriter w;
  Id extended, nothing, boolean, u8, u16, u32, u64, f32, vector, ballot;
  Words interface;
  std::vector<Id> functions, local_arrays;

private:
  void declare_types() {
    nothing = w.declare(spv::OpTypeVoid, {});
    boolean = w.declare(spv::OpTypeBool, {});
    u8 = w.declare(spv::OpTypeInt, {8, 0});
    u16 = w.declare(spv::OpTypeInt, {16, 0});
    u32 = w.declare(spv::OpTypeInt, {32, 0});
    u64 = w.declare(spv::OpTypeInt, {64, 0});
    f32 = w.declare(spv::OpTypeFloat, {32});
    vector = w.declare(spv::OpTypeVector, {u64, 3});
    ballot = w.declare(spv::OpTypeVector, {u32, 4});
    const Id array = w.declare(spv::OpTypeArray, {u32, constant(LocalWords)});
    for (uint32_t a = 0; a < program.all_local_arrays(); ++a) {
      const Id of = pointer(spv::StorageClassWorkgroup, array);
      local_arrays.push_back(w.new_id());
      w.emit(Section::Declarations, spv::OpVariable, {of, local_arrays.back(), spv::StorageClassWorkgroup});
      interface.push_back(local_arrays.back());
    }
  }

  std::map<spv::BuiltIn, Id> builtins_;
};

} // namespace zeroth::random_programs
