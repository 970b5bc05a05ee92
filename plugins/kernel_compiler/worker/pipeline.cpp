#include "pipeline.hpp"

#include "../builtins/link_builtins.hpp"
#include "../client/described_kernel.hpp"
#include "../client/native_format.hpp"
#include "fault.hpp"
#include "generate.hpp"
#include "kernel_traits.hpp"
#include "link_object.hpp"
#include "metadata_object.hpp"

#include <algorithm>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

namespace zeroth::compiler {
namespace {

void add_code(ModuleMetadata& metadata, const codegen::KernelCode& code) {
  const auto kernel = std::ranges::find_if(metadata.kernels, [&](const auto& k) { return k.info.name == code.name; });
  if (kernel == metadata.kernels.end()) return;
  kernel->symbol = code.symbol;
  KernelInfo& info = kernel->info;
  info.sub_group_size = code.sub_group_size;
  info.width = code.width;
  info.engine = static_cast<Engine>(code.engine);
  info.uses_barriers = code.uses_barriers;
  info.local_bytes = code.local_bytes;
  info.private_bytes = code.private_bytes;
  info.spill_bytes = code.spill_bytes;
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
    ModuleMetadata::Kernel described{zeroth::compiler::describe(kernel), ""};
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
  if (!request.quick) cause_fault(flags.fault, log);
  llvm::LLVMContext context;
  Program program = read_program(request, flags, {}, context, log);
  const CpuTarget cpu = resolve_cpu(request.cpu);
  ModuleMetadata metadata = describe(program, cpu);
  metadata.compiler_id = compiler_id;
  metadata.request_key = work.terms.key;
  // With imports open there is nothing to run: the device compiles this again together with what exports them.
  if (!metadata.imports.empty()) {
    for (const auto& symbol : metadata.imports) log.line("unresolved import: " + symbol.info.name);
    metadata.exports.clear();
    metadata.build_log = log.text();
    return seal({}, metadata, log);
  }
  const std::vector<codegen::CompiledObject> code = generate_code(program, request, cpu, flags);
  std::vector<Bytes> objects;
  for (const codegen::CompiledObject& part : code) {
    if (flags.verbose && !part.log.empty()) log.line(part.log);
    if (!part.listing.empty()) log.line(std::string(listing_mark) + "\n" + part.listing);
    for (const codegen::KernelCode& kernel : part.kernels) add_code(metadata, kernel);
    objects.push_back(std::as_bytes(std::span(part.object.data(), part.object.size())));
  }
  // What code generation has found no use for (functions that only make sense inside a kernel) is not offered.
  std::erase_if(metadata.exports, [&](const ModuleMetadata::Symbol& symbol) {
    return std::ranges::none_of(objects, [&](Bytes object) { return exports_symbol(object, symbol.symbol); });
  });
  metadata.build_log = log.text();
  objects.push_back(std::as_bytes(builtins::runtime_archive()));
  return seal(objects, metadata, log);
}

} // namespace zeroth::compiler
