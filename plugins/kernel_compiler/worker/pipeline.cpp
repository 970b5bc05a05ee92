#include "pipeline.hpp"

#include "../builtins/link_builtins.hpp"
#include "../client/native_format.hpp"
#include "../codegen/codegen.hpp"
#include "../spirv/reader.hpp"
#include "build_flags.hpp"
#include "fault.hpp"
#include "kernel_traits.hpp"
#include "link_object.hpp"
#include "metadata_object.hpp"

#include <cstring>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

namespace zeroth::compiler {
namespace {

struct Program {
  std::unique_ptr<llvm::Module> module;
  std::vector<spirv::Kernel> kernels;
  std::vector<spirv::Symbol> exports, imports;
  std::vector<SpecConstantInfo> constants;
};

std::vector<uint32_t> words_of(Bytes spirv) {
  if (spirv.size() % sizeof(uint32_t) != 0) throw BuildError("SPIR-V: the size is no multiple of 4 bytes");
  std::vector<uint32_t> words(spirv.size() / sizeof(uint32_t));
  if (!words.empty()) std::memcpy(words.data(), spirv.data(), spirv.size());
  return words;
}

spirv::ReadOptions read_options(const ModuleInput& input, const BuildFlags& flags) {
  spirv::ReadOptions options;
  options.debug_info = flags.debug;
  for (const SpecConstant& constant : input.constants) {
    uint64_t bits = 0;
    std::memcpy(&bits, constant.value.data(), std::min(constant.value.size(), sizeof bits));
    options.spec_constants.push_back({constant.id, bits});
  }
  return options;
}

void add_input(Program& program, spirv::ReadResult input) {
  for (auto& kernel : input.info.kernels) program.kernels.push_back(std::move(kernel));
  for (auto& symbol : input.info.exports) program.exports.push_back(std::move(symbol));
  for (auto& symbol : input.info.imports) program.imports.push_back(std::move(symbol));
  for (const auto& constant : input.info.spec_constants) program.constants.push_back({constant.id, constant.size});
  if (!program.module) {
    program.module = std::move(input.module);
  } else if (llvm::Linker::linkModules(*program.module, std::move(input.module))) {
    throw BuildError("the modules cannot be linked: two define the same symbol, or its types differ");
  }
}

Program read_program(const CompileRequest& request, const BuildFlags& flags, llvm::LLVMContext& context,
                     BuildLog& log) {
  Program program;
  for (const ModuleInput& input : request.inputs) {
    spirv::ReadResult result = spirv::read_spirv(words_of(input.spirv), read_options(input, flags), context);
    if (!result.log.empty()) log.line(result.log);
    if (!result.ok()) throw BuildError("reading SPIR-V failed");
    add_input(program, std::move(result));
  }
  if (!program.module) throw BuildError("the program has no modules");
  std::erase_if(program.imports, [&](const spirv::Symbol& wanted) {
    return std::ranges::any_of(program.exports, [&](const auto& offered) { return offered.name == wanted.name; });
  });
  return program;
}

// Front ends export every function, twins of kernels included; compiling them is a waste unless someone wants to link
// against them.
void hide_functions(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

ArgumentInfo argument_info(const spirv::Argument& a) {
  ArgumentInfo info;
  info.kind = static_cast<ArgumentKind>(a.kind);
  info.address_space = static_cast<AddressSpace>(a.address_space);
  info.access = static_cast<Access>(a.access);
  info.size = static_cast<uint32_t>(a.size);
  info.alignment = static_cast<uint32_t>(a.alignment);
  info.offset = static_cast<uint32_t>(a.offset);
  info.name = a.name;
  info.type_name = a.type_name;
  info.type_qualifiers = a.qualifiers;
  return info;
}

KernelInfo kernel_info(const spirv::Kernel& kernel) {
  KernelInfo info;
  info.name = kernel.name;
  for (const spirv::Argument& argument : kernel.arguments) info.arguments.push_back(argument_info(argument));
  info.argument_block_size = static_cast<uint32_t>(kernel.argument_block_size);
  info.required_group_size = kernel.required_group_size;
  info.group_size_hint = kernel.group_size_hint;
  info.required_sub_group_size = kernel.required_sub_group_size;
  info.attributes = kernel.attributes;
  return info;
}

void add_code(ModuleMetadata::Kernel& kernel, const codegen::KernelCode& code) {
  kernel.symbol = code.symbol;
  KernelInfo& info = kernel.info;
  info.sub_group_size = code.sub_group_size;
  info.width = code.width;
  info.engine = static_cast<Engine>(code.engine);
  info.uses_barriers = code.uses_barriers;
  info.local_bytes = code.local_bytes;
  info.private_bytes = code.private_bytes;
  info.scratch_fixed_bytes = code.scratch_fixed;
  info.scratch_slice_bytes = code.scratch_slice;
}

ModuleMetadata::Symbol symbol_of(const spirv::Symbol& s) {
  return {{s.name, s.is_function ? SymbolKind::Function : SymbolKind::Variable, s.size, nullptr}, s.name};
}

ModuleMetadata describe(const Program& program, const CpuTarget& cpu) {
  ModuleMetadata metadata;
  metadata.cpu = cpu;
  metadata.constants = program.constants;
  for (const spirv::Kernel& kernel : program.kernels) {
    ModuleMetadata::Kernel described{kernel_info(kernel), ""};
    const KernelTraits traits = traits_of(*program.module, kernel.name);
    described.info.uses_printf = traits.prints;
    described.info.uses_double = traits.doubles;
    metadata.kernels.push_back(std::move(described));
  }
  for (const spirv::Symbol& symbol : program.exports) metadata.exports.push_back(symbol_of(symbol));
  for (const spirv::Symbol& symbol : program.imports) metadata.imports.push_back(symbol_of(symbol));
  return metadata;
}

CpuTarget resolve_cpu(const CpuTarget& wanted) {
  if (!wanted.name.empty() && wanted.name != "native") return wanted;
  const llvm::StringRef host = llvm::sys::getHostCPUName();
  return {host.empty() || host == "generic" ? "x86-64" : host.str(), wanted.features};
}

codegen::CompiledObject generate(llvm::Module& module, const CompileRequest& request, const CpuTarget& cpu,
                                 const BuildFlags& flags) {
  codegen::CompileOptions options;
  options.cpu.name = cpu.name;
  options.cpu.features = cpu.features;
  options.width = request.vector_width;
  options.engine = request.engine;
  options.fast_compile = flags.optimization == 0;
  return codegen::compile_to_object(module, options);
}

std::vector<std::byte> seal(std::span<const Bytes> objects, const ModuleMetadata& metadata, BuildLog& log) {
  std::vector<Bytes> inputs(objects.begin(), objects.end());
  const auto section = make_section_object(metadata_section, encode(metadata));
  inputs.push_back(section);
  auto file = link_shared_object(inputs, log);
  const SectionRange range = find_section(file, metadata_section);
  const auto footer = make_footer(file, range.offset, range.size);
  file.insert(file.end(), footer.begin(), footer.end());
  return file;
}

// What the client finds in the file is what it was told meanwhile.
class RecordedLog final : public BuildLog {
public:
  explicit RecordedLog(BuildLog& below) : below_(below) {}
  void write(std::string_view text) override {
    text_ += text;
    below_.write(text);
  }
  const std::string& text() const { return text_; }

private:
  BuildLog& below_;
  std::string text_;
};

} // namespace

void initialize_pipeline() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
}

std::vector<std::byte> build(const WorkerRequest& work, const std::string& compiler_id, BuildLog& client_log) {
  const CompileRequest& request = work.request;
  RecordedLog log(client_log);
  const BuildFlags flags = parse_build_flags(request, log);
  cause_fault(flags.fault, log);
  llvm::LLVMContext context;
  Program program = read_program(request, flags, context, log);
  const CpuTarget cpu = resolve_cpu(request.cpu);
  ModuleMetadata metadata = describe(program, cpu);
  metadata.compiler_id = compiler_id;
  metadata.request_key = work.key;
  // With imports open there is nothing to run: the device compiles this again together with what exports them.
  if (!metadata.imports.empty()) {
    for (const auto& symbol : metadata.imports) log.line("unresolved import: " + symbol.info.name);
    metadata.exports.clear();
    metadata.build_log = log.text();
    return seal({}, metadata, log);
  }
  if (!flags.library) hide_functions(*program.module);
  if (const std::string missing = builtins::link_builtins(*program.module); !missing.empty())
    throw BuildError("built-in functions that do not exist: " + missing);
  const codegen::CompiledObject object = generate(*program.module, request, cpu, flags);
  if (flags.verbose && !object.log.empty()) log.line(object.log);
  for (auto& kernel : metadata.kernels)
    for (const codegen::KernelCode& code : object.kernels)
      if (code.name == kernel.info.name) add_code(kernel, code);
  metadata.build_log = log.text();
  const Bytes objects[] = {std::as_bytes(std::span(object.object.data(), object.object.size())),
                           std::as_bytes(builtins::runtime_archive())};
  // What code generation has found no use for (functions that only make sense inside a kernel) is not offered.
  std::erase_if(metadata.exports, [&](const auto& symbol) { return !exports_symbol(objects[0], symbol.symbol); });
  return seal(objects, metadata, log);
}

} // namespace zeroth::compiler
