#include "test_program.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "../../builtins/link_builtins.hpp"

#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

LLD_HAS_DRIVER(elf)

namespace zeroth::codegen::testing {

namespace filesystem = std::filesystem;

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext& context, std::string_view text) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  if (module) return module;
  std::string message;
  llvm::raw_string_ostream stream(message);
  error.print("test", stream);
  throw std::runtime_error(message);
}

CpuTarget test_cpu() {
  CpuTarget cpu;
  if (const char* name = std::getenv("ZEROTH_TEST_CPU")) {
    cpu.name = name;
    return cpu;
  }
  cpu.name = llvm::sys::getHostCPUName().str();
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    cpu.features += (cpu.features.empty() ? "" : ",") + std::string(feature.second ? "+" : "-") + feature.first().str();
  return cpu;
}

namespace {

filesystem::path fresh_folder() {
  std::string pattern = (filesystem::temp_directory_path() / "zeroth-codegen-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  return pattern;
}

} // namespace

void* link_and_load(const std::vector<std::string>& objects) {
  filesystem::path folder = fresh_folder();
  std::string out = folder / "kernels.so", messages;
  std::vector<std::string> files;
  for (const std::string& object : objects) {
    files.push_back(folder / (std::to_string(files.size()) + ".o"));
    std::ofstream(files.back(), std::ios::binary).write(object.data(), std::streamsize(object.size()));
  }
  llvm::raw_string_ostream stream(messages);
  std::vector<const char*> arguments = {"ld.lld", "-shared", "--threads=1", "-o", out.c_str()};
  for (const std::string& file : files) arguments.push_back(file.c_str());
  bool linked = lld::elf::link(arguments, stream, stream, false, false);
  lld::CommonLinkerContext::destroy();
  if (!linked) throw std::runtime_error(messages);
  void* library = dlopen(out.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string error = library ? "" : dlerror();
  filesystem::remove_all(folder);
  if (!library) throw std::runtime_error(error);
  return library;
}

Program::Program(std::unique_ptr<llvm::Module> module, CompileOptions options) {
  if (options.cpu.features.empty() && options.cpu.name == CpuTarget().name) options.cpu = test_cpu();
  options.verify_each = true;
  builtins::link_builtins(*module);
  if (std::getenv("ZEROTH_TEST_ASSEMBLY")) options.assembly = &assembly_;
  if (std::getenv("ZEROTH_TEST_IR")) options.ir = &ir_;
  compiled_ = compile_to_object(*module, options);
  library_ = link_and_load({std::string(compiled_.object.begin(), compiled_.object.end())});
}

Program::~Program() { dlclose(library_); }

std::unique_ptr<Program> Program::from_text(std::string_view text, CompileOptions options) {
  llvm::LLVMContext context;
  return std::make_unique<Program>(parse(context, text), options);
}

std::unique_ptr<Program> Program::from_opencl(const std::string& path, CompileOptions options) {
  llvm::LLVMContext context;
  return std::make_unique<Program>(read_opencl(context, path), options);
}

const KernelCode& Program::kernel(std::string_view name) const {
  for (const KernelCode& kernel : compiled_.kernels)
    if (kernel.name == name) return kernel;
  throw std::runtime_error("no kernel " + std::string(name));
}

zeroth_kernel_fn Program::entry(std::string_view name) const {
  return reinterpret_cast<zeroth_kernel_fn>(dlsym(library_, kernel(name).symbol.c_str()));
}

Memory Program::memory(std::string_view name, const Arguments& arguments, const Launch& launch) const {
  const KernelCode& code = kernel(name);
  uint64_t items = uint64_t(launch.group_size[0]) * launch.group_size[1] * launch.group_size[2];
  uint64_t slices = (items + code.width - 1) / code.width;
  return {std::max(code.local_bytes, arguments.local_bytes()), code.scratch_fixed + code.scratch_slice * slices};
}

std::string Program::run(std::string_view name, const Arguments& arguments, const Launch& launch) const {
  return testing::run(entry(name), arguments, launch, memory(name, arguments, launch));
}

} // namespace zeroth::codegen::testing
