// Modules that use each other's functions and variables. Linking builds those that import something, and those that
// they need, anew as one program, whose code and variables they share from then on. Variables begin with what they held
// before; kernels and pointers of before keep the old ones. Imports are linked once: in later links a module brings
// what its own were linked with.
#include "kernel.hpp"
#include "module.hpp"
#include "spirv_linkage.hpp"

#include <sdk/error.hpp>

#include <algorithm>
#include <cstring>
#include <map>

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

std::set<std::string> exported_by(const std::vector<CpuModule*>& modules) {
  std::set<std::string> names;
  for (const CpuModule* module : modules) names.merge(module->exported_names());
  return names;
}

std::string unresolved(const std::vector<CpuModule*>& modules) {
  const auto exported = exported_by(modules);
  std::string text;
  for (const CpuModule* module : modules)
    for (const std::string& name : module->open_imports())
      if (!exported.count(name)) text += "unresolved: " + name + '\n';
  return text;
}

std::set<std::string> imported_by(const std::vector<CpuModule*>& modules) {
  std::set<std::string> names;
  for (const CpuModule* module : modules) names.merge(module->open_imports());
  return names;
}

// Of what is imported: other names may be of several modules.
std::string defined_twice(const std::vector<CpuModule*>& modules) {
  const auto imported = imported_by(modules);
  std::map<std::string, std::size_t> first;
  std::string text;
  for (std::size_t i = 0; i < modules.size(); ++i)
    for (const std::string& name : modules[i]->exported_names()) {
      if (!imported.count(name)) continue;
      if (const auto [known, added] = first.try_emplace(name, i); !added)
        text += "defined twice: " + name + " (by modules " + std::to_string(known->second) + " and " +
                std::to_string(i) + ")\n";
    }
  return text;
}

// Names of several units that none imports; kernels keep theirs.
std::set<std::string> private_names(const std::vector<LinkUnit>& units) {
  std::set<std::string> once, twice, needed;
  for (const LinkUnit& unit : units) {
    std::set<std::string> names;
    for (const compiler::LinkInput& input : *unit) {
      add_linkage_names(input.spirv, Linkage::Export, names);
      add_linkage_names(input.spirv, Linkage::Import, needed);
      add_kernel_names(input.spirv, needed);
    }
    for (const std::string& name : names)
      if (!once.insert(name).second) twice.insert(name);
  }
  for (const std::string& name : needed) twice.erase(name);
  return twice;
}

void append_names(std::string& text, const char* title, const std::set<std::string>& names) {
  text += std::string(title) + ":\n";
  for (const std::string& name : names) text += "  " + name + '\n';
}

} // namespace

std::set<std::string> CpuModule::exported_names() const {
  auto names = names_of(compiled_->exports());
  if (inputs_)
    for (const compiler::LinkInput& input : *inputs_) add_linkage_names(input.spirv, Linkage::Export, names);
  return names;
}

std::set<std::string> CpuModule::open_imports() const {
  return programs_.empty() ? names_of(compiled_->imports()) : std::set<std::string>{};
}

// Modules that take no part in linking do not pay for it.
void CpuModule::keep_inputs(const std::vector<compiler::ModuleInput>& inputs) {
  const bool linkable =
      std::any_of(inputs.begin(), inputs.end(), [](const auto& input) { return declares_linkage(input.spirv); });
  if (!linkable) return;
  std::vector<compiler::LinkInput> kept;
  for (const auto& input : inputs)
    kept.push_back({{input.spirv.begin(), input.spirv.end()}, input.options, input.constants});
  keep_inputs(std::move(kept));
}

void CpuModule::keep_inputs(std::vector<compiler::LinkInput> inputs) {
  if (!inputs.empty()) inputs_ = std::make_shared<const std::vector<compiler::LinkInput>>(std::move(inputs));
}

// One whose imports are linked brings what they were linked with; the imports of others are looked for among `modules`.
void CpuModule::gather(const std::vector<CpuModule*>& modules, Gathered& to) {
  if (std::find(to.modules.begin(), to.modules.end(), this) != to.modules.end()) return;
  to.modules.push_back(this);
  to.add(inputs_);
  for (const LinkUnit& unit : providers_) to.add(unit);
  const auto imports = open_imports();
  for (CpuModule* module : modules) {
    const auto exports = module->exported_names();
    if (std::any_of(imports.begin(), imports.end(), [&](const std::string& name) { return exports.count(name) != 0; }))
      module->gather(modules, to);
  }
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

std::string CpuModule::link(const std::vector<CpuModule*>& modules) {
  Gathered all;
  std::vector<std::pair<CpuModule*, std::vector<LinkUnit>>> providers;
  for (CpuModule* module : modules) {
    if (module->open_imports().empty()) continue;
    module->gather(modules, all);
    Gathered own;
    module->gather(modules, own);
    std::erase(own.units, module->inputs_);
    providers.emplace_back(module, std::move(own.units));
  }
  if (all.modules.empty()) return {};
  const auto hidden = private_names(all.units);
  std::vector<std::vector<std::byte>> changed;
  compiler::CompileRequest request;
  for (const LinkUnit& unit : all.units)
    for (const compiler::LinkInput& input : *unit)
      request.inputs.push_back(
          {changed.emplace_back(without_exports(input.spirv, hidden)), input.options, input.constants});
  const compiler::ModulePtr program = context_.driver().compiler().compile(request);
  std::string text;
  for (const auto& symbol : program->imports()) text += "unresolved: " + symbol.name + '\n';
  if (!text.empty()) throw compiler::CompileError(compiler::CompileError::Kind::BuildFailure, text);
  for (const CpuModule* module : all.modules) module->carry_variables(*program);
  for (CpuModule* module : all.modules)
    if (module->inputs_) module->use_linked(program);
  for (auto& [module, units] : providers) module->providers_ = std::move(units);
  return program->build_log();
}

ze_result_t CpuModule::dynamic_link(uint32_t count, ze_module_handle_t* handles, ze_module_build_log_handle_t* log) {
  if (log) *log = nullptr;
  const auto modules = modules_of(count, handles);
  std::string text = unresolved(modules);
  auto fail = [&] {
    if (log) *log = to_handle(new CpuBuildLog(text));
    throw Error(ZE_RESULT_ERROR_MODULE_LINK_FAILURE, text);
  };
  if (text.empty()) text = defined_twice(modules);
  if (!text.empty()) fail();
  try {
    text = link(modules);
  } catch (const compiler::CompileError& error) {
    text = error.log();
    fail();
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
