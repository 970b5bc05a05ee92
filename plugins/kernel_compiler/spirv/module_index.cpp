#include "module_index.hpp"

#include "error.hpp"

#include <algorithm>
#include <sstream>

namespace zeroth::spirv {
namespace {

constexpr uint32_t KernelModel = 6;
constexpr uint32_t Physical64 = 2;
constexpr uint32_t OpenCLMemory = 2;

using Handler = void (*)(ModuleIndex&, const Instruction&);

void capability(ModuleIndex&, const Instruction& inst) {
  const CapabilityInfo* info = find_capability(inst.operand(0));
  if (!info) inst.fail("capability " + std::to_string(inst.operand(0)) + " is not known");
  if (!info->accepted) inst.fail("capability " + std::string(info->name) + " is not supported");
}

void extension(ModuleIndex&, const Instruction& inst) {
  const std::string_view name = inst.string(0);
  if (!extension_accepted(name)) inst.fail("extension " + std::string(name) + " is not supported");
}

void import_set(ModuleIndex& index, const Instruction& inst) {
  const std::string_view name = inst.string(0);
  InstructionSet set;
  if (name == "OpenCL.std")
    set = InstructionSet::OpenCLStd;
  else if (name == "OpenCL.DebugInfo.100")
    set = InstructionSet::OpenCLDebugInfo;
  else if (name.starts_with("NonSemantic.Shader.DebugInfo"))
    set = InstructionSet::ShaderDebugInfo;
  else if (name.starts_with("NonSemantic."))
    set = InstructionSet::NonSemantic;
  else
    inst.fail("extended instruction set " + std::string(name) + " is not supported");
  index.instruction_sets[inst.result] = set;
}

void memory_model(ModuleIndex&, const Instruction& inst) {
  if (inst.operand(0) == 1) inst.fail("32-bit addressing (Physical32) is not supported by this 64-bit device");
  if (inst.operand(0) != Physical64) inst.fail("the addressing model is not Physical64");
  if (inst.operand(1) != OpenCLMemory) inst.fail("the memory model is not OpenCL");
}

void entry_point(ModuleIndex& index, const Instruction& inst) {
  if (inst.operand(0) != KernelModel) inst.fail("the entry point is not a kernel");
  const std::string_view name = inst.string(2);
  if (name.empty()) inst.fail("the entry point has no name");
  for (const EntryPoint& other : index.entry_points)
    if (other.name == name) inst.fail("there is a second entry point named " + std::string(name));
  index.entry_points.push_back({inst.operand(1), std::string(name), &inst});
}

void execution_mode(ModuleIndex& index, const Instruction& inst) {
  index.modes[inst.operand(0)].push_back({ExecutionMode(inst.operand(1)), inst.operands.subspan(2)});
  index.has_float_defaults |= ExecutionMode(inst.operand(1)) == ExecutionMode::FPFastMathDefault;
}

void name(ModuleIndex& index, const Instruction& inst) { index.names[inst.operand(0)] = inst.string(1); }

// "kernel_arg_type.NAME.int*,float," as the Khronos translator leaves argument texts.
void argument_text(ModuleIndex& index, std::string_view text) {
  for (const auto& [prefix, suffix] : {std::pair{"kernel_arg_type.", ".type"}, {"kernel_arg_type_qual.", ".qual"}}) {
    if (!text.starts_with(prefix)) continue;
    const std::string_view rest = text.substr(std::string_view(prefix).size());
    const size_t dot = rest.find('.');
    if (dot == rest.npos) return;
    std::vector<std::string>& list = index.argument_texts[std::string(rest.substr(0, dot)) + suffix];
    std::istringstream items{std::string(rest.substr(dot + 1))};
    list.clear();
    for (std::string item; std::getline(items, item, ',');) list.push_back(item);
  }
}

void string(ModuleIndex& index, const Instruction& inst) {
  index.strings[inst.result] = inst.string(0);
  argument_text(index, inst.string(0));
}

void decorate(ModuleIndex& index, const Instruction& inst) {
  index.decorations[inst.operand(0)].push_back({Decoration(inst.operand(1)), -1, inst.operands.subspan(2), &inst});
}

void member_decorate(ModuleIndex& index, const Instruction& inst) {
  index.decorations[inst.operand(0)].push_back(
      {Decoration(inst.operand(2)), int32_t(inst.operand(1) & 0x7FFFFFFF), inst.operands.subspan(3), &inst});
}

void group_decorate(ModuleIndex& index, const Instruction& inst) {
  const std::vector<DecorationUse> group = index.decorations_of(inst.operand(0));
  if (group.size() * inst.size() > 1'000'000) inst.fail("decorates too many ids");
  for (uint32_t target : inst.operands.subspan(1)) {
    std::vector<DecorationUse>& uses = index.decorations[target];
    uses.insert(uses.end(), group.begin(), group.end());
  }
}

void group_member_decorate(ModuleIndex& index, const Instruction& inst) {
  const std::vector<DecorationUse> group = index.decorations_of(inst.operand(0));
  if (group.size() * inst.size() > 1'000'000) inst.fail("decorates too many members");
  for (size_t i = 1; i + 1 < inst.size(); i += 2)
    for (DecorationUse use : group) {
      use.member = int32_t(inst.operand(i + 1) & 0x7FFFFFFF);
      index.decorations[inst.operand(i)].push_back(use);
    }
}

void conditional(ModuleIndex&, const Instruction& inst) { inst.fail("function variants are not supported"); }

Handler handler(Op op) {
  switch (op) {
  case Op::Capability:
    return capability;
  case Op::Extension:
    return extension;
  case Op::ExtInstImport:
    return import_set;
  case Op::MemoryModel:
    return memory_model;
  case Op::EntryPoint:
    return entry_point;
  case Op::ExecutionMode:
  case Op::ExecutionModeId:
    return execution_mode;
  case Op::Name:
    return name;
  case Op::String:
    return string;
  case Op::Decorate:
  case Op::DecorateId:
  case Op::DecorateString:
    return decorate;
  case Op::MemberDecorate:
  case Op::MemberDecorateString:
    return member_decorate;
  case Op::GroupDecorate:
    return group_decorate;
  case Op::GroupMemberDecorate:
    return group_member_decorate;
  case Op::ConditionalExtensionINTEL:
  case Op::ConditionalEntryPointINTEL:
  case Op::ConditionalCapabilityINTEL:
    return conditional;
  default:
    return nullptr;
  }
}

// Lines and non-semantic remarks may stand between parameters.
bool is_remark(Op op) { return op == Op::Line || op == Op::NoLine || op == Op::Nop || op == Op::ExtInst; }

void index_functions(ModuleIndex& index) {
  const std::vector<Instruction>& list = index.module.instructions;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].op == Op::FunctionEnd) list[i].fail("ends a function that was not begun");
    if (list[i].op == Op::Label) list[i].fail("begins a block outside a function");
    if (list[i].op != Op::Function) continue;
    FunctionRange range{list[i].result, i, i + 1, {}, 0};
    for (; range.end < list.size() && list[range.end].op != Op::FunctionEnd; ++range.end) {
      const Instruction& inst = list[range.end];
      if (inst.op == Op::Function) inst.fail("begins inside another function");
      if (inst.op == Op::FunctionParameter && range.body == 0)
        range.parameters.push_back(&inst);
      else if (range.body == 0 && !is_remark(inst.op))
        range.body = range.end;
    }
    if (range.end == list.size()) list[i].fail("has no end");
    if (range.body == 0) range.body = range.end;
    i = range.end;
    index.function_by_id[range.id] = index.functions.size();
    index.functions.push_back(std::move(range));
  }
}

} // namespace

const DecorationUse* ModuleIndex::decoration(uint32_t id, Decoration wanted, int32_t member) const {
  for (const DecorationUse& use : decorations_of(id))
    if (use.decoration == wanted && use.member == member) return &use;
  return nullptr;
}

const std::vector<DecorationUse>& ModuleIndex::decorations_of(uint32_t id) const {
  static const std::vector<DecorationUse> none;
  const auto found = decorations.find(id);
  return found == decorations.end() ? none : found->second;
}

const ModeUse* ModuleIndex::mode(uint32_t function, ExecutionMode wanted) const {
  const auto found = modes.find(function);
  if (found == modes.end()) return nullptr;
  for (const ModeUse& use : found->second)
    if (use.mode == wanted) return &use;
  return nullptr;
}

bool ModuleIndex::any_mode(ExecutionMode wanted) const {
  for (const EntryPoint& entry : entry_points)
    if (mode(entry.function, wanted)) return true;
  return false;
}

std::string_view ModuleIndex::name(uint32_t id) const {
  const auto found = names.find(id);
  return found == names.end() ? std::string_view() : found->second;
}

Linkage ModuleIndex::linkage(uint32_t id, std::string_view* name) const {
  const DecorationUse* use = decoration(id, Decoration::LinkageAttributes);
  if (!use || use->operands.empty()) {
    // SPV_INTEL_function_pointers: the host may ask for its address, by the only name that it has.
    const std::string_view own = this->name(id);
    if (own.empty() || !decoration(id, Decoration::ReferencedIndirectlyINTEL)) return Linkage::None;
    if (name) *name = own;
    return Linkage::Export;
  }
  size_t next = 0;
  const size_t first = use->instruction->size() - use->operands.size();
  const std::string_view text = use->instruction->string(first, &next);
  if (name) *name = text;
  return Linkage(use->instruction->operand(next));
}

bool ModuleIndex::is_offered(const FunctionRange& function) const {
  std::string_view name;
  const Linkage found = linkage(function.id, &name);
  const bool has_body = function.body != function.end;
  if (!has_body || (found != Linkage::Export && found != Linkage::Weak)) return false;
  constexpr std::string_view body_prefix = "__clang_ocl_kern_imp_";
  if (name.starts_with(body_prefix)) return false;
  return std::ranges::none_of(entry_points, [&](const EntryPoint& entry) { return entry.name == name; });
}

ModuleIndex index_module(const Module& module) {
  ModuleIndex index{module, {}, {}, {}, {}, false, {}, {}, {}, {}, {}, {}};
  for (const Instruction& inst : module.instructions)
    if (const Handler handle = handler(inst.op)) handle(index, inst);
  if (std::ranges::find(module.instructions, Op::MemoryModel, &Instruction::op) == module.instructions.end())
    throw ReadError("the module has no OpMemoryModel");
  index_functions(index);
  return index;
}

} // namespace zeroth::spirv
