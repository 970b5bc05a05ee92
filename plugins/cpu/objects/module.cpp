#include "module.hpp"

#include "chain.hpp"
#include "kernel.hpp"

#include <sdk/error.hpp>

#include <cstring>
#include <sys/random.h>

namespace zeroth::cpu {

namespace {

using compiler::CompileError;
using compiler::ModuleInput;

compiler::Bytes bytes_of(const uint8_t* data, size_t size) { return {reinterpret_cast<const std::byte*>(data), size}; }

void add_constants(ModuleInput& input, const ze_module_constants_t* constants) {
  if (!constants || constants->numConstants == 0) return;
  if (!constants->pConstantIds || !constants->pConstantValues)
    throw Error(ZE_RESULT_ERROR_INVALID_NULL_POINTER, std::string("specialisation constants without ids or values"));
  const auto declared = compiler::spec_constants(input.spirv);
  for (uint32_t i = 0; i < constants->numConstants; ++i)
    for (const auto& constant : declared) {
      if (constant.id != constants->pConstantIds[i] || !constants->pConstantValues[i]) continue;
      const auto* value = static_cast<const std::byte*>(constants->pConstantValues[i]);
      input.constants.push_back({constant.id, {value, value + constant.size}});
      break;
    }
}

ModuleInput make_input(const uint8_t* data, size_t size, const char* flags, const ze_module_constants_t* constants) {
  if (!data) throw Error(ZE_RESULT_ERROR_INVALID_NULL_POINTER, std::string("the module's bytes are null"));
  if (size == 0) throw Error(ZE_RESULT_ERROR_INVALID_SIZE, std::string("the module has 0 bytes"));
  ModuleInput input;
  input.spirv = bytes_of(data, size);
  if (flags) input.options = flags;
  add_constants(input, constants);
  return input;
}

// With a program descriptor in the chain the base descriptor's module is only a filler, and is ignored.
std::vector<ModuleInput> inputs_of(const ze_module_desc_t& desc) {
  std::vector<ModuleInput> inputs;
  auto* program = find_in_chain<ze_module_program_exp_desc_t>(desc.pNext, ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC);
  if (!program) {
    inputs.push_back(make_input(desc.pInputModule, desc.inputSize, desc.pBuildFlags, desc.pConstants));
    return inputs;
  }
  if (desc.format != ZE_MODULE_FORMAT_IL_SPIRV)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("a program of several modules is made of SPIR-V"));
  if (program->count == 0 || !program->inputSizes || !program->pInputModules)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, std::string("a program of no modules"));
  for (uint32_t i = 0; i < program->count; ++i)
    inputs.push_back(make_input(program->pInputModules[i], program->inputSizes[i],
                                program->pBuildFlags ? program->pBuildFlags[i] : nullptr,
                                program->pConstants ? program->pConstants[i] : nullptr));
  return inputs;
}

compiler::ModulePtr build(CpuContext& context, const ze_module_desc_t& desc) {
  compiler::Compiler& compiler = context.driver().compiler();
  const auto inputs = inputs_of(desc);
  if (desc.format == ZE_MODULE_FORMAT_NATIVE) return compiler.load_native(inputs.front().spirv);
  compiler::CompileRequest request;
  request.inputs = inputs;
  return compiler.open(request);
}

ze_result_t code_of(CompileError::Kind kind) {
  switch (kind) {
  case CompileError::Kind::BuildFailure:
    return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  case CompileError::Kind::InvalidNativeBinary:
    return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
  case CompileError::Kind::Unavailable:
    return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
  }
  return ZE_RESULT_ERROR_UNKNOWN;
}

} // namespace

ze_result_t create_module(CpuContext& context, ze_device_handle_t device, const ze_module_desc_t& desc,
                          ze_module_handle_t* module, ze_module_build_log_handle_t* log) {
  if (log) *log = nullptr;
  auto write_log = [&](const std::string& text) {
    if (log) *log = to_handle(new CpuBuildLog(text));
  };
  try {
    compiler::ModulePtr compiled = build(context, desc);
    auto made = std::make_unique<CpuModule>(context, device, compiled);
    if (desc.format == ZE_MODULE_FORMAT_IL_SPIRV)
      made->keep_inputs(inputs_of(desc));
    else
      made->keep_inputs(compiler::split_link_inputs(bytes_of(desc.pInputModule, desc.inputSize)).inputs);
    write_log(compiled->build_log());
    *module = to_handle(made.release());
    return ZE_RESULT_SUCCESS;
  } catch (const CompileError& error) {
    write_log(error.log());
    throw Error(code_of(error.kind()), error.log());
  } catch (const Error& error) {
    write_log(error.text);
    throw;
  }
}

ze_result_t CpuBuildLog::destroy() {
  delete this;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuBuildLog::get_string(size_t* size, char* text) {
  const size_t full = text_.size() + 1;
  if (text && *size) {
    const size_t copied = std::min(*size, full);
    std::memcpy(text, text_.c_str(), copied);
    text[copied - 1] = '\0';
  }
  *size = full;
  return ZE_RESULT_SUCCESS;
}

namespace {

// Unlike any other module's, here or elsewhere; all zeros where the system gives no random numbers.
std::array<std::uint8_t, 16> random_uuid() {
  std::array<std::uint8_t, 16> uuid{};
  if (getrandom(uuid.data(), uuid.size(), 0) != static_cast<ssize_t>(uuid.size())) uuid.fill(0);
  return uuid;
}

} // namespace

CpuModule::CpuModule(CpuContext& context, ze_device_handle_t device, compiler::ModulePtr compiled)
    : context_(context), device_(device), uuid_(random_uuid()), compiled_(std::move(compiled)) {
  codes_ = std::make_unique<KernelCode[]>(compiled_->kernels().size());
}

ze_result_t CpuModule::destroy() {
  delete this;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuModule::get_native_binary(size_t* size, uint8_t* binary) {
  const compiler::Bytes native = native_binary();
  if (binary) std::memcpy(binary, native.data(), std::min(*size, native.size()));
  *size = native.size();
  return ZE_RESULT_SUCCESS;
}

compiler::Bytes CpuModule::native_binary() {
  try {
    const compiler::Bytes code = compiled_->native_binary();
    if (!inputs_) return code;
    const std::lock_guard guard(native_mutex_);
    if (linkable_native_.empty()) linkable_native_ = compiler::with_link_inputs(code, *inputs_);
    return linkable_native_;
  } catch (const CompileError& error) {
    throw Error(code_of(error.kind()), error.log());
  }
}

ze_result_t CpuModule::get_global_pointer(const char* name, size_t* size, void** pointer) {
  for (const auto& symbol : latest().exports()) {
    if (symbol.kind != compiler::SymbolKind::Variable || symbol.name != name) continue;
    if (size) *size = symbol.size;
    if (pointer) *pointer = symbol.address;
    return ZE_RESULT_SUCCESS;
  }
  throw Error(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, "the module exports no variable `{}`", name);
}

ze_result_t CpuModule::get_function_pointer(const char* name, void** function) {
  try {
    *function = latest().function_address(name);
  } catch (const CompileError& error) {
    throw Error(code_of(error.kind()), error.log());
  }
  if (!*function) throw Error(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME, "the module exports no function `{}`", name);
  return ZE_RESULT_SUCCESS;
}

namespace {
// As many as a person reads.
template <class Named> std::string names_in_a_row(const std::vector<Named>& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < 16; ++i) text += (i ? ", `" : "`") + all[i].name + "`";
  return all.size() > 16 ? text + ", …" : text;
}
} // namespace

ze_result_t CpuModule::get_kernel_names(uint32_t* count, const char** names) {
  const auto& kernels = compiled_->kernels();
  if (names && *count) {
    *count = std::min(*count, static_cast<uint32_t>(kernels.size()));
    for (uint32_t i = 0; i < *count; ++i) names[i] = kernels[i].name.c_str();
  } else {
    *count = static_cast<uint32_t>(kernels.size());
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuModule::get_properties(ze_module_properties_t* properties) {
  properties->flags = compiled_->imports().empty() ? 0 : ZE_MODULE_PROPERTY_FLAG_IMPORTS;
  return ZE_RESULT_SUCCESS;
}

ze_result_t CpuModule::kernel_create(const ze_kernel_desc_t* desc, ze_kernel_handle_t* kernel) {
  if (!desc->pKernelName) return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (!programs_.empty()) return create_linked_kernel(desc->pKernelName, kernel);
  const compiler::KernelInfo* info = compiled_->kernel(desc->pKernelName);
  if (!info)
    throw Error(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, "the module has no kernel `{}`; it has: {}", desc->pKernelName,
                names_in_a_row(compiled_->kernels()));
  const auto number = static_cast<std::size_t>(info - compiled_->kernels().data());
  const compiler::KernelSlot& slot = prepare(number);
  const compiler::KernelInfo& code = *slot.load();
  if (!code.entry)
    throw Error(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED,
                "`{}` is of a module that imports {}; link it with modules that export them by zeModuleDynamicLink",
                code.name, names_in_a_row(compiled_->imports()));
  {
    const std::lock_guard guard(codes_mutex_);
    if (!codes_[number].slot) codes_[number].slot = &slot; // launches of other kernel objects may be reading it
  }
  *kernel = to_handle(new CpuKernel(*this, code, codes_[number]));
  return ZE_RESULT_SUCCESS;
}

// Large modules compile a kernel when it is created: what is wrong with it is found here.
const compiler::KernelSlot& CpuModule::prepare(std::size_t kernel) {
  try {
    return compiled_->prepare(kernel);
  } catch (const CompileError& error) {
    throw Error(code_of(error.kind()), error.log());
  }
}

ze_result_t CpuModule::get_device_handle(ze_device_handle_t* device) {
  *device = device_;
  return ZE_RESULT_SUCCESS;
}

} // namespace zeroth::cpu
