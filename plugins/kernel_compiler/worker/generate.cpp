#include "generate.hpp"

#include "../dialect.hpp"

#include <algorithm>
#include <exception>
#include <llvm/IR/LLVMContext.h>
#include <thread>

namespace zeroth::compiler {
namespace {

// Below this a second reading and more target machines cost what a second core gains.
constexpr size_t fewest_kernels_per_part = 4;
constexpr size_t most_parts = 8;

codegen::CompiledObject generate(llvm::Module& module, const CompileRequest& request, const CpuTarget& cpu,
                                 const BuildFlags& flags) {
  codegen::CompileOptions options;
  options.cpu.name = cpu.name;
  options.cpu.features = cpu.features;
  options.width = flags.width ? flags.width : request.vector_width;
  options.engine = flags.engine.empty() ? request.engine : flags.engine;
  options.quick = request.quick;
  options.explain = flags.verbose;
  std::string text;
  if (flags.listing == "llvm") options.ir = &text;
  if (flags.listing == "asm") options.assembly = &text;
  codegen::CompiledObject object = codegen::compile_to_object(module, options);
  object.listing = flags.listing == "llvm" ? text.substr(text.rfind(codegen::ModuleHeading)) : std::move(text);
  return object;
}

// Parts share nothing: variables that kernels write, and functions that others link against, need one object.
bool can_be_cut(const Program& program, const BuildFlags& flags) {
  if (flags.library || !std::ranges::all_of(program.exports, &spirv::Symbol::is_function)) return false;
  for (const llvm::GlobalVariable& variable : program.module->globals())
    if (variable.getAddressSpace() == dialect::Global && !variable.isDeclaration()) return false;
  return true;
}

size_t count_parts(const Program& program, const BuildFlags& flags) {
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  if (!flags.listing.empty()) return 1;
  const size_t wanted = std::min({cores, most_parts, program.kernels.size() / fewest_kernels_per_part});
  return wanted > 1 && can_be_cut(program, flags) ? wanted : 1;
}

// The reader has said everything once already.
class NoLog final : public BuildLog {
  void write(std::string_view) override {}
};

codegen::CompiledObject generate_part(const std::vector<std::string>& kernels, const CompileRequest& request,
                                      const CpuTarget& cpu, const BuildFlags& flags, Offer offer) {
  NoLog silent;
  llvm::LLVMContext context;
  Program part = read_program(request, flags, kernels, context, silent);
  complete_program(part, offer);
  return generate(*part.module, request, cpu, flags);
}

} // namespace

std::vector<codegen::CompiledObject> generate_code(Program& program, const CompileRequest& request,
                                                   const CpuTarget& cpu, const BuildFlags& flags) {
  const size_t parts = count_parts(program, flags);
  std::vector<codegen::CompiledObject> objects(parts);
  if (parts == 1) {
    complete_program(program, flags.library ? Offer::Everything : Offer::Functions);
    objects[0] = generate(*program.module, request, cpu, flags);
    return objects;
  }
  std::vector<std::vector<std::string>> kernels(parts);
  for (size_t i = 0; i < program.kernels.size(); ++i) kernels[i % parts].push_back(program.kernels[i].name);
  std::vector<std::exception_ptr> failures(parts);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < parts; ++i)
    threads.emplace_back([&, i] {
      try {
        objects[i] = generate_part(kernels[i], request, cpu, flags, i == 0 ? Offer::Functions : Offer::Kernels);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return objects;
}

} // namespace zeroth::compiler
