#include "target_machine.hpp"

#include "../llvm_versions.hpp"

#include <map>
#include <mutex>
#include <string>

#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

namespace zeroth::codegen {

namespace {

constexpr const char* DefaultTriple = "x86_64-unknown-linux-gnu";

void initialize_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

} // namespace

std::unique_ptr<llvm::TargetMachine> create_target_machine(const CpuTarget& cpu) {
  initialize_targets();
  llvm::Triple triple(cpu.triple.empty() ? DefaultTriple : cpu.triple);
  std::string error;
  const llvm::Target* target = llvm_version::find_target(triple, error);
  if (!target) throw CodegenError("no code generator for " + triple.str() + ": " + error);
  llvm::TargetOptions options;
  options.FunctionSections = true;
  std::unique_ptr<llvm::TargetMachine> machine =
      llvm_version::create_machine(*target, triple, cpu.name, cpu.features, options);
  if (!machine || !machine->getMCSubtargetInfo()->isCPUStringValid(cpu.name))
    throw CodegenError("unknown CPU '" + cpu.name + "' for " + triple.str());
  return machine;
}

llvm::TargetMachine& machine_for(const CpuTarget& cpu, bool quick) {
  thread_local std::map<std::string, std::unique_ptr<llvm::TargetMachine>> machines;
  const std::string key = cpu.triple + "|" + cpu.name + "|" + cpu.features + (quick ? "|quick" : "|");
  std::unique_ptr<llvm::TargetMachine>& machine = machines[key];
  if (machine) return *machine;
  try {
    machine = create_target_machine(cpu);
  } catch (...) {
    machines.erase(key);
    throw;
  }
  if (quick) machine->setOptLevel(llvm::CodeGenOptLevel::Less); // without any, multiply-adds would not be fused
  return *machine;
}

void set_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  llvm_version::set_triple(module, machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  std::string width = std::to_string(vector_bits(machine));
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    function.removeFnAttr("tune-cpu");
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", width);
    function.addFnAttr("min-legal-vector-width", width);
    function.addFnAttr("warn-stack-size", "0");
  }
}

unsigned vector_bits(const llvm::TargetMachine& machine) {
  if (!machine.getTargetTriple().isX86()) return 128;
  const llvm::MCSubtargetInfo& info = *machine.getMCSubtargetInfo();
  if (info.checkFeatures("+avx512f,+avx512vl,+avx512bw,+avx512dq")) return 512;
  return info.checkFeatures("+avx2") ? 256 : 128;
}

} // namespace zeroth::codegen
