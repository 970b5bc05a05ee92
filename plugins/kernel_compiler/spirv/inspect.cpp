#include "inspect.hpp"

#include "../dialect.hpp"
#include "error.hpp"
#include "library_names.hpp"
#include "storage.hpp"

#include <algorithm>
#include <bit>

namespace zeroth::spirv {
namespace {

// A number of FuncParamAttr.
constexpr uint32_t NoWrite = 6;

bool has_attribute(const ModuleIndex& index, uint32_t parameter, uint32_t attribute) {
  for (const DecorationUse& use : index.decorations_of(parameter))
    if (use.decoration == Decoration::FuncParamAttr && !use.operands.empty() && use.operands[0] == attribute)
      return true;
  return false;
}

Argument::Access image_access(const Instruction& image) {
  if (image.size() < 8) return Argument::Access::ReadOnly;
  return image.operand(7) == 1   ? Argument::Access::WriteOnly
         : image.operand(7) == 2 ? Argument::Access::ReadWrite
                                 : Argument::Access::ReadOnly;
}

void describe_pointer(const ModuleIndex& index, Layout& layout, const Instruction& type, uint32_t id,
                      Argument& argument) {
  argument.address_space = address_space(type);
  if (argument.address_space == dialect::Private && type.op == Op::TypePointer) {
    const TypeLayout pointee = layout.of(type.operand(1));
    argument.size = pointee.size;
    argument.alignment = pointee.alignment;
    argument.type_name = layout.type_name(type.operand(1));
    if (const DecorationUse* use = index.decoration(id, Decoration::Alignment); use && !use->operands.empty())
      if (std::has_single_bit(use->operands[0]) && use->operands[0] <= 256)
        argument.alignment = std::max<uint64_t>(argument.alignment, use->operands[0]);
    return;
  }
  argument.kind = argument.address_space == dialect::Local ? Argument::Kind::Local : Argument::Kind::Pointer;
}

Argument describe_argument(const ModuleIndex& index, Layout& layout, const Instruction& parameter) {
  const Instruction& type = layout.type(parameter.type);
  Argument argument;
  argument.name = index.name(parameter.result);
  argument.type_name = layout.type_name(parameter.type);
  const TypeLayout place = layout.of(parameter.type);
  argument.size = place.size;
  argument.alignment = place.alignment;
  if (type.op == Op::TypePointer || type.op == Op::TypeUntypedPointerKHR)
    describe_pointer(index, layout, type, parameter.result, argument);
  else if (type.op == Op::TypeImage)
    argument.kind = Argument::Kind::Image, argument.access = image_access(type);
  else if (type.op == Op::TypeSampler)
    argument.kind = Argument::Kind::Sampler;
  if (argument.kind == Argument::Kind::Pointer && has_attribute(index, parameter.result, NoWrite))
    argument.qualifiers = "const";
  return argument;
}

// What the producer wrote down of the source beats what can be seen in the types.
void apply_texts(const ModuleIndex& index, Kernel& kernel) {
  const auto types = index.argument_texts.find(kernel.name + ".type");
  const auto qualifiers = index.argument_texts.find(kernel.name + ".qual");
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    if (types != index.argument_texts.end() && i < types->second.size())
      kernel.arguments[i].type_name = types->second[i];
    if (qualifiers != index.argument_texts.end() && i < qualifiers->second.size())
      kernel.arguments[i].qualifiers = qualifiers->second[i];
  }
}

std::array<uint32_t, 3> triple(const ModeUse* literal, const ModeUse* ids, Layout& layout) {
  std::array<uint32_t, 3> result{};
  for (size_t i = 0; i < 3; ++i) {
    if (literal && i < literal->operands.size())
      result[i] = literal->operands[i];
    else if (ids && i < ids->operands.size())
      result[i] = uint32_t(layout.integer(ids->operands[i]));
  }
  return result;
}

std::string text(const char* name, const std::array<uint32_t, 3>& size) {
  return std::string(name) + "(" + std::to_string(size[0]) + "," + std::to_string(size[1]) + "," +
         std::to_string(size[2]) + ")";
}

void describe_attributes(Kernel& kernel) {
  const auto add = [&](const std::string& part) { kernel.attributes += (kernel.attributes.empty() ? "" : " ") + part; };
  if (kernel.required_group_size[0]) add(text("reqd_work_group_size", kernel.required_group_size));
  if (kernel.group_size_hint[0]) add(text("work_group_size_hint", kernel.group_size_hint));
  if (kernel.required_sub_group_size)
    add("intel_reqd_sub_group_size(" + std::to_string(kernel.required_sub_group_size) + ")");
}

void describe_modes(const ModuleIndex& index, Layout& layout, uint32_t function, Kernel& kernel) {
  kernel.required_group_size =
      triple(index.mode(function, ExecutionMode::LocalSize), index.mode(function, ExecutionMode::LocalSizeId), layout);
  kernel.group_size_hint = triple(index.mode(function, ExecutionMode::LocalSizeHint),
                                  index.mode(function, ExecutionMode::LocalSizeHintId), layout);
  kernel.max_group_size = triple(index.mode(function, ExecutionMode::MaxWorkgroupSizeINTEL), nullptr, layout);
  if (const ModeUse* size = index.mode(function, ExecutionMode::SubgroupSize); size && !size->operands.empty())
    kernel.required_sub_group_size = size->operands[0];
  describe_attributes(kernel);
}

Kernel describe_kernel(const ModuleIndex& index, Layout& layout, const EntryPoint& entry) {
  const auto found = index.function_by_id.find(entry.function);
  if (found == index.function_by_id.end()) entry.instruction->fail("kernel " + entry.name + " is not a function");
  Kernel kernel;
  kernel.name = entry.name;
  for (const Instruction* parameter : index.functions[found->second].parameters) {
    Argument argument = describe_argument(index, layout, *parameter);
    argument.offset = (kernel.argument_block_size + argument.alignment - 1) / argument.alignment * argument.alignment;
    kernel.argument_block_size = argument.offset + argument.size;
    if (kernel.argument_block_size > MaxArgumentBlock)
      parameter->fail("the arguments of kernel " + entry.name + " are too large");
    kernel.arguments.push_back(std::move(argument));
  }
  describe_modes(index, layout, entry.function, kernel);
  apply_texts(index, kernel);
  return kernel;
}

void collect_spec_constants(const ModuleIndex& index, Layout& layout, Inspection& info) {
  for (const Instruction& inst : index.module.instructions) {
    if (inst.op != Op::SpecConstant && inst.op != Op::SpecConstantTrue && inst.op != Op::SpecConstantFalse) continue;
    const DecorationUse* use = index.decoration(inst.result, Decoration::SpecId);
    if (!use || use->operands.empty()) continue;
    info.spec_constants.push_back(
        {use->operands[0], uint32_t(layout.of(inst.type).size), std::string(index.name(inst.result))});
  }
}

bool is_provided(std::string_view import) {
  const std::optional<MangledName> name = demangle(import);
  return name && is_library_name(name->name);
}

void collect_linkage(const ModuleIndex& index, Layout& layout, Inspection& info) {
  for (const Instruction& inst : index.module.instructions) {
    if (inst.op != Op::Function && inst.op != Op::Variable) continue;
    std::string_view name;
    const Linkage linkage = index.linkage(inst.result, &name);
    if (linkage == Linkage::None || builtin_of(index, inst.result)) continue;
    Symbol symbol{std::string(name), inst.op == Op::Function, 0, false};
    if (const auto function = index.function_by_id.find(inst.result); function != index.function_by_id.end())
      symbol.is_offered = index.is_offered(index.functions[function->second]);
    if (inst.op == Op::Variable && layout.type(inst.type).op == Op::TypePointer)
      symbol.size = layout.of(layout.type(inst.type).operand(1)).size;
    if (linkage != Linkage::Import)
      info.exports.push_back(std::move(symbol));
    else if (!is_known_intrinsic(name) && !is_provided(name))
      info.imports.push_back(std::move(symbol));
  }
}

} // namespace

Inspection inspect(const ModuleIndex& index, Layout& layout) {
  Inspection info;
  for (const EntryPoint& entry : index.entry_points) info.kernels.push_back(describe_kernel(index, layout, entry));
  collect_spec_constants(index, layout, info);
  collect_linkage(index, layout, info);
  return info;
}

InspectResult inspect(std::span<const uint32_t> words, std::span<const SpecConstantValue> constants) {
  InspectResult result;
  try {
    const Module module = decode(words);
    const ModuleIndex index = index_module(module);
    Layout layout(index, constants);
    result.info = inspect(index, layout);
    result.ok = true;
  } catch (const std::exception& error) {
    result.log = std::string("error: ") + error.what() + "\n";
  }
  return result;
}

} // namespace zeroth::spirv
