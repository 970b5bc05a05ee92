// Modules, their build logs and kernels.
#pragma once
#include "context.hpp"

#include "../commands/launch.hpp"

#include <kernel_compiler/client/linkable_native.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace zeroth::cpu {

class CpuBuildLog final : public device::ModuleBuildLog {
public:
  explicit CpuBuildLog(std::string text) : text_(std::move(text)) {}
  ze_result_t destroy() override;
  ze_result_t get_string(size_t* size, char* text) override;

private:
  const std::string text_;
};

// What one module was made of, for links.
using LinkUnit = std::shared_ptr<const std::vector<compiler::LinkInput>>;

class CpuModule final : public device::Module {
public:
  CpuModule(CpuContext& context, ze_device_handle_t device, compiler::ModulePtr compiled);

  const compiler::CompiledModule& compiled() const { return *compiled_; }
  CpuContext& context() { return context_; }
  const std::array<std::uint8_t, 16>& uuid() const { return uuid_; } // of this object
  ze_device_handle_t device() const { return device_; }

  ze_result_t destroy() override;
  ze_result_t dynamic_link(uint32_t count, ze_module_handle_t* modules, ze_module_build_log_handle_t* log) override;
  ze_result_t get_native_binary(size_t* size, uint8_t* binary) override;
  ze_result_t get_global_pointer(const char* name, size_t* size, void** pointer) override;
  ze_result_t get_kernel_names(uint32_t* count, const char** names) override;
  ze_result_t get_properties(ze_module_properties_t* properties) override;
  ze_result_t kernel_create(const ze_kernel_desc_t* desc, ze_kernel_handle_t* kernel) override;
  ze_result_t get_function_pointer(const char* name, void** function) override;
  ze_result_t get_device_handle(ze_device_handle_t* device) override;
  ze_result_t zet_get_debug_info(zet_module_debug_info_format_t format, size_t* size, uint8_t* info) override;
  ze_result_t inspect_linkage_ext(ze_linkage_inspection_ext_desc_t* desc, uint32_t count, ze_module_handle_t* modules,
                                  ze_module_build_log_handle_t* log) override;

  // That others can name; after a link those of the whole program.
  const std::vector<compiler::SymbolInfo>& exports() const { return latest().exports(); }
  // For a later link: what the module was made of. Its native binary has it, too.
  void keep_inputs(const std::vector<compiler::ModuleInput>& inputs);
  void keep_inputs(std::vector<compiler::LinkInput> inputs);
  std::set<std::string> exported_names() const;
  std::set<std::string> open_imports() const; // not linked yet

private:
  struct Program { // that this module became a part of by linking
    compiler::ModulePtr code;
    std::unique_ptr<KernelCode[]> codes;
  };
  struct Gathered { // each once
    std::vector<CpuModule*> modules;
    std::vector<LinkUnit> units;
    void add(const LinkUnit& unit) {
      if (unit && std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(unit);
    }
  };
  void gather(const std::vector<CpuModule*>& modules, Gathered& to);
  // Returns the build log; throws CompileError.
  std::string link(const std::vector<CpuModule*>& modules);
  void carry_variables(const compiler::CompiledModule& to) const;
  void use_linked(compiler::ModulePtr program);
  ze_result_t create_linked_kernel(const char* name, ze_kernel_handle_t* kernel);
  const compiler::CompiledModule& latest() const { return programs_.empty() ? *compiled_ : *programs_.back().code; }

  LinkUnit inputs_;                 // null: takes no part in links
  std::vector<LinkUnit> providers_; // of its imports, once they are linked, and of theirs
  std::mutex native_mutex_;
  std::vector<std::byte> linkable_native_; // with the inputs; made when first asked for
  std::vector<Program> programs_;          // earlier ones stay for the kernels that were made of them

  const compiler::KernelSlot& prepare(std::size_t kernel);
  compiler::Bytes native_binary();

  CpuContext& context_;
  ze_device_handle_t device_;
  const std::array<std::uint8_t, 16> uuid_;
  compiler::ModulePtr compiled_;
  std::mutex codes_mutex_;
  std::unique_ptr<KernelCode[]> codes_; // by kernel number: what all kernel objects of one kernel share
};

// zeModuleCreate. The log is made in every case in which it is asked for, also when the build fails.
ze_result_t create_module(CpuContext& context, ze_device_handle_t device, const ze_module_desc_t& desc,
                          ze_module_handle_t* module, ze_module_build_log_handle_t* log);

} // namespace zeroth::cpu
