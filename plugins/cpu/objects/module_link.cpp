// Modules that use each other's functions and variables. Linking builds all of them anew as one program, whose code and
// variables they share from then on. Variables begin with what they held before; kernels and pointers of before keep
// the old ones.
#include "kernel.hpp"
#include "module.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <span>

namespace zeroth::cpu {

namespace {

using compiler::SymbolInfo;

std::set<std::string> names_of(const std::vector<SymbolInfo>& symbols) {
  std::set<std::string> names;
  for (const SymbolInfo& symbol : symbols) names.insert(symbol.name);
  return names;
}

// Each once.
std::vector<CpuModule*> modules_of(uint32_t count, ze_module_handle_t* handles) {
  std::vector<CpuModule*> modules;
  for (uint32_t i = 0; i < count; ++i) {
    if (!handles[i]) throw Error(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "module {} is null", i);
    CpuModule* module = from_handle<CpuModule>(handles[i]);
    if (std::find(modules.begin(), modules.end(), module) == modules.end()) modules.push_back(module);
  }
  return modules;
}

// Calls visit(opcode, operands) for each instruction, as far as the words can be read.
template <class Visit> void for_each_instruction(compiler::Bytes spirv, Visit visit) {
  constexpr std::size_t Header = 5;
  std::vector<std::uint32_t> words(spirv.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), spirv.data(), words.size() * sizeof(std::uint32_t));
  for (std::size_t at = Header; at < words.size();) {
    const std::size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) return;
    visit(words[at] & 0xffff, std::span<const std::uint32_t>(words).subspan(at + 1, length - 1));
    at += length;
  }
}

// Names of functions and variables that a module exports. Compiled code lists those alone that have an address, and
// most functions end inside kernels.
void add_exports(compiler::Bytes spirv, std::set<std::string>& names) {
  constexpr std::uint32_t Decorate = 71, LinkageAttributes = 41, Export = 0;
  for_each_instruction(spirv, [&](std::uint32_t opcode, std::span<const std::uint32_t> operands) {
    if (opcode != Decorate || operands.size() < 4 || operands[1] != LinkageAttributes || operands.back() != Export)
      return;
    const auto* text = reinterpret_cast<const char*>(operands.data() + 2);
    const std::size_t most = (operands.size() - 3) * sizeof(std::uint32_t);
    names.emplace(text, strnlen(text, most));
  });
}

bool declares_linkage(compiler::Bytes spirv) {
  constexpr std::uint32_t Capability = 17, Linkage = 5;
  bool found = false;
  for_each_instruction(spirv, [&](std::uint32_t opcode, std::span<const std::uint32_t> operands) {
    found |= opcode == Capability && operands.size() == 1 && operands[0] == Linkage;
  });
  return found;
}

std::set<std::string> exported_by(const std::vector<CpuModule*>& modules) {
  std::set<std::string> names;
  for (const CpuModule* module : modules) names.merge(module->exported_names());
  return names;
}

std::string unresolved(const std::vector<CpuModule*>& modules) {
  const auto exported = exported_by(modules);
  std::string text;
  for (const CpuModule* module : modules)
    for (const std::string& name : names_of(module->compiled().imports()))
      if (!exported.count(name)) text += "unresolved: " + name + '\n';
  return text;
}

std::string defined_twice(const std::vector<CpuModule*>& modules) {
  std::map<std::string, std::size_t> first;
  std::string text;
  for (std::size_t i = 0; i < modules.size(); ++i)
    for (const std::string& name : modules[i]->exported_names())
      if (const auto [known, added] = first.try_emplace(name, i); !added)
        text += "defined twice: " + name + " (by modules " + std::to_string(known->second) + " and " +
                std::to_string(i) + ")\n";
  return text;
}

void append_names(std::string& text, const char* title, const std::set<std::string>& names) {
  text += std::string(title) + ":\n";
  for (const std::string& name : names) text += "  " + name + '\n';
}

} // namespace

std::set<std::string> CpuModule::exported_names() const {
  auto names = names_of(compiled_->exports());
  for (const compiler::LinkInput& input : inputs_) add_exports(input.spirv, names);
  return names;
}

// Modules that take no part in linking do not pay for it.
void CpuModule::keep_inputs(const std::vector<compiler::ModuleInput>& inputs) {
  const bool linkable =
      std::any_of(inputs.begin(), inputs.end(), [](const auto& input) { return declares_linkage(input.spirv); });
  if (!linkable) return;
  for (const auto& input : inputs)
    inputs_.push_back({{input.spirv.begin(), input.spirv.end()}, input.options, input.constants});
}

void CpuModule::add_inputs(std::vector<compiler::ModuleInput>& to) const {
  for (const compiler::LinkInput& input : inputs_) to.push_back({input.spirv, input.options, input.constants});
}

// What kernels and the host have written to the variables so far.
void CpuModule::carry_variables(const compiler::CompiledModule& to) const {
  const auto own = names_of(compiled_->exports());
  for (const SymbolInfo& from : exports()) {
    if (from.kind != compiler::SymbolKind::Variable || !own.count(from.name)) continue;
    for (const SymbolInfo& variable : to.exports())
      if (variable.name == from.name && variable.size == from.size)
        std::memcpy(variable.address, from.address, from.size);
  }
}

void CpuModule::use_linked(compiler::ModulePtr program) {
  auto codes = std::make_unique<KernelCode[]>(program->kernels().size());
  for (std::size_t i = 0; i < program->kernels().size(); ++i) codes[i].slot = &program->prepare(i);
  programs_.push_back({std::move(program), std::move(codes)});
}

ze_result_t CpuModule::create_linked_kernel(const char* name, ze_kernel_handle_t* kernel) {
  const Program& program = programs_.back();
  const compiler::KernelInfo* info = compiled_->kernel(name) ? program.code->kernel(name) : nullptr;
  if (!info) throw Error(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, "the module has no kernel `{}`", name);
  *kernel = to_handle(new CpuKernel(*this, *info, program.codes[info - program.code->kernels().data()]));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuModule::dynamic_link(uint32_t count, ze_module_handle_t* handles, ze_module_build_log_handle_t* log) {
  if (log) *log = nullptr;
  const auto modules = modules_of(count, handles);
  std::string text = unresolved(modules);
  auto fail = [&] {
    if (log) *log = to_handle(new CpuBuildLog(text));
    throw Error(ZE_RESULT_ERROR_MODULE_LINK_FAILURE, text);
  };
  if (!text.empty()) fail();
  const bool nothing_to_do = std::all_of(modules.begin(), modules.end(),
                                         [](const CpuModule* module) { return module->compiled().imports().empty(); });
  if (!nothing_to_do) {
    text = defined_twice(modules);
    if (!text.empty()) fail();
    compiler::CompileRequest request;
    for (const CpuModule* module : modules) module->add_inputs(request.inputs);
    try {
      const compiler::ModulePtr program = context_.driver().compiler().compile(request);
      for (const auto& symbol : program->imports()) text += "unresolved: " + symbol.name + '\n';
      if (!text.empty()) fail();
      for (const CpuModule* module : modules) module->carry_variables(*program);
      for (CpuModule* module : modules)
        if (module->takes_part_in_links()) module->use_linked(program);
      text = program->build_log();
    } catch (const compiler::CompileError& error) {
      text = error.log();
      fail();
    }
  }
  if (log) *log = to_handle(new CpuBuildLog(text));
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuModule::inspect_linkage_ext(ze_linkage_inspection_ext_desc_t* desc, uint32_t count,
                                           ze_module_handle_t* handles, ze_module_build_log_handle_t* log) {
  const auto modules = modules_of(count, handles);
  const auto exported = exported_by(modules);
  std::set<std::string> imported, missing;
  for (const CpuModule* module : modules) imported.merge(names_of(module->compiled().imports()));
  for (const std::string& name : imported)
    if (!exported.count(name)) missing.insert(name);
  std::string text;
  if (desc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_IMPORTS) append_names(text, "imports", imported);
  if (desc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS)
    append_names(text, "unresolvable imports", missing);
  if (desc->flags & ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS) append_names(text, "exports", exported);
  *log = to_handle(new CpuBuildLog(text));
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
