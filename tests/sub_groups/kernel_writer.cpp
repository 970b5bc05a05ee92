#include "kernel_writer.hpp"

namespace zeroth::sub_groups {

using Section = random_programs::SpirvWriter::Section;
using random_programs::SpirvWriter;

KernelWriter::KernelWriter(uint32_t sub_group_size) : size_(sub_group_size) {
  for (spv::Capability c :
       {spv::CapabilityAddresses, spv::CapabilityKernel, spv::CapabilityInt64, spv::CapabilityInt8,
        spv::CapabilityInt16, spv::CapabilityFloat64, spv::CapabilityGroups, spv::CapabilitySubgroupDispatch,
        spv::CapabilityGroupNonUniform, spv::CapabilityGroupNonUniformVote, spv::CapabilityGroupNonUniformArithmetic,
        spv::CapabilityGroupNonUniformBallot, spv::CapabilityGroupNonUniformShuffle,
        spv::CapabilityGroupNonUniformShuffleRelative, spv::CapabilityGroupNonUniformClustered,
        spv::CapabilityGroupNonUniformRotateKHR, spv::CapabilityGroupUniformArithmeticKHR,
        spv::CapabilitySubgroupShuffleINTEL, spv::CapabilitySubgroupBufferBlockIOINTEL})
    w.emit(Section::Capabilities, spv::OpCapability, {c});
  for (const char* extension : {"SPV_KHR_subgroup_rotate", "SPV_KHR_uniform_group_instructions", "SPV_INTEL_subgroups"})
    w.emit(Section::Capabilities, spv::OpExtension, SpirvWriter::text(extension));
  w.emit(Section::Memory, spv::OpMemoryModel, {spv::AddressingModelPhysical64, spv::MemoryModelOpenCL});
  nothing_ = w.declare(spv::OpTypeVoid, {});
  boolean = w.declare(spv::OpTypeBool, {});
  u8_ = w.declare(spv::OpTypeInt, {8, 0});
  u16_ = w.declare(spv::OpTypeInt, {16, 0});
  u32 = w.declare(spv::OpTypeInt, {32, 0});
  u64 = w.declare(spv::OpTypeInt, {64, 0});
  f32_ = w.declare(spv::OpTypeFloat, {32});
  f64_ = w.declare(spv::OpTypeFloat, {64});
  ids_ = w.declare(spv::OpTypeVector, {u64, 3});
  ballot = w.declare(spv::OpTypeVector, {u32, 4});
}

Id KernelWriter::type(Type t) const {
  const Id types[] = {u8_, u16_, u32, u64, f32_, f64_};
  return types[size_t(t)];
}

Id KernelWriter::builtin(spv::BuiltIn which) {
  const bool mask = which >= spv::BuiltInSubgroupEqMask && which <= spv::BuiltInSubgroupLtMask;
  const Id of = which == spv::BuiltInGlobalInvocationId ? ids_ : mask ? ballot : u32;
  auto [entry, added] = builtins_.try_emplace(which, 0);
  if (added) {
    entry->second = w.new_id();
    const Id pointer = w.declare(spv::OpTypePointer, {spv::StorageClassInput, of});
    w.emit(Section::Declarations, spv::OpVariable, {pointer, entry->second, spv::StorageClassInput});
    w.emit(Section::Decorations, spv::OpDecorate, {entry->second, spv::DecorationBuiltIn, which});
  }
  return value(spv::OpLoad, of, {entry->second});
}

Id KernelWriter::as(Type t, Id word) {
  if (t == Type::U32) return word;
  return value(is_float(t) ? spv::OpConvertUToF : spv::OpUConvert, type(t), {word});
}

Id KernelWriter::flag(Id condition, Type t) {
  return as(t, value(spv::OpSelect, u32, {condition, constant(1), constant(0)}));
}

Id KernelWriter::low_words(Id four) {
  const Id low = value(spv::OpUConvert, u64, {value(spv::OpCompositeExtract, u32, {four, 0})});
  const Id high = value(spv::OpUConvert, u64, {value(spv::OpCompositeExtract, u32, {four, 1})});
  const Id moved = value(spv::OpShiftLeftLogical, u64, {high, w.declare_typed(spv::OpConstant, u64, {32, 0})});
  return value(spv::OpBitwiseOr, u64, {low, moved});
}

Id KernelWriter::nonzero(Id word) { return value(spv::OpINotEqual, boolean, {word, constant(0)}); }

// For U64 cases, whose low bit the test draws evenly.
Id KernelWriter::is_odd(Id of_x) {
  const Id one = w.declare_typed(spv::OpConstant, u64, {1, 0});
  return value(spv::OpIEqual, boolean, {value(spv::OpBitwiseAnd, u64, {of_x, one}), one});
}

Id KernelWriter::element(Id base, Type t, Id index) {
  return value(spv::OpInBoundsPtrAccessChain, global(t), {base, index});
}

void KernelWriter::kernel(const std::string& name, Type t, bool some, const std::function<Id(KernelWriter&)>& body) {
  const Id typed = global(t), words = global(Type::U32);
  const Id signature = w.declare(spv::OpTypeFunction, {nothing_, typed, typed, words, words});
  const Id function = w.new_id();
  w.emit(spv::OpFunction, {nothing_, function, 0, signature});
  out = value(spv::OpFunctionParameter, typed, {});
  in = value(spv::OpFunctionParameter, typed, {});
  const Id picks = value(spv::OpFunctionParameter, words, {}), flags = value(spv::OpFunctionParameter, words, {});
  w.emit(spv::OpLabel, {w.new_id()});
  const Id id = value(spv::OpCompositeExtract, u64, {builtin(spv::BuiltInGlobalInvocationId), 0});
  x = load(element(in, t, id), t);
  pick = load(element(picks, Type::U32, id), Type::U32);
  const Id here = w.new_id(), end = w.new_id();
  const Id wanted = some ? nonzero(load(element(flags, Type::U32, id), Type::U32)) : 0;
  if (some)
    w.emit(spv::OpBranchConditional, {wanted, here, end});
  else
    w.emit(spv::OpBranch, {here});
  w.emit(spv::OpLabel, {here});
  if (const Id result = body(*this))
    w.emit(spv::OpStore, {element(out, t, id), result, spv::MemoryAccessAlignedMask, bytes_of(t)});
  w.emit(spv::OpBranch, {end});
  w.emit(spv::OpLabel, {end});
  w.emit(spv::OpReturn, {});
  w.emit(spv::OpFunctionEnd, {});
  Words entry{spv::ExecutionModelKernel, function};
  for (uint32_t word : SpirvWriter::text(name)) entry.push_back(word);
  w.emit(Section::EntryPoints, spv::OpEntryPoint, entry);
  w.emit(Section::Modes, spv::OpExecutionMode, {function, spv::ExecutionModeSubgroupSize, size_});
}

} // namespace zeroth::sub_groups
