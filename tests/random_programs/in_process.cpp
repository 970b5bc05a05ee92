#include "in_process.hpp"

#include <kernel_compiler/builtins/link_builtins.hpp>
#include <kernel_compiler/codegen/testing/test_program.hpp>
#include <kernel_compiler/spirv/reader.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace zeroth::random_programs {
namespace {

codegen::CompileOptions options_for(const Form& form, const Tamper& tamper, bool verify) {
  static const codegen::CpuTarget cpu = codegen::testing::test_cpu();
  codegen::CompileOptions options;
  options.cpu = cpu;
  options.width = form.width;
  options.engine = form.engine;
  options.verify_each = verify;
  options.tamper = tamper.code;
  return options;
}

compiler::KernelInfo info_of(const codegen::KernelCode& code, const spirv::Kernel& kernel) {
  compiler::KernelInfo info;
  info.name = kernel.name;
  for (const spirv::Argument& from : kernel.arguments) {
    compiler::ArgumentInfo argument;
    argument.size = uint32_t(from.size);
    argument.offset = uint32_t(from.offset);
    info.arguments.push_back(argument);
  }
  info.argument_block_size = uint32_t(kernel.argument_block_size);
  info.required_sub_group_size = kernel.required_sub_group_size;
  info.width = code.width;
  info.sub_group_size = code.sub_group_size;
  info.engine = compiler::Engine(code.engine);
  info.uses_barriers = code.uses_barriers;
  info.local_bytes = code.local_bytes;
  info.private_bytes = code.private_bytes;
  info.scratch_fixed_bytes = code.scratch_fixed;
  info.scratch_slice_bytes = code.scratch_slice;
  return info;
}

} // namespace

// What all forms begin with.
struct InProcessCompiler::Source {
  std::vector<uint32_t> words;
  llvm::LLVMContext context;
  spirv::ReadResult read;
};

InProcessCompiler::InProcessCompiler(bool verify) : verify_(verify) {}
InProcessCompiler::~InProcessCompiler() = default;

const InProcessCompiler::Source& InProcessCompiler::source_of(std::span<const uint32_t> words, const Tamper& tamper) {
  if (source_ && std::ranges::equal(source_->words, words)) return *source_;
  source_.reset();
  auto source = std::make_unique<Source>();
  source->words.assign(words.begin(), words.end());
  spirv::ReadOptions options;
  options.exports = false;
  source->read = spirv::read_spirv(words, options, source->context);
  if (!source->read.ok()) throw CompileFailure(source->read.log);
  if (tamper.source) tamper.source(*source->read.module);
  if (const std::string missing = builtins::link_builtins(*source->read.module); !missing.empty())
    throw CompileFailure("missing built-ins: " + missing);
  try {
    codegen::prepare_for_forms(*source->read.module, options_for({"", 0, ""}, {}, verify_));
  } catch (const codegen::CodegenError& error) {
    throw CompileFailure(error.what());
  }
  source_ = std::move(source);
  return *source_;
}

size_t InProcessCompiler::add(std::span<const uint32_t> words, const Form& form, const Tamper& tamper) {
  const spirv::ReadResult& read = source_of(words, tamper).read;
  const std::unique_ptr<llvm::Module> module = llvm::CloneModule(*read.module);
  const size_t first = kernels_.size();
  const std::string suffix = "." + std::to_string(first); // symbols of one object file stay apart from those of another
  for (const spirv::Kernel& kernel : read.info.kernels) module->getFunction(kernel.name)->setName(kernel.name + suffix);
  try {
    codegen::CompiledObject object = codegen::compile_to_object(*module, options_for(form, tamper, verify_));
    objects_.emplace_back(object.object.begin(), object.object.end());
    for (const spirv::Kernel& kernel : read.info.kernels)
      for (const codegen::KernelCode& code : object.kernels)
        if (code.name == kernel.name + suffix) kernels_.push_back({info_of(code, kernel), code.symbol});
  } catch (const codegen::CodegenError& error) {
    throw CompileFailure(error.what());
  }
  return first;
}

std::unique_ptr<InProcessCompiler::Loaded> InProcessCompiler::load() {
  auto loaded = std::make_unique<Loaded>();
  loaded->library_ = codegen::testing::link_and_load(objects_);
  for (Pending& kernel : kernels_) {
    kernel.info.entry = reinterpret_cast<zeroth_kernel_fn>(dlsym(loaded->library_, kernel.symbol.c_str()));
    if (!kernel.info.entry) throw CompileFailure("no code for " + kernel.symbol);
    loaded->kernels.push_back(std::move(kernel.info));
  }
  objects_.clear();
  kernels_.clear();
  return loaded;
}

InProcessCompiler::Loaded::~Loaded() {
  if (library_) dlclose(library_);
}

} // namespace zeroth::random_programs
