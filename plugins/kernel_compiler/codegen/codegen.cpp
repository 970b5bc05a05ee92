#include "codegen.hpp"

#include "attach_lines.hpp"
#include "dialect_calls.hpp"
#include "emit_object.hpp"
#include "expand_byte_fractions.hpp"
#include "expand_half_extremes.hpp"
#include "expand_half_fma.hpp"
#include "kernel_body.hpp"
#include "halve_loads.hpp"
#include "kernel_compiler.hpp"
#include "local_atomics.hpp"
#include "pipelines.hpp"
#include "prepare_module.hpp"
#include "remarks.hpp"
#include "target_machine.hpp"

#include <optional>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace zeroth::codegen {

const char* engine_name(Engine engine) {
  switch (engine) {
  case Engine::Loop:
    return "loop";
  case Engine::Region:
    return "region";
  default:
    return "fiber";
  }
}

void verify(const llvm::Module& module, const char* step) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream)) throw CodegenError(std::string("invalid IR after ") + step + ": " + text);
}

template <class Unit> static void append_text(std::string& text, const Unit& unit, const char* what) {
  llvm::raw_string_ostream stream(text);
  stream << "; ---- " << what << "\n";
  unit.print(stream, nullptr);
}

void append_ir(std::string& text, const llvm::Function& function, const char* what) {
  append_text(text, function, what);
}
void append_ir(std::string& text, const llvm::Module& module, const char* what) { append_text(text, module, what); }

namespace {

// Kernels and the scalar bodies have done their duty; what is left of them must not reach the object.
void remove_sources(llvm::ArrayRef<llvm::Function*> kernels) {
  for (llvm::Function* kernel : kernels) {
    kernel->replaceAllUsesWith(llvm::PoisonValue::get(kernel->getType()));
    kernel->eraseFromParent();
  }
}

void remove_local_variables(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.getAddressSpace() == dialect::Local && variable.use_empty()) variable.eraseFromParent();
  }
}

// The largest frame among the kernel's functions, without the private memory that is part of it.
uint64_t spill_bytes(const KernelCode& kernel, const FrameSizes& frames) {
  uint64_t frame = 0;
  for (const auto& [function, size] : frames)
    if (function == kernel.symbol || function.starts_with(kernel.name + BodySuffix)) frame = std::max(frame, size);
  uint64_t in_frame = kernel.engine == Engine::Region ? 0 : kernel.private_bytes * kernel.width;
  return frame <= in_frame ? 0 : (frame - in_frame + kernel.width - 1) / kernel.width;
}

constexpr const char* PreparedMark = "zeroth.prepared"; // named metadata

} // namespace

void prepare_for_forms(llvm::Module& module, const CompileOptions& options) {
  if (module.getNamedMetadata(PreparedMark)) return;
  verify(module, "reading");
  prepare_module(module, machine_for(options.cpu, options.quick), options.quick);
  if (options.verify_each) verify(module, "preparation");
  module.getOrInsertNamedMetadata(PreparedMark);
}

CompiledObject compile_to_object(llvm::Module& module, const CompileOptions& options) {
  llvm::TargetMachine& machine = machine_for(options.cpu, options.quick);
  prepare_for_forms(module, options);
  const llvm::SmallVector<llvm::Function*> kernels = kernels_of(module);
  CompiledObject result;
  for (llvm::Function* kernel : kernels) result.kernels.push_back(compile_kernel(*kernel, machine, options));
  remove_sources(kernels);
  remove_local_variables(module);
  expand_byte_fractions(module, machine);
  expand_half_fma(module, machine);
  expand_half_extremes(module, machine);
  simplify_local_atomics(module);
  set_target(module, machine);
  if (options.verify_each) verify(module, "forming work-groups");
  if (options.tamper) options.tamper(module);
  run_final_pipeline(module, machine, options.quick);
  if (!options.quick) halve_loads(module, machine);
  attach_lines(module);
  if (options.verify_each) verify(module, "optimisation");
  if (options.ir) append_ir(*options.ir, module, "module");
  std::optional<SpillWatch> spills;
  if (options.explain) spills.emplace(module.getContext());
  FrameSizes frames;
  result.object = emit_object(module, machine, frames, options.assembly);
  for (KernelCode& kernel : result.kernels) {
    kernel.spill_bytes = spill_bytes(kernel, frames);
    if (spills) spills->report(kernel);
    result.log += summary(kernel);
  }
  return result;
}

} // namespace zeroth::codegen
